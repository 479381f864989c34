//! The project's own tool: `cargo xtask COMMAND`. It is never shipped.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "this tool times its own steps and reads the environment; the simulation may not"
)]

mod bench;
mod browsers;
mod examples;
mod packaging;
mod serve;
mod site;
mod supply;
mod test;
mod tools;
mod wasm;
mod webkit;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use xshell::Shell;

const HELP: &str = "\
cargo xtask COMMAND

  serve   build what is missing and serve the lesson on localhost
  test    everything that CI runs: format, lints, tests, docs, browsers, size
          with --all also WebKit, licences, a clean build, and the sites of examples/embed/
  build   make dist/, the lesson as static files
  wasm    build the page's module only, and print its size
  bench   measure: time to the first result, simulated events per second
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let (flags, extra): (Vec<String>, Vec<String>) =
        args.partition(|arg| command == "test" && arg == "--all");
    let all = !flags.is_empty();
    if let Some(extra) = extra.first() {
        eprintln!("cargo xtask {command} does not take `{extra}`\n\n{HELP}");
        return ExitCode::from(2);
    }
    let result = match command.as_str() {
        "serve" => shell().and_then(|sh| serve::serve(&sh)),
        "test" => shell().and_then(|sh| test::test(&sh, all)),
        "build" => shell().and_then(|sh| site::build(&sh)),
        "wasm" => shell().and_then(|sh| wasm::weigh(&sh)),
        "bench" => shell().and_then(|sh| bench::bench(&sh)),
        "" | "help" | "-h" | "--help" => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("unknown command `{command}`\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// A shell that stands in the root of the project, wherever the command was typed.
fn shell() -> Result<Shell> {
    let sh = Shell::new()?;
    sh.change_dir(root()?);
    Ok(sh)
}

fn root() -> Result<PathBuf> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .context("start this tool with `cargo xtask`, so that it knows where the project is")?;
    let parent = Path::new(&manifest).parent().context("xtask/ has no parent folder")?;
    Ok(parent.to_path_buf())
}

/// Where cargo puts what it builds.
fn target_dir() -> Result<PathBuf> {
    let root = root()?;
    Ok(match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root.join(dir),
        None => root.join("target"),
    })
}
