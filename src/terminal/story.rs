//! A run as a story: a sentence an event, then what it amounts to.

use super::words::Words;
use at_least_once::lesson::session::Session;
use at_least_once::sim::report::{AttemptReport, Outcome, Verdict};
use at_least_once::units::{Cents, Span, span_text};

/// Tells a session's run.
pub(crate) fn tell(session: &Session, words: &Words) -> String {
    let experiment = session.experiment().id;
    let mut out = format!("{}\n{}\n\n", words.title(experiment), session.link().replace('&', "  "));
    for record in session.records() {
        out += &format!("{:>14}  {}\n", span_text(record.at_us), words.sentence(&record));
    }
    let is_cut = session.summary().ended == "cut";
    if is_cut {
        out += "                The run was cut here: it has no end within its budget.\n";
    }
    let report = session.report(usize::MAX);
    let scenario = session.scenario();
    out += "\nAttempts\n";
    let head = ["job", "attempt", "worker", "new write", "backoff", "ended"].map(str::to_owned);
    let attempts = report.attempts.iter().map(|attempt| {
        let by = attempt.by;
        [
            scenario.job_id(by.job),
            by.attempt.to_string(),
            by.worker.to_string(),
            attempt.new_write.map_or("null".to_owned(), |new| new.to_string()),
            wait_after(attempt),
            words.outcome(&outcome_code(attempt)),
        ]
    });
    out += &table(&std::iter::once(head).chain(attempts).collect::<Vec<_>>());
    out += "\nLedger\n";
    for line in &report.ledger {
        let again = if line.again { "  again" } else { "" };
        let (number, cents, key) = (line.row, line.cents, scenario.key_text(line.by.key));
        out += &format!("  {number}  {cents:>8}  {key}{again}\n");
    }
    if report.ledger.is_empty() {
        out += "  no rows\n";
    }
    if verdict_has_vendor(&report.verdict) {
        out += "\nVendor ledger\n";
        for line in &report.payments {
            let again = if line.again { "  again" } else { "" };
            let (number, cents, key) = (line.payment, line.cents, scenario.key_text(line.key));
            out += &format!("  {number}  {cents:>8}  {key}{again}\n");
        }
        if report.payments.is_empty() {
            out += "  no payments\n";
        }
    }
    let verdict = report.verdict;
    let money = |cents| Cents::from_cents(cents).money_text();
    let (paid, owed) = (money(verdict.paid_cents), money(verdict.owed_cents));
    let judged = if verdict.ok { "ok" } else { "not ok" };
    // What has no end is not judged as a whole.
    let name = if is_cut { "Verdict so far" } else { "Verdict" };
    out += &format!("\n{name}: {judged}. Paid {paid}, owed {owed}.\n");
    out
}

/// The wait for the next attempt, or for the dead letters after the last.
fn wait_after(attempt: &AttemptReport) -> String {
    match (attempt.backoff, attempt.wait_to_dead) {
        (Some(wait), _) => wait.to_string(),
        (None, None) => "–".to_owned(),
        (None, Some(Span::ZERO)) => "dead".to_owned(),
        (None, Some(wait)) => format!("{wait}, dead"),
    }
}

fn verdict_has_vendor(verdict: &Verdict) -> bool {
    verdict.vendor_rows.is_some()
}

fn outcome_code(attempt: &AttemptReport) -> String {
    match attempt.outcome {
        Outcome::Crashed(point) => format!("crashed.{}", point.name()),
        other => other.name().to_owned(),
    }
}

/// Rows whose columns are as wide as their longest cell.
fn table<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let length = |row: &[String; COLUMNS], column: usize| row[column].chars().count();
    let widths: [usize; COLUMNS] =
        std::array::from_fn(|column| rows.iter().map(|row| length(row, column)).max().unwrap_or(0));
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:<width$}"));
        out += &format!("{}\n", cells.collect::<String>().trim_end());
    }
    out
}
