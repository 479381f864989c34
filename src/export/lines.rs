//! The canonical text of a run: one line an event, `name=value` fields in a fixed order.
//!
//! The goldens are made of it, and the check that a run is the same natively and in every
//! browser compares it byte by byte.

use crate::json::write_to;
use crate::sim::play::Run;
use crate::sim::record::EventRecord;
use crate::sim::scenario::Scenario;

/// Writes a run as lines.
///
/// ```
/// use at_least_once::export::lines;
/// use at_least_once::sim::{play::play, scenario::Scenario, settings::Settings};
/// use std::sync::Arc;
///
/// let scenario = Arc::new(Scenario::new(&Settings::default()));
/// let text = lines::text(&play(&scenario, &[]), &scenario);
/// assert!(text.starts_with("0 sent job=job_17\n0 leased worker=A job=job_17 attempt=0"));
/// ```
#[must_use]
pub fn text(run: &Run, scenario: &Scenario) -> String {
    let mut out = String::new();
    for entry in run.trace.entries() {
        line(&entry.event.record(entry.at, scenario), &mut out);
    }
    for broken in &run.broken {
        field("broken", Some(broken.property.name()), &mut out);
        field(" at", Some(broken.at.as_micros()), &mut out);
        out.push('\n');
    }
    field("ended", Some(run.ended.name()), &mut out);
    out.push('\n');
    out
}

fn line(record: &EventRecord, out: &mut String) {
    write_to(out, format_args!("{} {}", record.at_us, record.event));
    if let Some(detail) = record.detail {
        write_to(out, format_args!(".{detail}"));
    }
    field(" worker", record.worker.as_deref(), out);
    field(" job", record.job_id.as_deref(), out);
    field(" attempt", record.attempt, out);
    field(" key", record.key.as_deref(), out);
    field(" receipt", record.receipt, out);
    field(" deadline", record.deadline_us, out);
    field(" copy", record.copy, out);
    field(" relay", record.relay, out);
    field(" status", record.status, out);
    field(" token", record.token, out);
    field(" row", record.row, out);
    field(" cents", record.cents, out);
    field(" point", record.point, out);
    field(" wait", record.wait_us, out);
    out.push('\n');
}

fn field(name: &str, value: Option<impl std::fmt::Display>, out: &mut String) {
    if let Some(value) = value {
        write_to(out, format_args!("{name}={value}"));
    }
}
