//! The wasm module and its bindings: cargo, then wasm-bindgen as a library, then wasm-opt.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;
use xshell::{Shell, cmd};

use crate::tools;

/// What rustc emits for its wasm target and every browser of the last years has.
/// Named one by one: `--all-features` would let in what they do not have.
const FEATURES: [&str; 8] = [
    "bulk-memory",
    "bulk-memory-opt",
    "call-indirect-overlong",
    "multivalue",
    "mutable-globals",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
];

/// How the small module is made smaller still, as it weighs once compressed.
const SMALL: [&str; 7] = [
    // A long function put into its one caller saves bytes, and costs more once compressed.
    "--one-caller-inline-max-function-size=20",
    "--converge",
    // Below 1 KB lies the end of the stack, and whoever comes there has none left.
    "--low-memory-unused",
    "--flatten",
    "--local-cse",
    "--rereloop",
    "-Oz",
];

/// How the large module is made fast, its first run too: a long function that is called from one
/// place stays one, so that what it stands in is short and optimised soon. The source says which.
const FAST: [&str; 2] = ["-O3", "--one-caller-inline-max-function-size=60"];

/// Found by trying: more is inlined than at this level usually, which leaves less behind.
const INLINE_SMALL: &str = "-Cllvm-args=-inline-threshold=15";

/// Found by trying: in an engine a call seems to cost more than natively. From 600 on the module is
/// half as large again, and the first run no faster.
const INLINE_FAST: &str = "-Cllvm-args=-inline-threshold=450";

/// Between two flags of `CARGO_ENCODED_RUSTFLAGS`, so that a path may hold spaces.
const SEPARATOR: &str = "\u{1f}";

/// Which build of the crate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The one that ships, in `www/pkg`.
    Shipped,
    /// The larger one that is fetched on demand, in `www/pkg-explorer`.
    Explorer,
    /// The one that can be made to trap, for the browser tests only.
    Trap,
}

/// Builds the page's module and prints what it weighs on the way to a reader.
pub(crate) fn weigh(sh: &Shell) -> Result<()> {
    let module = build(sh, Kind::Shipped)?.join("at_least_once_bg.wasm");
    let raw = sh.read_binary_file(&module)?.len();
    let script = "zlib.gzipSync(fs.readFileSync(process.argv[1]), { level: 9 }).length";
    let gzip = cmd!(sh, "node -p {script} {module}").quiet().read()?;
    println!("the page's module: {raw} bytes, gzip -9 {gzip}");
    Ok(())
}

/// Builds the module and its bindings; returns the folder.
pub(crate) fn build(sh: &Shell, kind: Kind) -> Result<PathBuf> {
    tools::need_wasm_target(sh)?;
    tools::need_packages(sh)?;
    let raw = compile(sh, kind)?;
    let out = match kind {
        Kind::Shipped => crate::root()?.join("www/pkg"),
        Kind::Explorer => crate::root()?.join("www/pkg-explorer"),
        Kind::Trap => crate::target_dir()?.join("pkg-trap"),
    };
    bind(sh, &raw, &out)?;
    shrink(sh, &out.join("at_least_once_bg.wasm"), kind)?;
    Ok(out)
}

fn compile(sh: &Shell, kind: Kind) -> Result<PathBuf> {
    let target = tools::WASM;
    let dir = crate::target_dir()?;
    let (profile, features, inline) = match kind {
        Kind::Shipped => ("web", "page", INLINE_SMALL),
        Kind::Explorer => ("explorer", "explorer", INLINE_FAST),
        Kind::Trap => ("web", "page,trap", INLINE_SMALL),
    };
    let mut flags = remap(sh)?.to_vec();
    flags.push(inline.to_owned());
    cmd!(sh, "cargo build --quiet --package at-least-once --lib --target {target}")
        .args(["--target-dir".as_ref(), dir.as_os_str()])
        .args(["--profile", profile, "--features", features])
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR))
        .run()
        .context("the core does not build for wasm")?;
    Ok(dir.join(target).join(profile).join("at_least_once.wasm"))
}

/// No path of the machine that built it may stand in the module: panic messages name
/// source files, and the same inputs have to give the same bytes everywhere.
fn remap(sh: &Shell) -> Result<[String; 3]> {
    let cargo_home = match std::env::var_os("CARGO_HOME") {
        Some(dir) => PathBuf::from(dir),
        None => std::env::home_dir().context("no home folder")?.join(".cargo"),
    };
    let sysroot = cmd!(sh, "rustc --print sysroot").quiet().read()?;
    let maps = [(crate::root()?, "."), (cargo_home, "cargo"), (PathBuf::from(sysroot), "rust")];
    Ok(maps.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())))
}

fn bind(sh: &Shell, raw: &Path, out: &Path) -> Result<()> {
    sh.remove_path(out)?;
    Bindgen::new()
        .input_path(raw)
        .out_name("at_least_once")
        .web(true)?
        .typescript(true)
        // Else `init` would not know where its module is.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        // What the page calls after a trap: a new instance of the same module.
        .reset_state_function(true)
        .generate(out)
        .context("wasm-bindgen")
}

fn shrink(sh: &Shell, module: &Path, kind: Kind) -> Result<()> {
    let enable = FEATURES.map(|feature| format!("--enable-{feature}"));
    cmd!(sh, "node node_modules/binaryen/bin/wasm-opt {module} -o {module} {enable...}")
        .args(if kind == Kind::Explorer { &FAST[..] } else { &SMALL })
        .args(["--strip-debug", "--strip-producers", "--strip-target-features"])
        .quiet()
        .run()
        .context("wasm-opt")
}
