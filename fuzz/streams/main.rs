//! Bytes are read as a scenario and as a stream of choices. The scenario comes in through the
//! texts of the settings, so it is one that a reader could have set; the stream takes any pending
//! event, with any verdict. What must hold is checked after every step.
//!
//! `CONTRIBUTING.md` says how to run it.
#![no_main]

mod bytes;
mod scenario;
mod walk;

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let given = scenario::given(&mut bytes);
    walk::walk(&given, &mut bytes);
});
