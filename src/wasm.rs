//! The only file that knows JavaScript: one exported class and a few functions.
//!
//! Whatever comes in is checked before the core sees it, so that a trap is a bug of ours and
//! never a reader's typing error. 64-bit numbers cross as decimal strings or as checked numbers.

use crate::json::{self, Json};
use crate::lesson::experiments::EXPERIMENTS;
use crate::lesson::picture::Depth;
use crate::lesson::program::ProgramLine;
use crate::lesson::sight::Sight;
use crate::lesson::view::{SettingInfo, VariantInfo, View};
use crate::sim::settings::Refusal;
use crate::units::{Cents, Moment, Span, WorkerId};
use wasm_bindgen::prelude::*;

/// The largest whole number that a script's number holds exactly.
const MOST_EXACT: u64 = (1 << 53) - 1;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** An Error that says no to a value, with all that is needed to put it right. */
export interface RefusalError extends Error, Refusal { name: 'Refusal' }
";

// The few functions of the script's world that are used here. `catch` stands where an object of the
// page's can throw: without it the stack would be left as it was at that moment.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);

    #[wasm_bindgen(js_namespace = JSON)]
    fn parse(text: &str) -> JsValue;

    #[wasm_bindgen(catch, js_name = String)]
    fn shown(value: &JsValue) -> Result<String, JsValue>;

    type Entries;

    #[wasm_bindgen(catch, js_namespace = Object, js_name = entries)]
    fn entries_of(object: &JsValue) -> Result<Entries, JsValue>;

    /// Each name, and behind it its value.
    #[wasm_bindgen(method)]
    fn flat(this: &Entries) -> Vec<JsValue>;

    #[wasm_bindgen(js_namespace = Object)]
    fn assign(to: &JsValue, from: &JsValue);
}

#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        error(&info.to_string());
    }));
}

/// The version of this module.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// A seed from the system's randomness, in decimal. The only chance in the whole project.
///
/// # Errors
///
/// Throws where the system has no randomness to give.
#[wasm_bindgen]
pub fn new_seed() -> Result<String, JsValue> {
    // Nine digits are seed enough, and short enough to be read out.
    let drawn = getrandom::u64().map_err(|_| JsError::new("the system has no randomness"))?;
    Ok((drawn % 1_000_000_000).to_string())
}

/// A length of time as it is written everywhere: `2.4 s`, `5 min`. Takes microseconds.
///
/// # Errors
///
/// Throws a `RefusalError` for anything but a whole number of microseconds.
#[wasm_bindgen]
pub fn span_text(
    #[wasm_bindgen(unchecked_param_type = "number")] us: JsValue,
) -> Result<String, JsValue> {
    Ok(crate::units::span_text(whole("us", &us, MOST_EXACT, "us")?))
}

/// An amount of money as it is written everywhere: `19.99`. Takes cents.
///
/// # Errors
///
/// Throws a `RefusalError` for anything but a whole number of cents.
#[wasm_bindgen]
pub fn money_text(
    #[wasm_bindgen(unchecked_param_type = "number")] cents: JsValue,
) -> Result<String, JsValue> {
    Ok(Cents::from_cents(whole("cents", &cents, MOST_EXACT, "cents")?).money_text())
}

/// An experiment with its settings and the run that they give.
#[wasm_bindgen]
pub struct Session {
    inner: crate::lesson::Session,
}

