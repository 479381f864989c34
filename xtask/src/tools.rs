//! What a fresh machine lacks: checked by name, installed where that is our business.

use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

const NODE: (u32, u32) = (20, 19);
const NPM: (u32, u32) = (10, 0);

/// The version of wasm that rustc builds for.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Node.js and npm, new enough.
pub(crate) fn need_node(sh: &Shell) -> Result<()> {
    for (tool, least) in [("node", NODE), ("npm", NPM)] {
        let (major, minor) = least;
        let want = format!("{tool} {major}.{minor} or newer is needed");
        let Ok(found) = cmd!(sh, "{tool} --version").quiet().ignore_stderr().read() else {
            bail!("{want}, and there is none: install Node.js (https://nodejs.org)");
        };
        let version = version_of(&found).with_context(|| format!("{tool} --version: {found}"))?;
        ensure!(version >= least, "{want}, this one is {}", found.trim());
    }
    Ok(())
}

/// The major and minor number of a text like `v20.20.2`.
fn version_of(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The wasm target of the compiler in use, added by rustup where it is missing.
pub(crate) fn need_wasm_target(sh: &Shell) -> Result<()> {
    let sysroot = cmd!(sh, "rustc --print sysroot").quiet().read()?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM).is_dir() {
        return Ok(());
    }
    ensure!(
        cmd!(sh, "rustup --version").quiet().ignore_stdout().ignore_stderr().run().is_ok(),
        "the Rust target {WASM} is missing: install it, or use rustup (https://rustup.rs)"
    );
    cmd!(sh, "rustup target add {WASM}").run().context("rustup could not add the wasm target")
}

/// The npm packages, as the lock file has them.
pub(crate) fn need_packages(sh: &Shell) -> Result<()> {
    need_node(sh)?;
    // npm writes this file last, so its age is the age of a complete install.
    let installed = changed(&sh.current_dir().join("node_modules/.package-lock.json"));
    let locked = changed(&sh.current_dir().join("package-lock.json"));
    if installed.is_some() && installed >= locked {
        return Ok(());
    }
    if sh.current_dir().join("node_modules").is_symlink() {
        // npm ci would empty the folder that it leads to.
        eprintln!("node_modules is a link: its packages are left as they are");
        return Ok(());
    }
    cmd!(sh, "npm ci --ignore-scripts --no-audit --no-fund").run().context("npm ci failed")
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::version_of;

    #[test]
    fn versions_are_read_and_compared() {
        assert_eq!(version_of("v20.20.2\n"), Some((20, 20)));
        assert_eq!(version_of("11.19.1"), Some((11, 19)));
        assert_eq!(version_of("none"), None);
        assert!(version_of("v9.11.2") < Some(super::NODE));
    }
}
