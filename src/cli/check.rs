//! `boolero check`: the check under its limits, and its report.

use super::arguments::{BddName, Check, EngineName, PartialOrderName, Switch, TraceLength, Work};
use super::ending::{self, Ending, complain, is_standard};
use super::load::{self, Refused};
use super::progress::{Notes, Progress};
use super::reports::{asked, settings};
use crate::api::{self, BooleanInput, Checked, CheckedProgram, CheckingOptions, Observer};
use crate::bdd::BackEnd;
use crate::boolean::check::InitialThreads;
use crate::checker::Options;
use crate::engine::Threads;
use crate::engine::auto::{Preferences, Reductions, Wish};
use crate::engine::partial_order::PartialOrder;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::event::{Event, Observer as _};
use crate::ground::exit::Exit;
use crate::ground::limits::{self, Limits, Watchdog};
use crate::ground::reason::Stop;
use crate::ground::source::SourceFile;
use crate::report::saved::saved_check;
use crate::report::story::Length;
use crate::report::text::{self, Colors};
use crate::report::{Report, Usage, diagnostics, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Runs the command. Ends the process itself once there is a report: tearing down large diagrams takes time.
pub fn run(arguments: &Check, output: Colors, errors: Colors) -> Exit {
    let begun = possible(arguments)
        .and_then(|()| fits_engine(arguments))
        .and_then(|()| arguments.saving.possible())
        .and_then(|()| Begun::new(&arguments.input.file, &arguments.work))
        .and_then(|begun| reserve_proof(arguments).map(|()| begun));
    let begun = match begun {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    super::panic_on_demand();
    let checked = input(arguments).and_then(|input| {
        let checked = checked(arguments, &input, &begun, errors)?;
        Ok((input, checked))
    });
    let (input, checked) = match checked {
        Ok(checked) => checked,
        Err(Refused(exit)) => {
            arguments.proof.iter().for_each(|folder| api::proof::withdraw(folder));
            return begun.refused(&arguments.work, exit);
        }
    };
    let usage = begun.usage(&arguments.work);
    save(arguments, input.source(), &checked, begun.elapsed());
    report(arguments, input.source(), &checked, usage, output);
    super::end(&checked.outcome.overall())
}

/// The program that the arguments name.
fn input(arguments: &Check) -> Result<BooleanInput, Refused> {
    let source = load::source(&arguments.input.file)?;
    let (options, properties) = (load::options(&arguments.input), arguments.work.property.clone());
    Ok(BooleanInput::Program { source, options, properties })
}

fn checked(
    arguments: &Check,
    input: &BooleanInput,
    begun: &Begun,
    errors: Colors,
) -> Result<CheckedProgram, Refused> {
    let mut options = CheckingOptions { proof: arguments.proof.clone(), ..begun.checking(&arguments.work) };
    options.checker.preferences.context_bound = arguments.context_bound;
    options.checker.preferences.unrollings = arguments.unroll;
    match api::check(input, &options, &mut Telling { begun, errors }) {
        Ok(Checked::Program(checked)) => Ok(*checked),
        Ok(Checked::Net(_)) => unreachable!("it is a program"),
        Err(refusal) => Err(load::refuse(&refusal, errors)),
    }
}

/// Tells warnings and progress of a check.
pub(super) struct Telling<'a> {
    pub begun: &'a Begun,
    pub errors: Colors,
}

impl Observer for Telling<'_> {
    fn warned(&mut self, source: &SourceFile, warnings: &[Diagnostic]) {
        ending::print_error(&diagnostics::render(source, warnings, self.errors));
    }

    fn ready(&mut self) {
        self.begun.ready();
    }

    fn event(&mut self, event: Event) {
        self.begun.progress.event(event);
    }
}

/// A run that has begun: under its limits, with progress, ready to end at any time.
pub(super) struct Begun {
    start: Instant,
    limits: Limits,
    pub(super) progress: Arc<Progress>,
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
    fn stop_if_raised(&self) {
        if let Some(stop) = self.limits.raised() {
            ending::broken_off(&stop.to_string(), exit_of(&stop));
        }
    }

    /// The input was read. From now on an interrupt waits for the result of the work.
    pub(super) fn ready(&self) {
        self.stop_if_raised();
        AT_ONCE.store(false, Ordering::SeqCst);
    }

    /// The input was refused, and that has been told: there will be no report.
    pub(super) fn refused(&self, work: &Work, exit: Exit) -> Exit {
        self.stop_if_raised();
        withdraw_json(work);
        exit
    }

