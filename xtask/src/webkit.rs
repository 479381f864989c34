//! WebKit by its WebDriver. It is Debian's WebKitGTK, which is not Safari, but the same engine.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

const DRIVER: &str = "/usr/bin/WebKitWebDriver";

/// Every form of the lab, in WebKit.
pub(crate) fn test(sh: &Shell) -> Result<()> {
    let missing = "on Debian: apt-get install webkit2gtk-driver xvfb xauth";
    ensure!(Path::new(DRIVER).is_file(), "{DRIVER} is missing; {missing}");
    ensure!(
        cmd!(sh, "xvfb-run --help").quiet().ignore_stdout().ignore_stderr().run().is_ok(),
        "WebKit needs a display, and xvfb-run is missing; {missing}"
    );
    cmd!(sh, "xvfb-run -a node tests/www/webkit.js")
        .env("AT_LEAST_ONCE_TARGET", crate::target_dir()?)
        .env("AT_LEAST_ONCE_WEBKIT", DRIVER)
        .run()
        .context("not every form of the lab works in WebKit")
}
