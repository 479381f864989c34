//! Everything that CI runs, cheapest first, up to the first step that fails.

use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::browsers::{self, Browsers};
use crate::wasm::{self, Kind};
use crate::{examples, packaging, site, supply, tools, webkit};

type Step = (&'static str, fn(&Shell) -> Result<()>);

const STEPS: [Step; 19] = [
    ("tools, packages and browsers", set_up),
    ("format", format),
    ("clippy, host", clippy_host),
    ("clippy, wasm", clippy_wasm),
    ("unit, integration and doc tests", cargo_test),
    ("docs", docs),
    ("script lint and format", lint_scripts),
    ("wasm module", |sh| wasm::build(sh, Kind::Shipped).map(drop)),
    ("wasm module with everything", |sh| wasm::build(sh, Kind::Explorer).map(drop)),
    ("script types", type_scripts),
    ("dist", |sh| site::bundle(sh, Kind::Shipped)),
    ("one-file builds and npm package", packaging::write),
    ("the same bytes again", packaging::check_same),
    ("npm package, as its users see it", packaging::check),
    ("no machine path in dist", site::check_paths),
    ("wasm module and page that can trap", trap),
    ("shipped wasm under Node", node_tests),
    ("page in Chromium and Firefox", browser_tests),
    ("sizes", sizes),
];

/// What is too heavy for every run, or needs what not every machine has.
const MORE: [Step; 4] = [
    ("every form of the lab in WebKit", webkit::test),
    ("where packages come from", supply::test),
    ("a clean build elsewhere gives the same bytes", packaging::check_clean),
    ("the lab in mdBook, MkDocs, Docusaurus, React, Vue and Svelte", examples::test),
];

/// Runs the steps, and with `all` those too that are heavy.
pub(crate) fn test(sh: &Shell, all: bool) -> Result<()> {
    let start = Instant::now();
    let steps: Vec<Step> = STEPS.into_iter().chain(MORE.into_iter().filter(|_| all)).collect();
    for (index, (name, step)) in steps.iter().enumerate() {
        let number = index + 1;
        println!("\n== {number}/{} {name}", steps.len());
        let began = Instant::now();
        if let Err(error) = step(sh) {
            println!("\n{index} passed, 1 failed");
            return Err(error.context(format!("step {number} failed: {name}")));
        }
        println!("-- {name}: {:.1} s", began.elapsed().as_secs_f64());
    }
    println!("\neverything in {:.0} s", start.elapsed().as_secs_f64());
    println!("{} passed, 0 failed", steps.len());
    Ok(())
}

fn set_up(sh: &Shell) -> Result<()> {
    tools::need_wasm_target(sh)?;
    tools::need_packages(sh)?;
    browsers::need(sh).map(drop)
}

fn format(sh: &Shell) -> Result<()> {
    cmd!(sh, "cargo fmt --all --check").run().context("`cargo fmt --all` writes it right")
}

fn clippy_host(sh: &Shell) -> Result<()> {
    let run = cmd!(sh, "cargo clippy --quiet --workspace --all-targets -- -D warnings");
    run.run().context("clippy")
}

fn clippy_wasm(sh: &Shell) -> Result<()> {
    let target = tools::WASM;
    cmd!(sh, "cargo clippy --quiet --package at-least-once --lib --all-features --target {target}")
        .args(["--", "-D", "warnings"])
        .run()
        .context("clippy")
}

fn cargo_test(sh: &Shell) -> Result<()> {
    cmd!(sh, "cargo test --workspace").run().context("cargo test")
}

fn docs(sh: &Shell) -> Result<()> {
    cmd!(sh, "cargo doc --quiet --workspace --no-deps")
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()
        .context("cargo doc")
}

fn lint_scripts(sh: &Shell) -> Result<()> {
    cmd!(sh, "node node_modules/@biomejs/biome/bin/biome check --error-on-warnings")
        .run()
        .context("`npx biome check --write` mends what can be mended")
}

fn type_scripts(sh: &Shell) -> Result<()> {
    for project in [".", "tests/www", "packaging"] {
        cmd!(sh, "node node_modules/typescript/bin/tsc --project {project}")
            .run()
            .context("tsc")?;
    }
    Ok(())
}

fn trap(sh: &Shell) -> Result<()> {
    wasm::build(sh, Kind::Trap)?;
    site::bundle(sh, Kind::Trap)
}

fn node_tests(sh: &Shell) -> Result<()> {
    let files: Vec<PathBuf> = sh
        .read_dir("tests/www")?
        .into_iter()
        .filter(|file| file.to_string_lossy().ends_with(".node.js"))
        .collect();
    cmd!(sh, "node --test {files...}")
        .env("AT_LEAST_ONCE_TARGET", crate::target_dir()?)
        .run()
        .context("node --test")
}

fn browser_tests(sh: &Shell) -> Result<()> {
    run_specs(sh, &[], &[]).context("the page does not pass in Chromium and Firefox")
}

/// Browser tests by file, all if none is named, with some more of an environment.
pub(crate) fn run_specs(sh: &Shell, files: &[&str], more: &[(&str, &str)]) -> Result<()> {
    let Browsers { chromium, firefox } = browsers::need(sh)?;
    // Any free port: another copy of these tests may be running.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    cmd!(sh, "node node_modules/@playwright/test/cli.js test {files...}")
        .env("AT_LEAST_ONCE_TARGET", crate::target_dir()?)
        .env("AT_LEAST_ONCE_PORT", port.to_string())
        .env("AT_LEAST_ONCE_CHROMIUM", chromium)
        .env("AT_LEAST_ONCE_FIREFOX", firefox)
        .envs(more.iter().copied())
        .run()
        .context("the tests fail in Chromium or Firefox")
}

fn sizes(sh: &Shell) -> Result<()> {
    let Browsers { chromium, .. } = browsers::need(sh)?;
    for (script, heavy) in [("first-load.js", "the first load"), ("chapter-load.js", "a chapter")] {
        cmd!(sh, "node tests/www/{script}")
            .env("AT_LEAST_ONCE_CHROMIUM", &chromium)
            .run()
            .with_context(|| format!("{heavy} of the lesson is too heavy"))?;
    }
    cmd!(sh, "node packaging/sizes.js").run().context("the element or the one file is too heavy")
}