#[wasm_bindgen]
impl Session {
    /// Opens an experiment, with some settings other than its defaults.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for an experiment or a setting that is not known, and for a value
    /// that is not allowed.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "string")] experiment: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
    ) -> Result<Self, JsValue> {
        let experiment = text("experiment", &experiment)?;
        let given = entries(&settings)?;
        let given: Vec<(&str, &str)> =
            given.iter().map(|(path, text)| (&**path, &**text)).collect();
        let inner = crate::lesson::Session::new(&experiment, &given).map_err(thrown)?;
        Ok(Self { inner })
    }

    /// Opens a link: what follows the `#` in an address that [`Session::link`] has made.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` of the field `link` for one that is damaged, too long or of a newer
    /// version.
    pub fn open(
        #[wasm_bindgen(unchecked_param_type = "string")] link: JsValue,
    ) -> Result<Self, JsValue> {
        let inner = crate::lesson::Session::open(&text("link", &link)?).map_err(thrown)?;
        Ok(Self { inner })
    }

    /// The ids of the experiments, in the order of the chapters.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    #[must_use]
    pub fn experiments() -> JsValue {
        let ids: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.id).collect();
        out(&ids)
    }

    /// The table of settings, with the values in force.
    #[wasm_bindgen(unchecked_return_type = "SettingInfo[]")]
    #[must_use]
    pub fn settings(&self) -> JsValue {
        out(&SettingInfo::table(&self.inner))
    }

    /// Gives a setting another value, as text, and plays again.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError`; the session is then as it was.
    pub fn set(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] path: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] value: JsValue,
    ) -> Result<(), JsValue> {
        let path = text("setting", &path)?;
        let value = text(&path, &value)?;
        #[cfg(feature = "trap")]
        assert!((&*path, &*value) != ("seed", "13"), "the injected fault");
        self.inner.set(&path, &value).map_err(thrown)
    }

    /// Gives a setting the experiment's default back, and plays again.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for a setting that is not known.
    pub fn reset(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] path: JsValue,
    ) -> Result<(), JsValue> {
        self.inner.reset(&text("setting", &path)?).map_err(thrown)
    }

    /// What the whole run amounts to.
    #[wasm_bindgen(unchecked_return_type = "RunSummary")]
    #[must_use]
    pub fn summary(&self) -> JsValue {
        out(&self.inner.summary())
    }

    /// The timeline's bars, eight numbers each: lane, kind (a `BarKind`), start and end in
    /// microseconds, job, attempt, event, flags (1: the lease was over; 2: a crash cut it short).
    #[must_use]
    pub fn bars(&self) -> Vec<f64> {
        flat(&self.inner.picture().bars, |bar| {
            [
                f64::from(bar.lane),
                f64::from(bar.kind as u32),
                number(bar.start.as_micros()),
                number(bar.end.as_micros()),
                f64::from(bar.job.0),
                f64::from(bar.attempt),
                f64::from(bar.event),
                f64::from(u8::from(bar.late) | u8::from(bar.cut) << 1),
            ]
        })
    }

    /// The timeline's marks, seven numbers each: lane, kind (a `MarkKind`), moment in
    /// microseconds, job, attempt, event, and the lane where something goes; -1 for none.
    #[must_use]
    pub fn marks(&self) -> Vec<f64> {
        flat(&self.inner.picture().marks, |mark| {
            [
                f64::from(mark.lane),
                f64::from(mark.kind as u32),
                number(mark.at.as_micros()),
                mark.job.map_or(-1.0, |job| f64::from(job.0)),
                mark.attempt.map_or(-1.0, f64::from),
                f64::from(mark.event),
                mark.to_lane.map_or(-1.0, f64::from),
            ]
        })
    }

    /// The leases, nine numbers each: lane, job, attempt, start, deadline as last extended and end
    /// in microseconds, receipt, the event that began it and the one that ended it; -1 for none.
    #[must_use]
    pub fn leases(&self) -> Vec<f64> {
        flat(&self.inner.picture().leases, |lease| {
            [
                f64::from(lease.lane),
                f64::from(lease.job.0),
                f64::from(lease.attempt),
                number(lease.from.as_micros()),
                number(lease.deadline.as_micros()),
                number(lease.ended.as_micros()),
                f64::from(lease.receipt),
                f64::from(lease.event_from),
                lease.event_to.map_or(-1.0, f64::from),
            ]
        })
    }

    /// The depth of the queue, six numbers a moment at which it changes: the moment in
    /// microseconds, and how many messages are ready, leased, waiting, done and dead from then on.
    #[must_use]
    pub fn depth(&self) -> Vec<f64> {
        let steps = self.inner.picture().depth.chunk_by(|left, right| left.at == right.at);
        flat(steps.filter_map(<[_]>::last), |step| {
            let Depth { ready, leased, waiting, done, dead } = step.depth;
            let [ready, leased, waiting, done, dead] =
                [ready, leased, waiting, done, dead].map(f64::from);
            [number(step.at.as_micros()), ready, leased, waiting, done, dead]
        })
    }

    /// Simulated time as playing time, two numbers a point: the moment in microseconds, the
    /// playing time until then in milliseconds. Between two points it is a straight line.
    #[must_use]
    pub fn axis(&self) -> Vec<f64> {
        let points = &self.inner.picture().axis.points;
        flat(points, |point| [number(point.at_us), f64::from(point.play_ms)])
    }

    /// The stretches of the axis that were cut short, two numbers each: from and to, in
    /// microseconds.
    #[must_use]
    pub fn breaks(&self) -> Vec<f64> {
        let breaks = &self.inner.picture().axis.breaks;
        flat(breaks, |(from, to)| [number(*from), number(*to)])
    }

    /// The run's events from one position to before another, counted from 0; those that there
    /// are.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for anything but whole numbers.
    #[wasm_bindgen(unchecked_return_type = "EventRecord[]")]
    pub fn events(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] from: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] to: JsValue,
    ) -> Result<JsValue, JsValue> {
        let position = |field, value: &JsValue| whole(field, value, u32::MAX.into(), "events");
        let (from, to) = (position("from", &from)?, position("to", &to)?);
        let place = |number| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(out(&self.inner.records_between(place(from), place(to))))
    }

    /// The state after the run's first `cursor` events.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for anything but a whole number.
    #[wasm_bindgen(unchecked_return_type = "View")]
    pub fn view(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] cursor: JsValue,
    ) -> Result<JsValue, JsValue> {
        Ok(out(&View::new(&self.inner, self.cursor(&cursor)?)))
    }

    /// What a worker, counted from 0, can see after the run's first `cursor` events, and what it
    /// has no trace of.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for anything but whole numbers, and for a worker that is not there.
    #[wasm_bindgen(unchecked_return_type = "Sight")]
    pub fn sight(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] cursor: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] worker: JsValue,
    ) -> Result<JsValue, JsValue> {
        let most = self.inner.scenario().crew.count - 1;
        let number = whole("worker", &worker, most.into(), "workers")?;
        let worker = WorkerId(u16::try_from(number).unwrap_or(most));
        Ok(out(&Sight::new(&self.inner, self.cursor(&cursor)?, worker)))
    }

    /// The steps of a slice, in order.
    #[wasm_bindgen(unchecked_return_type = "ProgramLine[]")]
    #[must_use]
    pub fn program(&self) -> JsValue {
        out(&ProgramLine::all(&self.inner))
    }

    /// How many of the run's first events are those of the run before the last change of a
    /// setting; null if there was none.
    #[wasm_bindgen(unchecked_return_type = "number | null")]
    #[must_use]
    pub fn forked_at(&self) -> JsValue {
        out(&self.inner.forked_at())
    }

    /// The cursor that the link named which opened this session; null if none did.
    #[wasm_bindgen(unchecked_return_type = "number | null")]
    #[must_use]
    pub fn opened_at(&self) -> JsValue {
        out(&self.inner.opened_at())
    }

    /// The answer of this run to the experiment's question.
    #[must_use]
    pub fn asked(&self) -> f64 {
        number(self.inner.asked())
    }

    /// How many events have happened at this moment or before, in microseconds.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for anything but a whole number.
    pub fn cursor_at(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] us: JsValue,
    ) -> Result<usize, JsValue> {
        let moment = Moment::ZERO.after(Span::from_micros(whole("us", &us, MOST_EXACT, "us")?));
        Ok(self.inner.run().trace.count_until(moment))
    }

    /// The moment of the last of the first `cursor` events, in microseconds; 0 for none.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for anything but a whole number.
    pub fn at_us(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] cursor: JsValue,
    ) -> Result<f64, JsValue> {
        Ok(number(self.inner.moment_at(self.cursor(&cursor)?).as_micros()))
    }

    /// The canonical text of the run: one line an event, the same bytes on every engine.
    #[must_use]
    pub fn trace(&self) -> String {
        self.inner.trace()
    }

    /// What is played, as a line of text for the fragment of an address; with a cursor, that
    /// moment of it.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for anything but a whole number, or nothing.
    pub fn link(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] cursor: JsValue,
    ) -> Result<String, JsValue> {
        Ok(match cursor.is_undefined() {
            true => self.inner.link(),
            false => self.inner.link_at(self.cursor(&cursor)?),
        })
    }

    /// Which of the experiment's tasks the whole run fulfils, in order.
    #[wasm_bindgen(unchecked_return_type = "boolean[]")]
    #[must_use]
    pub fn tasks(&self) -> JsValue {
        out(&self.inner.tasks())
    }

    /// The experiment's variants: what it puts side by side.
    #[wasm_bindgen(unchecked_return_type = "VariantInfo[]")]
    #[must_use]
    pub fn variants(&self) -> JsValue {
        out(&VariantInfo::all(self.inner.experiment()))
    }

    /// The names of the experiment's studies.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    #[must_use]
    pub fn studies(&self) -> JsValue {
        let studies = self.inner.experiment().studies.iter();
        out(&studies.map(|study| study.id).collect::<Vec<_>>())
    }

    /// Plays a part of a study, starting from the settings in force.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for a study that is not known, and for anything but a whole number.
    #[wasm_bindgen(unchecked_return_type = "StudyPart")]
    pub fn study(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] id: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] part: JsValue,
    ) -> Result<JsValue, JsValue> {
        let part = whole("part", &part, u32::MAX.into(), "parts")?;
        let part = u32::try_from(part).unwrap_or(u32::MAX);
        Ok(out(&self.inner.study(&text("study", &id)?, part).map_err(thrown)?))
    }

    /// Plays `runs` seeds, counted up from the one in force, without recording.
    ///
    /// # Errors
    ///
    /// Throws a `RefusalError` for anything but a whole number of at most a million.
    #[wasm_bindgen(unchecked_return_type = "SweepTotals")]
    pub fn sweep(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] runs: JsValue,
    ) -> Result<JsValue, JsValue> {
        let most = u64::from(crate::lesson::session::MOST_RUNS);
        let runs = u32::try_from(whole("runs", &runs, most, "runs")?).unwrap_or(u32::MAX);
        Ok(out(&self.inner.sweep(runs).map_err(thrown)?))
    }
}

