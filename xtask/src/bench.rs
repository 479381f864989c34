//! Measures, and prints ratios beside the times. Nothing here fails because it is slow:
//! a wall time says more about the machine than about the code.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::wasm::{self, Kind};
use crate::{browsers, site};

pub(crate) fn bench(sh: &Shell) -> Result<()> {
    wasm::build(sh, Kind::Shipped)?;
    site::bundle(sh, Kind::Shipped)?;

    println!("\nFrom the page's first script line to the first result on screen, Chromium:");
    cmd!(sh, "node tests/www/bench/first-result.js")
        .env("AT_LEAST_ONCE_CHROMIUM", browsers::chromium()?)
        .quiet()
        .run()?;

    println!("\nSimulated events per second, recording off, one thread:");
    let native = rate(
        &cmd!(sh, "cargo bench --quiet --package at-least-once --bench sweep").quiet().read()?,
    )?;
    let wasm = rate(&cmd!(sh, "node tests/www/bench/sweep.js").quiet().read()?)?;
    println!("  native          {native:>12.0}");
    println!("  wasm, Node      {wasm:>12.0}");
    println!("  wasm time / native time  {:.2}", native / wasm);
    Ok(())
}

/// The one number that a sweep prints.
fn rate(text: &str) -> Result<f64> {
    text.trim().parse().with_context(|| format!("not a number: {text}"))
}
