//! The experiments in words: what each is called, what it sets, what it claims, what it studies.

use super::words::Words;
use at_least_once::lesson::experiments::claim::{Claim, Expect};
use at_least_once::lesson::experiments::{EXPERIMENTS, Experiment};
use at_least_once::lesson::session::Session;
use at_least_once::lesson::studies::StudyPart;
use at_least_once::sim::settings::Refusal;
use at_least_once::units::{Cents, span_text};

/// Every experiment.
pub(super) fn list(words: &Words) -> String {
    EXPERIMENTS.iter().map(|experiment| entry(experiment, words)).collect()
}

fn entry(experiment: &Experiment, words: &Words) -> String {
    let id = experiment.id;
    let mut out = format!("{id}: {}\n", words.title(id));
    out += &format!("  sets {}\n", assignments(experiment.defaults));
    out += &format!("  shows {}\n", experiment.shows.join(", "));
    if !experiment.studies.is_empty() {
        let studies: Vec<&str> = experiment.studies.iter().map(|study| study.id).collect();
        out += &format!("  studies {}\n", studies.join(", "));
    }
    out += "  claims\n";
    out + &experiment.claims().iter().map(claim).collect::<String>()
}

fn claim(claim: &Claim) -> String {
    let expected: Vec<String> = claim.expect.iter().map(|it| expectation(*it)).collect();
    let (path, text) = claim.broken_by;
    let given = assignments(claim.given);
    format!("    {given}: {} (not with {path}={text})\n", expected.join(", "))
}

fn assignments(given: &[(&str, &str)]) -> String {
    if given.is_empty() {
        return "as it is".to_owned();
    }
    let all: Vec<String> = given.iter().map(|(path, text)| format!("{path}={text}")).collect();
    all.join(", ")
}

fn expectation(expect: Expect) -> String {
    let moments = |moments: &[u64]| {
        let texts: Vec<String> = moments.iter().map(|ms| span_text(ms * 1000)).collect();
        texts.join(", ")
    };
    match expect {
        Expect::LedgerRows(rows) => format!("{rows} ledger rows"),
        Expect::Payments(payments) => format!("{payments} payments"),
        Expect::PaidCents(cents) => format!("{} paid", Cents::from_cents(cents).money_text()),
        Expect::Ok(true) => "ok".to_owned(),
        Expect::Ok(false) => "not ok".to_owned(),
        Expect::Starts(starts) => format!("starts at {}", moments(starts)),
        Expect::StartsWithoutEnd(starts) => format!("starts at {}, without end", moments(starts)),
        Expect::Count(code, count) => format!("{count} × {code}"),
        Expect::InStudy { id, series, x, from, to } => {
            let text = |hundredths| Cents::from_cents(hundredths).money_text();
            format!("study {id}: {series} at {x} from {} to {}", text(from), text(to))
        }
    }
}

/// A study as a table: a row for each x, a column for each series.
pub(super) fn study(session: &Session, id: &str) -> Result<String, Refusal> {
    let whole = session.experiment().study(id)?.whole(session.settings());
    let mut rows: Vec<u64> =
        whole.series.iter().flat_map(|series| &series.points).map(|point| point[0]).collect();
    rows.sort_unstable();
    rows.dedup();
    let mut out = format!("{:>14}", whole.x.name);
    out.extend(whole.series.iter().map(|series| format!("{:>14}", series.id)));
    out.push('\n');
    for x in rows {
        let place = usize::try_from(x).ok().and_then(|x| whole.places.get(x));
        let row = place.map_or_else(|| quantity(x, whole.x.unit), |place| (*place).to_owned());
        out += &format!("{row:>14}");
        for series in &whole.series {
            let text = series.at(x).map_or("–".to_owned(), |y| value(&whole, y));
            out += &format!("{text:>14}");
        }
        out.push('\n');
    }
    Ok(out)
}

/// A value of the study: in its unit, or with two digits where it is a mean.
fn value(study: &StudyPart, sum: u64) -> String {
    let scale = u64::from(study.y.scale);
    match (study.y.unit, scale) {
        ("ms", _) => quantity(sum / scale, "ms"),
        (_, 1) => sum.to_string(),
        _ => Cents::from_cents(sum * 100 / scale).money_text(),
    }
}

fn quantity(number: u64, unit: &str) -> String {
    if unit == "ms" { span_text(number * 1000) } else { number.to_string() }
}
