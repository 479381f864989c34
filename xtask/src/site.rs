//! `dist/`: the lesson and the element as static files.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::packaging;
use crate::wasm::{self, Kind};

/// The wasm module, then `dist/`.
pub(crate) fn build(sh: &Shell) -> Result<()> {
    wasm::build(sh, Kind::Shipped)?;
    wasm::build(sh, Kind::Explorer)?;
    bundle(sh, Kind::Shipped)?;
    packaging::write(sh)?;
    println!(
        "built dist/: index.html is the lesson, at-least-once.js registers the element,\n\
         at-least-once.html is the lesson as one file, embed.html the element in a frame,\n\
         experiments/ each experiment as one file, npm/ the npm package; hashes of all:"
    );
    println!("{}", sh.read_file("dist/integrity.json")?.trim_end());
    Ok(())
}

/// Bundles the page with a module that was built before.
pub(crate) fn bundle(sh: &Shell, kind: Kind) -> Result<()> {
    let mode = match kind {
        Kind::Shipped | Kind::Explorer => "production",
        Kind::Trap => "trap",
    };
    let target = crate::target_dir()?;
    cmd!(sh, "node node_modules/vite/bin/vite.js build --mode {mode} --logLevel warn")
        .env("AT_LEAST_ONCE_TARGET", target)
        .quiet()
        .run()
        .context("vite build failed")?;
    if kind == Kind::Shipped {
        add_explorer(sh)?;
    }
    Ok(())
}

/// The larger build ships beside the page, for whoever fetches it.
fn add_explorer(sh: &Shell) -> Result<()> {
    let folder = sh.create_dir("dist/explorer")?;
    for file in ["at_least_once.js", "at_least_once.d.ts", "at_least_once_bg.wasm"] {
        sh.copy_file(format!("www/pkg-explorer/{file}"), folder.join(file))?;
    }
    Ok(())
}

/// Nothing that ships may name a folder of the machine that built it.
pub(crate) fn check_paths(sh: &Shell) -> Result<()> {
    let home = std::env::home_dir().context("no home folder")?;
    let folders = [crate::root()?, home].map(|dir| dir.display().to_string());
    for file in files_under(sh, "dist".into())? {
        let bytes = sh.read_binary_file(&file)?;
        for folder in &folders {
            let named = bytes.windows(folder.len()).any(|part| part == folder.as_bytes());
            ensure!(!named, "{} names the folder {folder}", file.display());
        }
    }
    Ok(())
}

/// Every file in a folder and in the folders in it.
pub(crate) fn files_under(sh: &Shell, folder: PathBuf) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in sh.read_dir(folder)? {
        if entry.is_dir() {
            files.extend(files_under(sh, entry)?);
        } else {
            files.push(entry);
        }
    }
    Ok(files)
}
