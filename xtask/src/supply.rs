//! Where the Rust packages come from, and under which licences.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

const VERSION: &str = "0.20.2";

/// `cargo deny`, installed into the target folder where it is missing. Advisories are not asked
/// for: their list is fetched from a place that not every machine may reach.
pub(crate) fn test(sh: &Shell) -> Result<()> {
    let tools = crate::target_dir()?.join("tools");
    let deny = tools.join("bin/cargo-deny");
    if !deny.is_file() {
        cmd!(sh, "cargo install cargo-deny --version {VERSION} --locked --root {tools}")
            .run()
            .context("cargo-deny could not be installed")?;
    }
    cmd!(sh, "{deny} --offline check bans licenses sources").run().context("cargo deny")
}
