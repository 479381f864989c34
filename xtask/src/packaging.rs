//! The forms in which an experiment travels: one page, one frame, one module, one npm package.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

/// Writes them into `dist/`, from a wasm module that was built before.
pub(crate) fn write(sh: &Shell) -> Result<()> {
    write_to(sh, "dist")
}

fn write_to(sh: &Shell, folder: &str) -> Result<()> {
    cmd!(sh, "node packaging/build.js {folder}").quiet().run().context("packaging/build.js")
}

/// The npm package as `npm pack` gives it, judged by those who judge packages.
pub(crate) fn check(sh: &Shell) -> Result<()> {
    cmd!(sh, "node node_modules/publint/src/cli.js run dist/npm --strict")
        .run()
        .context("publint finds something in dist/npm")?;
    let folder = crate::target_dir()?.join("npm");
    sh.remove_path(&folder)?;
    sh.create_dir(&folder)?;
    cmd!(sh, "npm pack ./dist/npm --silent --pack-destination {folder}")
        .run()
        .context("npm pack")?;
    let packed = sh.read_dir(&folder)?;
    ensure!(packed.len() == 1, "npm pack wrote {} files", packed.len());
    cmd!(sh, "node node_modules/@arethetypeswrong/cli/dist/index.js {packed...}")
        // A page is no module, so it has no types.
        .args(["--profile", "esm-only", "--exclude-entrypoints", "./embed.html"])
        .run()
        .context("arethetypeswrong finds something in the npm package")
}

/// The same inputs give the same bytes, from one run to the next.
pub(crate) fn check_same(sh: &Shell) -> Result<()> {
    let again = crate::target_dir()?.join("dist-again");
    sh.remove_path(&again)?;
    write_to(sh, &again.to_string_lossy())?;
    compare(sh, &again)
}

/// And from one folder to another: the wasm compiled anew, everything bundled anew.
pub(crate) fn check_clean(sh: &Shell) -> Result<()> {
    let folder = crate::target_dir()?.join("clean");
    sh.remove_path(&folder)?;
    for file in cmd!(sh, "git ls-files").quiet().read()?.lines() {
        let place = folder.join(file);
        sh.create_dir(place.parent().context("a file is in a folder")?)?;
        sh.copy_file(file, place)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(crate::root()?.join("node_modules"), folder.join("node_modules"))?;
    {
        let _in = sh.push_dir(&folder);
        cmd!(sh, "cargo xtask build")
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .env_remove("CARGO_MANIFEST_DIR")
            .quiet()
            .ignore_stdout()
            .run()
            .context("the copy does not build")?;
    }
    compare(sh, &folder.join("dist"))
}

/// Every file of another build is in `dist/`, byte for byte.
fn compare(sh: &Shell, other: &Path) -> Result<()> {
    let files = crate::site::files_under(sh, other.to_path_buf())?;
    ensure!(!files.is_empty(), "{} is empty", other.display());
    for file in files {
        let name = file.strip_prefix(other)?;
        let first = sh.read_binary_file(crate::root()?.join("dist").join(name))?;
        let same = sh.read_binary_file(&file)? == first;
        ensure!(same, "{} differs from one build to the next", name.display());
    }
    Ok(())
}
