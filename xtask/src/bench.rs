//! Measures, and prints ratios beside the times. Nothing here fails because it is slow:
//! a wall time says more about the machine than about the code.

use anyhow::{Context, Result, ensure};
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

    println!("\nTen labs on a page against one, until all are painted, Chromium:");
    cmd!(sh, "node tests/www/bench/ten.js")
        .env("AT_LEAST_ONCE_CHROMIUM", browsers::chromium()?)
        .quiet()
        .run()?;

    println!(
        "\nFrames with 50 workers and 1,000 jobs, Chromium, 1280 px (bars: p95 20 ms, no task over 50 ms):"
    );
    cmd!(sh, "node tests/www/bench/frames.js")
        .env("AT_LEAST_ONCE_CHROMIUM", browsers::chromium()?)
        .quiet()
        .run()?;

    println!("\nA moment of a long run, in the page's wasm:");
    cmd!(sh, "node tests/www/bench/moments.js").quiet().run()?;

    println!("\nSimulated events per second, recording off, one thread:");
    let native = rate(
        &cmd!(sh, "cargo bench --quiet --package at-least-once --bench sweep").quiet().read()?,
    )?;
    let wasm = rate(&cmd!(sh, "node tests/www/bench/sweep.js").quiet().read()?)?;
    println!("  native          {native:>12.0}");
    println!("  wasm, Node      {wasm:>12.0}   (the page's module: small first)");
    println!("  wasm time / native time  {:.2}", native / wasm);
    large(sh)
}

/// The two larger pieces of work: a million leased jobs, and a search that visits everything.
fn large(sh: &Shell) -> Result<()> {
    wasm::build(sh, Kind::Explorer)?;
    let w1 = native(sh, "w1")?;
    let w2 = native(sh, "w2")?;
    let wasm = cmd!(sh, "node tests/www/bench/explorer.js").quiet().read()?;
    let wasm = Measured(serde_json::from_str(&wasm).context("what the wasm bench prints")?);

    println!("\nW1 and W2 in wasm run the explorer's module: fast first.");
    println!("\nW1, a leased queue with a million jobs, {} events:", w1.get("events")?);
    ensure!(w1.get("events")? == wasm.get("events")?, "wasm counts other events than native");
    let world = w1.get("world_s")?;
    println!("  by hand              {:>8.3} s", w1.get("hand_s")?);
    println!("  World                {world:>8.3} s");
    println!(
        "  wasm, Node           {:>8.3} s, the first time {:.3} s",
        wasm.get("w1_s")?,
        wasm.get("w1_first_s")?
    );
    println!("  World / by hand      {:>8.2}   (bar: at most 2)", w1.get("ratio")?);
    println!(
        "  wasm / native        {:>8.2}   (bar: at most 1.4, the first time)",
        wasm.get("w1_first_s")? / world
    );

    println!("\nW2, the protocol of the cross-check, everything visited:");
    ensure!(w2.get("states")? == wasm.get("states")?, "wasm finds other states than native");
    println!(
        "  World                {:>12.0} states/s, {} states",
        w2.get("world")?,
        w2.get("states")?
    );
    println!("  stateright           {:>12.0} states/s", w2.get("stateright")?);
    println!("  a word a state       {:>12.0} states/s", w2.get("packed")?);
    println!("  World / stateright   {:>8.2}   in states/s", w2.get("world_to_stateright")?);
    println!(
        "  World / stateright   {:>8.2}   to visit everything (bar: at least 1)",
        w2.get("visits_to_stateright")?
    );
    println!("  World / a word each  {:>8.3}   in states/s (aim: 0.1)", w2.get("world_to_packed")?);
    let wasm = wasm.get("states")? / wasm.get("w2_s")?;
    println!("  wasm / native        {:>8.2}   (bar: at least 0.6)", wasm / w2.get("world")?);
    Ok(())
}

/// What a benchmark measured, by name.
struct Measured(serde_json::Value);

impl Measured {
    fn get(&self, name: &str) -> Result<f64> {
        self.0.get(name).and_then(serde_json::Value::as_f64).with_context(|| format!("no {name}"))
    }
}

fn native(sh: &Shell, bench: &str) -> Result<Measured> {
    let line = cmd!(sh, "cargo bench --quiet --package at-least-once --bench {bench} -- --json");
    let line = line.quiet().read()?;
    Ok(Measured(serde_json::from_str(&line).with_context(|| format!("what {bench} prints"))?))
}

/// The one number that a sweep prints.
fn rate(text: &str) -> Result<f64> {
    text.trim().parse().with_context(|| format!("not a number: {text}"))
}
