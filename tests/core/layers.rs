//! The layers hold: imports point one way.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The modules from the bottom up; a module imports only from its own layer and those below.
const LAYERS: [&[&str]; 6] = [
    &["units", "random", "json", "sorted", "window"],
    &["model"],
    &["sim"],
    &["presets", "export"],
    &["lesson"],
    &["wasm", "wasm_explorer", "main", "terminal"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

fn files(folder: &Path, ending: &str, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, ending, out);
        } else if path.extension().is_some_and(|found| found == ending) {
            out.push(path);
        }
    }
}

fn sources() -> Vec<(String, PathBuf, String)> {
    let source = Path::new(ROOT).join("src");
    let mut paths = Vec::new();
    files(&source, "rs", &mut paths);
    let mut out = Vec::new();
    for path in paths {
        let inside = path.strip_prefix(&source).expect("inside").to_path_buf();
        let first = inside.iter().next().expect("a name").to_string_lossy().into_owned();
        let module = first.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&path).expect("a text");
        out.push((module, inside, text));
    }
    out
}

/// The modules that a source names as `crate::module` or `at_least_once::module`, leaving out
/// comments.
fn imports(text: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("//") {
            continue;
        }
        for root in ["crate::", "at_least_once::"] {
            for (_, rest) in
                line.match_indices(root).map(|(place, _)| line.split_at(place + root.len()))
            {
                let name: String =
                    rest.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
                out.push((number, name));
            }
        }
    }
    out
}

#[test]
fn imports_only_point_down() {
    let mut seen = 0;
    for (module, path, text) in sources() {
        if module == "lib" {
            continue;
        }
        let own = layer(&module).unwrap_or_else(|| panic!("{} has no layer", path.display()));
        for (line, import) in imports(&text) {
            let Some(other) = layer(&import) else { continue };
            seen += 1;
            let same = import == module || (own == other && own == 0);
            assert!(
                other < own || same,
                "{}:{line} imports {import}, which is not below",
                path.display()
            );
        }
    }
    assert!(seen > 50, "the check reads imports: {seen}");
}

/// The check above can fail.
#[test]
fn an_import_that_points_up_is_found() {
    let found = imports(
        "use crate::lesson::Session;\n// use crate::wasm;\n let x = crate::sim::play::play;",
    );
    assert_eq!(found, [(1, "lesson".to_owned()), (3, "sim".to_owned())]);
    assert!(layer("lesson") > layer("sim") && layer("wasm") > layer("lesson"));
}

/// Only one file knows JavaScript, and the core has no clock, hash order or float of its own.
#[test]
fn what_the_core_must_not_know() {
    for (module, path, text) in sources() {
        let code: Vec<&str> =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        let outer = layer(&module) == Some(LAYERS.len() - 1);
        for (banned, reason) in [
            ("js_sys", "only wasm.rs knows JavaScript"),
            ("web_sys", "only wasm.rs knows JavaScript"),
            ("getrandom", "the seed is the only chance"),
            ("HashMap", "hash order differs"),
            ("HashSet", "hash order differs"),
            ("Instant", "no clock"),
            ("SystemTime", "no clock"),
            ("f64", "no floats"),
            ("f32", "no floats"),
            ("println!", "no output"),
            ("std::env", "no surroundings"),
            ("std::fs", "no files"),
        ] {
            // The one exception by name: a draw that needs a logarithm, rounded at once.
            // And a map with a fixed hasher that is asked and never walked through.
            let excepted = (banned == "f64" && path == Path::new("random.rs"))
                || (banned == "HashMap" && path == Path::new("sim/explore/mod.rs"));
            let found =
                !excepted && code.contains(banned) && !code.contains(&format!("{banned}ilter"));
            assert!(outer || !found, "{}: {banned}: {reason}", path.display());
        }
    }
}

/// A file that the documents name is there.
#[test]
fn documents_name_files_that_are_there() {
    let mut all = Vec::new();
    for ending in ["rs", "js", "json", "toml", "html", "css", "md", "snap"] {
        for folder in ["src", "tests", "www", "xtask"] {
            files(&Path::new(ROOT).join(folder), ending, &mut all);
        }
    }
    let known = |name: &str| {
        Path::new(ROOT).join(name).exists() || all.iter().any(|path| path.ends_with(name))
    };
    let mut named = 0;
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(Path::new(ROOT).join(document)).expect(document);
        for word in text.split('`').skip(1).step_by(2) {
            let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
            let file = ["rs", "js", "json", "toml", "html", "css", "md", "snap"].contains(&ending)
                && word.chars().all(|it| it.is_ascii_alphanumeric() || "_-./".contains(it));
            if file && !word.starts_with("dist/") && word != "at-least-once.js" {
                named += 1;
                assert!(known(word), "{document} names {word}");
            }
        }
    }
    assert!(named > 10, "the check reads names: {named}");
}
