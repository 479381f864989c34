//! The core as its users see it, in one binary.
//!
//! * `as_set` – the explorer with the timings kept, held against play.
//! * `calls` – calls of workers and relays: how often, from when they may go wrong, what is drawn.
//! * `chapters` – what each chapter claims, played; its studies; its tasks.
//! * `double_refund` – the first experiment: its claims, its goldens, each fault point.
//! * `semantics` – small schedules with the outcome that each must have.
//! * `drivers` – play, the fast path, any order, and links: one world under all of them.
//! * `crosscheck` – the explorer's states against those of an independent checker.
//! * `keys` – which worlds a search takes for the same.
//! * `timings` – the explorer with the timings kept, and its bounds.
//! * `going_on` – a worker behind a checkpoint: its transaction, its connection, its key.
//! * `two_refunds` – a job that makes two: every design, with one crash wherever there can be one.
//! * `determinism` – the same run again, event by event; writes the traces that the shipped
//!   wasm is compared with under Node and in the browsers.
//! * `settings` – every row of the table, from text and back.
//! * `profiles` – brokers and vendors by name: what their documents say, and what then happens.
//! * `terminal` – the binary: its story, its data, what it refuses.
//! * `vendor_side` – the vendor's capacity, waits between calls, what is over before its instant.
//! * `leaving` – what a task has in the calendar goes with it.
//! * `sight` – what a worker can see of the run that it is in.
//! * `view` – moments of a run, the link of a moment.
//! * `words` – every code has its sentence.
//! * `strip` – the points that a slice offers for a fault.
//! * `site` – the pages around the lab: chapters, words, what is simulated.
//! * `json` – the small writer of JSON says what `serde_json` says.
//! * `picture` – bars, marks, leases and the depth of the queue, held against the world.
//! * `layers` – imports point one way; the docs name files that are there.

mod as_set;
mod calls;
mod chapters;
mod counting;
mod crosscheck;
mod designs;
mod determinism;
mod double_refund;
mod drivers;
mod generate;
mod going_on;
mod json;
mod keys;
mod layers;
mod leaving;
mod picture;
mod profiles;
mod rules_queue;
mod rules_vendor;
mod semantics;
mod settings;
mod sight;
mod site;
mod strip;
mod terminal;
mod timings;
mod two_refunds;
mod vendor_side;
mod view;
mod words;
