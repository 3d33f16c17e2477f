//! `boolero check`: the check under its limits, and its report.

use super::arguments::{BddName, Check, EngineName, PartialOrderName, Switch, TraceLength, Work};
use super::ending::{self, Ending, complain, is_standard};
use super::load::{self, Loaded, Refused};
use super::progress::{Notes, Progress};
use crate::bdd::BackEnd;
use crate::boolean::cfg::PropertyId;
use crate::boolean::check::InitialThreads;
use crate::checker::Outcome;
use crate::checker::{self, Options};
use crate::engine::auto::{Reductions, Wish};
use crate::engine::partial_order::PartialOrder;
use crate::engine::{Run, Threads};
use crate::ground::event::{Event, Observer};
use crate::ground::exit::Exit;
use crate::ground::limits::{self, Limits, Watchdog};
use crate::ground::reason::Stop;
use crate::report::story::Length;
use crate::report::text::{self, Colors};
use crate::report::{Report, Usage, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs the command. Ends the process itself once there is a report: tearing down large diagrams takes time.
pub fn run(arguments: &Check, output: Colors, errors: Colors) -> Exit {
    let begun =
        match enough_threads(arguments).and_then(|()| Begun::new(&arguments.input.file, &arguments.work)) {
            Ok(begun) => begun,
            Err(exit) => return exit,
        };
    let loaded = load::program(&arguments.input, errors);
    begun.stop_if_raised();
    let asked = loaded.map_err(|Refused(exit)| exit).and_then(|loaded| {
        let options = options(arguments, &loaded)?;
        Ok((loaded, options))
    });
    let (loaded, options) = match asked {
        Ok(asked) => asked,
        Err(exit) => {
            withdraw_json(&arguments.work);
            return exit;
        }
    };
    let outcome = checker::check_program(&loaded.program, &options, begun.work());
    let usage = begun.usage(&arguments.work);
    report(arguments, &loaded, &outcome, usage, output);
    super::end(&outcome.overall())
}

/// A run that has begun: under its limits, with progress, ready to end at any time.
pub(super) struct Begun {
    start: Instant,
    limits: Limits,
    progress: Arc<Progress>,
}

impl Begun {
    /// Begins a run.
    ///
    /// # Errors
    /// The report cannot be written.
    pub(super) fn new(file: &Path, work: &Work) -> Result<Self, Exit> {
        let start = Instant::now();
        let limits = Limits::new(work.timeout, work.memory);
        let progress = Progress::start(if work.verbose { Notes::Shown } else { Notes::Hidden });
        ending::register(Ending {
            file: file.display().to_string(),
            json: work.json.clone(),
            progress: progress.clone(),
        });
        reserve_json(work)?;
        guard(&limits);
        progress.event(Event::Phase("reading".to_owned()));
        Ok(Self { start, limits, progress })
    }

    /// A run that was stopped while it read ends as it would anywhere else.
    pub(super) fn stop_if_raised(&self) {
        if let Some(stop) = self.limits.raised() {
            ending::broken_off(&stop.to_string(), exit_of(&stop));
        }
    }

    /// What the work is given. From now on an interrupt waits for its result.
    pub(super) fn work(&self) -> Run<'_> {
        AT_ONCE.store(false, Ordering::SeqCst);
        Run { limits: &self.limits, observer: &*self.progress }
    }

    /// The work is done: what it took, if that is to be told.
    pub(super) fn usage(&self, work: &Work) -> Option<Usage> {
        self.progress.event(Event::Phase("report".to_owned()));
        let usage = Usage { elapsed: self.start.elapsed(), memory: limits::peak_memory() };
        work.stats.then_some(usage)
    }
}

/// Whether an interrupt ends the process without waiting for the work.
static AT_ONCE: AtomicBool = AtomicBool::new(true);

/// Starts the watchdog and listens to interrupts.
fn guard(limits: &Limits) {
    let interrupted = limits.clone();
    let handler = move || {
        // The second time at once; and while there is nothing to report yet.
        if AT_ONCE.swap(true, Ordering::SeqCst) {
            ending::at_once("interrupted", Exit::Interrupted);
        }
        interrupted.interrupt();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        complain(&format!("interrupts will end the run without a result: {error}"));
    }
    Watchdog::start(limits, |stop| ending::broken_off(&stop.to_string(), exit_of(&stop)));
}

fn exit_of(stop: &Stop) -> Exit {
    if *stop == Stop::Interrupted { Exit::Interrupted } else { Exit::Unknown }
}