    /// The limits of the run.
    pub(super) fn limits(&self) -> Limits {
        self.limits.clone()
    }

    /// How Boolean programs and nets are checked.
    pub(super) fn checking(&self, work: &Work) -> CheckingOptions {
        CheckingOptions { limits: self.limits(), checker: engines(work), proof: None }
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
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

/// Options that contradict each other.
fn possible(arguments: &Check) -> Result<(), Exit> {
    if arguments.saving.outputs.witness.is_some() {
        complain(
            "`--witness` is about C programs; `--save-run` saves the run of a Boolean program, and `--proof` its proof",
        );
        return Err(Exit::Usage);
    }
    enough_threads(arguments)?;
    if arguments.context_bound.is_some() && !engines(&arguments.work).preferences.can_bound_contexts() {
        complain(
            "`--context-bound` works with the engines auto, summary, bounded and explicit; leave `--engine` out",
        );
        return Err(Exit::Usage);
    }
    if arguments.context_bound.is_some() && arguments.proof.is_some() {
        complain("`--proof` is about programs without threads; leave `--context-bound` out");
        return Err(Exit::Usage);
    }
    Ok(())
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

/// Only one engine unrolls loops and has proofs for others.
fn fits_engine(arguments: &Check) -> Result<(), Exit> {
    let message = match arguments.work.engine {
        EngineName::Bounded => return Ok(()),
        _ if arguments.unroll.is_some() => {
            "`--unroll` needs `--engine bounded`: no other engine unrolls loops"
        }
        EngineName::Cegar | EngineName::Both | EngineName::States => {
            "this engine is for C programs: use `boolero verify`, or another engine"
        }
        EngineName::Auto => return Ok(()),
        _ if arguments.proof.is_some() => "`--proof` needs `--engine bounded`: no other engine writes proofs",
        _ => return Ok(()),
    };
    complain(message);
    Err(Exit::Usage)
}

/// Finds out before the work whether there is a folder for the proof.
fn reserve_proof(arguments: &Check) -> Result<(), Exit> {
    let Some(folder) = &arguments.proof else { return Ok(()) };
    api::proof::reserve(folder).map_err(|message| {
        complain(&message);
        withdraw_json(&arguments.work);
        Exit::Usage
    })
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
fn withdraw_json(work: &Work) {
    if let Some(path) = &work.json
        && std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
    {
        // If it cannot be removed, it stays empty.
        let _ = std::fs::remove_file(path);
    }
}

/// The engine that a name stands for.
pub(super) fn wish(name: EngineName) -> Wish {
    match name {
        EngineName::Auto | EngineName::Cegar | EngineName::Both | EngineName::States => Wish::Auto,
        EngineName::Explicit => Wish::Explicit,
        EngineName::Summary => Wish::Summary,
        EngineName::Bounded => Wish::Bounded,
        EngineName::Counter => Wish::Counter,
        EngineName::Interleaving => Wish::Interleaving,
        EngineName::Induction => Wish::Induction,
        EngineName::KarpMiller => Wish::KarpMiller,
        EngineName::Backward => Wish::Backward,
        EngineName::Cutoff => Wish::Cutoff,
    }
}

/// How Boolean programs are checked.
pub(super) fn engines(work: &Work) -> Options {
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
    let engine = wish(work.engine);
    let preferences = Preferences { engine, back_end, reductions, partial_order, ..Preferences::default() };
    Options { preferences, threads: work.threads, properties: None, spoiled: super::spoiled_on_demand() }
}

/// Saves the run, and writes reports of it, if that was asked for.
fn save(arguments: &Check, source: &SourceFile, checked: &CheckedProgram, elapsed: Duration) {
    if arguments.saving.is_wanted() {
        let CheckedProgram { program, outcome } = checked;
        let report = Report { source, program, outcome, trace: None, usage: None };
        arguments.saving.write(&saved_check(&report, asked(settings(&arguments.work), elapsed)));
    }
}

/// Writes the report. It is made before the output is claimed: until then the limits hold.
fn report(
    arguments: &Check,
    source: &SourceFile,
    checked: &CheckedProgram,
    usage: Option<Usage>,
    output: Colors,
) {
    let trace = length(&arguments.work);
    let CheckedProgram { program, outcome } = checked;
    let report = Report { source, program, outcome, trace, usage };
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
