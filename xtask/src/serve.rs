//! The lesson on localhost, built when the command starts; the page reloads by itself
//! when a file in `www/` changes.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::wasm::{self, Kind};

pub(crate) fn serve(sh: &Shell) -> Result<()> {
    eprintln!("building the simulation for the browser …");
    wasm::build(sh, Kind::Shipped)?;
    // vite takes the next free port by itself and prints the address.
    let vite = cmd!(sh, "node node_modules/vite/bin/vite.js");
    #[cfg(unix)]
    {
        // This process becomes vite, so that Ctrl-C and a kill reach it and nothing else.
        use std::os::unix::process::CommandExt;
        let error = std::process::Command::from(vite).exec();
        Err(error).context("vite does not start")
    }
    #[cfg(not(unix))]
    vite.quiet().run().context("vite stopped")
}
