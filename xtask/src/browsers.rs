//! The browsers that the page is tested in: found, or on Debian as root installed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

/// Where each browser is.
pub(crate) struct Browsers {
    pub(crate) chromium: PathBuf,
    pub(crate) firefox: PathBuf,
}

const CHROMIUM: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const FIREFOX: [&str; 3] =
    ["firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];

/// Both browsers, installed first where this tool may do so.
pub(crate) fn need(sh: &Shell) -> Result<Browsers> {
    if let Some(browsers) = find_both() {
        return Ok(browsers);
    }
    if !debian_root(sh) {
        let debian = "on Debian: apt-get install chromium firefox-esr fonts-dejavu-core";
        bail!("the page is tested in Chromium (or Chrome) and Firefox; install both ({debian})");
    }
    let packages = ["chromium", "firefox-esr", "fonts-dejavu-core"];
    cmd!(sh, "apt-get update -q").run().context("apt-get update failed")?;
    cmd!(sh, "apt-get install -q -y --no-install-recommends {packages...}")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .run()
        .context("apt-get could not install the browsers")?;
    find_both().context("apt-get installed the browsers, but they are not to be found")
}

/// Chromium alone, for the benchmark.
pub(crate) fn chromium() -> Result<PathBuf> {
    find(&CHROMIUM).context("install Chromium or Chrome: the benchmark runs in it")
}

fn find_both() -> Option<Browsers> {
    Some(Browsers { chromium: find(&CHROMIUM)?, firefox: find(&FIREFOX)? })
}

/// The first of these names that is a file, by itself or in a folder of PATH.
fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        // Joining an absolute path gives that path itself.
        folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
    })
}

fn debian_root(sh: &Shell) -> bool {
    let user = cmd!(sh, "id -u").quiet().ignore_stderr().read();
    Path::new("/etc/debian_version").exists() && user.is_ok_and(|id| id == "0")
}
