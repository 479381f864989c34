//! The lesson on localhost, built when the command starts; the page reloads by itself
//! when a file in `www/` changes.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::wasm::{self, Kind};

pub(crate) fn serve(sh: &Shell) -> Result<()> {
    eprintln!("building the simulation for the browser …");
    wasm::build(sh, Kind::Shipped)?;
    // vite takes the next free port by itself and prints the address.
    cmd!(sh, "node node_modules/vite/bin/vite.js").quiet().run().context("vite stopped")
}