/// A bound that leaves no room for the initial threads contradicts them.
fn enough_threads(arguments: &Check) -> Result<(), Exit> {
    match (arguments.input.initial_threads, arguments.work.threads) {
        (InitialThreads::Exactly(initial), Threads::AtMost(bound)) if initial > bound => {
            complain(&format!(
                "`--initial-threads {initial}` starts more threads than `--threads {bound}` allows; \
                 raise the bound to at least {initial}, or leave `--threads` out"
            ));
            Err(Exit::Usage)
        }
        _ => Ok(()),
    }
}

/// Finds out before the work whether the JSON report can be written.
fn reserve_json(work: &Work) -> Result<(), Exit> {
    match &work.json {
        Some(path) if !is_standard(path) => std::fs::write(path, "").map_err(|error| {
            complain(&format!("cannot write `{}`: {error}", path.display()));
            Exit::Usage
        }),
        _ => Ok(()),
    }
}

/// There will be no report: leaves no empty file behind, which is no JSON.
pub(super) fn withdraw_json(work: &Work) {
    if let Some(path) = &work.json
        && std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
    {
        // If it cannot be removed, it stays empty.
        let _ = std::fs::remove_file(path);
    }
}

fn options(arguments: &Check, loaded: &Loaded) -> Result<Options, Exit> {
    let properties =
        if arguments.work.property.is_empty() { None } else { Some(properties(arguments, loaded)?) };
    Ok(engines(&arguments.work, properties))
}

/// How Boolean programs are checked.
pub(super) fn engines(work: &Work, properties: Option<Vec<PropertyId>>) -> Options {
    let engine = match work.engine {
        EngineName::Auto => Wish::Auto,
        EngineName::Explicit => Wish::Explicit,
        EngineName::Summary => Wish::Summary,
        EngineName::Counter => Wish::Counter,
        EngineName::Interleaving => Wish::Interleaving,
        EngineName::KarpMiller => Wish::KarpMiller,
        EngineName::Backward => Wish::Backward,
        EngineName::Cutoff => Wish::Cutoff,
    };
    let back_end = match work.bdd {
        BddName::Biodivine => BackEnd::Biodivine,
        BddName::Oxidd => BackEnd::Oxidd,
    };
    let reductions = match work.reduce {
        Switch::On => Reductions::On,
        Switch::Off => Reductions::Off,
    };
    let partial_order = match work.por {
        PartialOrderName::None => PartialOrder::None,
        PartialOrderName::Local => PartialOrder::Local,
        PartialOrderName::Ample => PartialOrder::Ample,
        PartialOrderName::Persistent => PartialOrder::Persistent,
        PartialOrderName::Cartesian => PartialOrder::Cartesian,
    };
    Options { engine, back_end, reductions, partial_order, threads: work.threads, properties }
}

/// The properties with the ids that were asked for, in source order.
fn properties(arguments: &Check, loaded: &Loaded) -> Result<Vec<PropertyId>, Exit> {
    let known = &loaded.program.properties;
    for id in &arguments.work.property {
        if !known.iter().any(|property| property.name == *id) {
            let file = loaded.source.name();
            complain(&format!("`{file}` has no property `{id}`; `boolero list {file}` tells the properties"));
            return Err(Exit::Usage);
        }
    }
    let asked = known.enumerate().filter(|(_, property)| arguments.work.property.contains(&property.name));
    Ok(asked.map(|(id, _)| id).collect())
}

/// Writes the report. It is made before the output is claimed: until then the limits hold.
fn report(arguments: &Check, loaded: &Loaded, outcome: &Outcome, usage: Option<Usage>, output: Colors) {
    let trace = length(&arguments.work);
    let report = Report { source: &loaded.source, program: &loaded.program, outcome, trace, usage };
    let line = || text::result_line(&outcome.overall(), output);
    deliver(&arguments.work, || json::report(&report), || text::report(&report, output), line);
}

/// How much of counterexamples is to be told.
pub(super) fn length(work: &Work) -> Option<Length> {
    match work.trace {
        TraceLength::None => None,
        TraceLength::Short => Some(Length::Short),
        TraceLength::Full => Some(Length::Full),
    }
}

/// Writes what is asked for: a document, a text, its last line.
pub(super) fn deliver(
    work: &Work,
    document: impl FnOnce() -> String,
    text: impl FnOnce() -> String,
    last_line: impl FnOnce() -> String,
) {
    let document = work.json.as_ref().map(|path| (path, document()));
    let only_json = work.json.as_ref().is_some_and(|path| is_standard(path));
    let text = match () {
        () if only_json => String::new(),
        () if work.quiet => last_line(),
        () => text(),
    };
    ending::claim();
    match document {
        Some((path, document)) if is_standard(path) => ending::print(&document),
        Some((path, document)) => {
            if let Err(error) = std::fs::write(path, document) {
                complain(&format!("cannot write `{}`: {error}", path.display()));
            }
        }
        None => {}
    }
    ending::print(&text);
}
