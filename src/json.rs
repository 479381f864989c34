//! Data for a reader outside: a struct is declared once, with `data!`, and gets three readers.
//! `serde` writes it for the terminal, `tsify` declares its type for the page's editor, and
//! [`Json`] writes it at the boundary of the page's module.
//!
//! [`Json`] is here because the module has to be small: it does what `serde_json` does for the few
//! types that cross, in a tenth of the bytes. `tests/core/json.rs` holds it against `serde_json`.

use std::fmt::Write;

/// Something that can be written as JSON.
pub trait Json {
    /// Appends it.
    fn write(&self, out: &mut String);

    /// Whether there is nothing to write.
    fn is_missing(&self) -> bool {
        false
    }
}

/// Something as a JSON text.
#[must_use]
pub fn text(value: &dyn Json) -> String {
    let mut out = String::new();
    value.write(&mut out);
    out
}

/// Appends an object, its names separated by blanks; a field that is missing is `null`, or left out
/// if `sparse` says so.
pub fn object(out: &mut String, sparse: bool, names: &str, values: &[&dyn Json]) {
    let mut before = "{";
    for (name, value) in names.split(' ').zip(values) {
        if sparse && value.is_missing() {
            continue;
        }
        out.push_str(before);
        name.write(out);
        out.push(':');
        value.write(out);
        before = ",";
    }
    out.push_str(if before == "{" { "{}" } else { "}" });
}

/// Appends a list of so many. Compiled once: what is left for each kind of list is how to get at
/// its values.
fn list<'a>(out: &mut String, length: usize, value: &dyn Fn(usize) -> &'a dyn Json) {
    let mut before = "[";
    for place in 0..length {
        out.push_str(before);
        value(place).write(out);
        before = ",";
    }
    out.push_str(if before == "[" { "[]" } else { "]" });
}

impl Json for &str {
    fn write(&self, out: &mut String) {
        out.push('"');
        for letter in self.chars() {
            match letter {
                '"' | '\\' => out.extend(['\\', letter]),
                ..' ' => write_to(out, format_args!("\\u{:04x}", u32::from(letter))),
                _ => out.push(letter),
            }
        }
        out.push('"');
    }
}

impl Json for String {
    fn write(&self, out: &mut String) {
        Json::write(&self.as_str(), out);
    }
}

impl Json for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Json for u64 {
    fn write(&self, out: &mut String) {
        write_to(out, format_args!("{self}"));
    }
}

impl Json for u32 {
    fn write(&self, out: &mut String) {
        u64::from(*self).write(out);
    }
}

impl Json for u16 {
    fn write(&self, out: &mut String) {
        u64::from(*self).write(out);
    }
}

impl Json for usize {
    fn write(&self, out: &mut String) {
        (*self as u64).write(out);
    }
}

impl<T: Json> Json for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut String) {
        list(out, self.len(), &|place| &self[place]);
    }
}

impl Json for [u64; 2] {
    fn write(&self, out: &mut String) {
        let [first, second] = self;
        write_to(out, format_args!("[{first},{second}]"));
    }
}

/// Writes to a text, which takes all that is written to it.
pub(crate) fn write_to(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(arguments);
    debug_assert!(written.is_ok(), "a String takes all that is written to it");
}

/// Declares a struct whose fields are data, once for all its readers.
///
/// `sparse` says that a field without a value is left out; each such field has to say the same
/// to `serde`.
macro_rules! data {
    // The fields' tokens are handed on as they came: a matched type would be opaque to `tsify`.
    (@declare $(#[$($outer:tt)*])* pub struct $name:ident { $($body:tt)* }) => {
        $(#[$($outer)*])*
        #[derive(Debug, serde::Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
        pub struct $name { $($body)* }
    };
    (
        @write $sparse:literal $(#[$($outer:tt)*])* pub struct $name:ident {
            $($(#[$($inner:tt)*])* pub $field:ident: $type:ty,)+
        }
    ) => {
        impl $crate::json::Json for $name {
            fn write(&self, out: &mut String) {
                let names = concat!($(stringify!($field), " "),+);
                $crate::json::object(out, $sparse, names, &[$(&self.$field),+]);
            }
        }
    };
    (sparse: $($item:tt)+) => {
        $crate::json::data!(@declare $($item)+);
        $crate::json::data!(@write true $($item)+);
    };
    ($($item:tt)+) => {
        $crate::json::data!(@declare $($item)+);
        $crate::json::data!(@write false $($item)+);
    };
}
pub(crate) use data;