impl Session {
    fn cursor(&self, value: &JsValue) -> Result<usize, JsValue> {
        let most = self.inner.run().trace.entries().len();
        let cursor = whole("cursor", value, most as u64, "events")?;
        Ok(usize::try_from(cursor).unwrap_or(most))
    }
}

/// Data as a script's own: its types are declared from the same structs.
fn out(value: &dyn Json) -> JsValue {
    parse(&json::text(value))
}

/// The numbers of all rows, one row after the other.
fn flat<'a, T: 'a, const N: usize>(
    rows: impl IntoIterator<Item = &'a T>,
    numbers: impl Fn(&T) -> [f64; N],
) -> Vec<f64> {
    let mut flat = Vec::new();
    for row in rows {
        flat.extend_from_slice(&numbers(row));
    }
    flat
}

/// A moment or a span as a script's number; runs are cut long before it would not be exact.
#[expect(clippy::cast_precision_loss, reason = "a run is cut at 100 years, which is below 2^53 us")]
fn number(micros: u64) -> f64 {
    micros.min(MOST_EXACT) as f64
}

fn text(field: &str, value: &JsValue) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| refuse(field, value, "a text", ""))
}

/// A whole number from 0 to `most`.
fn whole(field: &str, value: &JsValue, most: u64, unit: &str) -> Result<u64, JsValue> {
    let whole = value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    match whole {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked: whole, not negative, and a cast from above saturates"
        )]
        Some(number) if number as u64 <= most => Ok(number as u64),
        _ => Err(refuse(field, value, &format!("a whole number from 0 to {most}"), unit)),
    }
}

/// The entries of a plain object of texts, in its order.
fn entries(settings: &JsValue) -> Result<Vec<(String, String)>, JsValue> {
    if !settings.is_object() {
        return Err(refuse("settings", settings, "an object of paths and texts", ""));
    }
    let mut entries = Vec::new();
    for entry in entries_of(settings)?.flat().chunks(2) {
        let path = text("setting", &entry[0])?;
        let value = text(&path, &entry[1])?;
        entries.push((path, value));
    }
    Ok(entries)
}

fn refuse(field: &str, value: &JsValue, limit: &str, unit: &str) -> JsValue {
    let shown = shown(value).unwrap_or_default();
    thrown(Refusal::new(field, &shown, limit, unit))
}

/// A refusal as a script's error.
fn thrown(refusal: Refusal) -> JsValue {
    let error = JsValue::from(JsError::new(&refusal.to_string()));
    assign(&error, &parse(r#"{"name":"Refusal"}"#));
    assign(&error, &out(&refusal));
    error
}
