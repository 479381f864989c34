//! `examples/embed/` as their authors would build them: the sites that are too heavy for every
//! run. Each is built into the target folder and then opened in the browsers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::test::run_specs;

const MDBOOK: &str = "0.5.4";
const MKDOCS: [&str; 2] = ["mkdocs==1.6.1", "mkdocs-material==9.8.2"];

/// Builds all of them and runs their tests.
pub(crate) fn test(sh: &Shell) -> Result<()> {
    mdbook(sh)?;
    mkdocs(sh)?;
    docusaurus(sh)?;
    frameworks(sh)?;
    run_specs(sh, &["sites.spec.js"], &[("AT_LEAST_ONCE_SITES", "1")])
}

/// Where a site is built; emptied first.
fn work(sh: &Shell, name: &str) -> Result<PathBuf> {
    let folder = crate::target_dir()?.join("examples/work").join(name);
    let modules = folder.join("node_modules");
    if !modules.is_dir() {
        sh.remove_path(&folder)?;
    }
    sh.create_dir(&folder)?;
    copy(sh, &crate::root()?.join("examples/embed").join(name), &folder)?;
    Ok(folder)
}

fn copy(sh: &Shell, from: &Path, to: &Path) -> Result<()> {
    for file in crate::site::files_under(sh, from.to_path_buf())? {
        let place = to.join(file.strip_prefix(from)?);
        sh.create_dir(place.parent().context("a file is in a folder")?)?;
        sh.copy_file(&file, &place)?;
    }
    Ok(())
}

/// Where the built site goes, for the tests' server.
fn built(sh: &Shell, name: &str) -> Result<PathBuf> {
    let folder = crate::target_dir()?.join("examples").join(name);
    sh.remove_path(&folder)?;
    Ok(folder)
}

/// The self-contained module, under the name that the examples use.
fn module(sh: &Shell, folder: &Path) -> Result<()> {
    let file = sh
        .read_dir("dist")?
        .into_iter()
        .find(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("at-least-once-") && name.ends_with(".js")
        })
        .context("dist/ has no module with its version in the name")?;
    sh.copy_file(file, folder.join("at-least-once.js"))?;
    Ok(())
}

fn mdbook(sh: &Shell) -> Result<()> {
    let tools = crate::target_dir()?.join("tools");
    let mdbook = tools.join("bin/mdbook");
    if !mdbook.is_file() {
        cmd!(sh, "cargo install mdbook --version {MDBOOK} --locked --root {tools}")
            .run()
            .context("mdbook could not be installed")?;
    }
    let folder = work(sh, "mdbook")?;
    module(sh, &folder.join("src"))?;
    let out = built(sh, "mdbook")?;
    cmd!(sh, "{mdbook} build {folder} --dest-dir {out}").quiet().run().context("mdbook build")
}

fn mkdocs(sh: &Shell) -> Result<()> {
    let place = crate::target_dir()?.join("tools/mkdocs");
    let mkdocs = place.join("bin/mkdocs");
    if !mkdocs.is_file() {
        let python = "MkDocs needs Python 3 with venv";
        cmd!(sh, "python3 -m venv {place}").run().context(python)?;
        let pip = place.join("bin/pip");
        cmd!(sh, "{pip} install --quiet {MKDOCS...}").run().context("pip install mkdocs")?;
    }
    let folder = work(sh, "mkdocs")?;
    module(sh, &folder.join("docs"))?;
    let out = built(sh, "mkdocs")?;
    let config = folder.join("mkdocs.yml");
    cmd!(sh, "{mkdocs} build --quiet --config-file {config} --site-dir {out}")
        .env("NO_MKDOCS_2_WARNING", "1")
        .run()
        .context("mkdocs build")
}

fn docusaurus(sh: &Shell) -> Result<()> {
    let folder = work(sh, "docusaurus")?;
    packages(sh, &folder)?;
    sh.create_dir(folder.join("static"))?;
    module(sh, &folder.join("static"))?;
    let out = built(sh, "docusaurus")?;
    let _in = sh.push_dir(&folder);
    cmd!(sh, "node node_modules/@docusaurus/core/bin/docusaurus.mjs build --out-dir {out}")
        .env("DOCUSAURUS_NO_PERSISTENT_CACHE", "true")
        .env("NO_UPDATE_NOTIFIER", "1")
        .run()
        .context("docusaurus build")
}

/// React, Vue and Svelte, each from the package as npm packs it.
fn frameworks(sh: &Shell) -> Result<()> {
    let folder = work(sh, "frameworks")?;
    packages(sh, &folder)?;
    let packed = crate::target_dir()?.join("npm");
    let tarballs = sh.read_dir(&packed).context("the npm package is packed before")?;
    ensure!(tarballs.len() == 1, "{} holds {} files", packed.display(), tarballs.len());
    let own = folder.join("node_modules/at-least-once");
    sh.remove_path(&own)?;
    sh.create_dir(&own)?;
    cmd!(sh, "tar --extract --gzip --strip-components 1 --directory {own} --file {tarballs...}")
        .quiet()
        .run()?;
    let out = built(sh, "frameworks")?;
    let _in = sh.push_dir(&folder);
    cmd!(
        sh,
        "node node_modules/vite/bin/vite.js build --outDir {out} --emptyOutDir --logLevel warn"
    )
    .run()
    .context("vite build of the frameworks")
}

fn packages(sh: &Shell, folder: &Path) -> Result<()> {
    if folder.join("node_modules/.package-lock.json").is_file() {
        return Ok(());
    }
    let _in = sh.push_dir(folder);
    cmd!(sh, "npm install --ignore-scripts --no-audit --no-fund --no-package-lock")
        .quiet()
        .run()
        .with_context(|| format!("npm install in {}", folder.display()))
}
