//! `boolero verify` and `boolero abstract`.

use super::arguments::{
    Abstract, AbstractionName, CProgram, EngineName, InitialName, RefineName, Switch, TraceLength, Verify,
};
use super::c;
use super::check::{Begun, deliver, engines};
use super::ending::{self, Found, complain};
use super::load::{self, Refused};
use super::reports::{asked, settings};
use crate::abstraction::{self, Abstractor};
use crate::api::witness::{Judgement, Witnessed};
use crate::api::{self, Input, Observer, Options, Setup, SoFar, Verification};
use crate::boolean::print::print as print_program;
use crate::cegar::{self, Abstracted, Certificates, Engine, Hunt, Initial, Outcome, Proven, Study};
use crate::ground::event::{Event, Observer as _, Silent};
use crate::ground::exit::Exit;
use crate::ground::limits::Limits;
use crate::ground::reason::{Defect, Reason, Stop};
use crate::ground::run::Run;
use crate::ground::verdict::Overall;
use crate::program::{Program, PropertyId, PropertyKind};
use crate::refine::Sources;
use crate::report::Usage;
use crate::report::harness::harness;
use crate::report::saved::{Recorder, saved_verification};
use crate::report::text::{Colors, result_line};
use crate::report::verify::{self as report, Length, Report};
use crate::vm::RunOutcome;
use crate::vm::choices::format;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Verifies a C program. Ends the process itself once there is a report.
pub fn run(arguments: &Verify, output: Colors) -> Exit {
    let begun = arguments.saving.possible();
    let begun = match begun.and_then(|()| Begun::new(&arguments.input.file, &arguments.work)) {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    super::panic_on_demand();
    let teller = Teller { arguments, output };
    let recorder = arguments.saving.is_wanted().then(Recorder::default);
    let folder = arguments.save_iterations.clone();
    let mut saver = Saver { begun: &begun, folder, teller, runs: Vec::new(), recorder };
    let input = Input {
        specification: arguments.spec.clone(),
        properties: arguments.work.property.clone(),
        ..input(&arguments.input)
    };
    let options = options(arguments, begun.limits());
    if let Some(path) = &arguments.check_witness {
        return judged(teller, &input, &options, path, &mut saver);
    }
    match api::verify(&input, &options, &mut saver) {
        Ok(verification) => {
            save(teller, &verification, saver.recorder, begun.elapsed());
            told(teller, &verification, begun.usage(&arguments.work))
        }
        Err(refusal) => {
            let Refused(exit) = c::refuse(&refusal);
            begun.refused(&arguments.work, exit)
        }
    }
}

/// Judges a witness, and ends the process.
fn judged(teller: Teller<'_>, input: &Input, options: &Options, path: &Path, saver: &mut Saver<'_>) -> Exit {
    let work = &teller.arguments.work;
    let found = load::source(path).and_then(|witness| {
        api::witness::judge(input, options, witness.text(), saver).map_err(|refusal| c::refuse(&refusal))
    });
    let judgement = match found {
        Ok(judgement) => judgement,
        Err(Refused(exit)) => return saver.begun.refused(work, exit),
    };
    let (text, overall) = match judgement {
        Judgement::Confirmed(Witnessed::Violation) => {
            ("the witness is confirmed: the machine has made its run\n", Overall::Violated)
        }
        Judgement::Confirmed(Witnessed::Proof) => (
            "the witness is confirmed: the program was verified with its invariants as assertions\n",
            Overall::Holds,
        ),
        Judgement::Open(why) => {
            ("", Overall::Unknown(Reason::Unsupported(format!("the witness is not confirmed: {why}"))))
        }
        Judgement::Stopped(stop) => ("", Overall::Unknown(stop.into())),
    };
    let line = || result_line(&overall, teller.output);
    deliver(work, String::new, || format!("{text}{}", line()), line);
    super::end(&overall)
}

/// Saves the run, and writes reports of it, if it was recorded.
fn save(teller: Teller<'_>, verification: &Verification, recorder: Option<Recorder>, elapsed: Duration) {
    let Some(recorder) = recorder else { return };
    let Verification { setup, program, outcome } = verification;
    let violations = report::violations(outcome).take(TOLD);
    let runs: Vec<_> = violations.map(|(property, found)| (property, setup.again(found))).collect();
    let report = teller.report(setup, program, outcome, &runs, None);
    let mut settings = settings(&teller.arguments.work);
    settings.insert("entry".to_owned(), teller.arguments.input.entry.clone());
    let model = if setup.read.module.pointer_bytes == 4 { "ILP32" } else { "LP64" };
    settings.insert("data model".to_owned(), model.to_owned());
    let kind = program.properties.iter().next().map_or(PropertyKind::ErrorReached, |first| first.kind);
    settings.insert("SV-COMP property".to_owned(), setup.asked.name(kind).to_owned());
    teller.arguments.saving.write(&saved_verification(&report, recorder, asked(settings, elapsed)));
}

/// Tells a result, and ends the process.
fn told(teller: Teller<'_>, verification: &Verification, usage: Option<Usage>) -> ! {
    let Verification { setup, program, outcome } = verification;
    let runs = teller.runs(setup, outcome);
    let report = teller.report(setup, program, outcome, &runs, usage);
    write_files(teller.arguments, setup, outcome);
    deliver(
        &teller.arguments.work,
        || teller.document(&report),
        || teller.text(setup, &report),
        || teller.last_line(setup, program, outcome),
    );
    hint(&outcome.overall());
    super::end(&outcome.overall())
}

/// Tells what helps where the program calls a function without a body, or gets to assembly that is not understood.
fn hint(overall: &Overall) {
    let Overall::Unknown(reason) = overall else { return };
    if reason.to_string().contains("inline assembly") {
        ending::note("`--assembly havoc` takes the outputs of assembly that is not understood as arbitrary");
    }
    if reason.to_string().contains("an access through a pointer") {
        ending::note(
            "`--external-pointers fresh` says that pointers from outside lead to none of the program's objects",
        );
    }
    if let Overall::Unknown(Reason::NotModelled { what, .. }) = overall
        && what.starts_with("a call of ")
        && what.ends_with("which is not defined")
    {
        ending::note("`--undefined-functions pure` or `havoc` says what functions without a body do");
    }
}

/// The program that the arguments name.
fn input(arguments: &CProgram) -> Input {
    Input {
        entry: arguments.entry.clone(),
        error_labels: arguments.error_label.clone(),
        predicates: arguments.predicates.clone(),
        ..c::input(&arguments.file, &arguments.c)
    }
}

fn options(arguments: &Verify, limits: Limits) -> Options {
    let cegar = cegar::Options {
        abstraction: precision_of(arguments.input.abstraction),
        checker: engines(&arguments.work),
        sources: sources_of(arguments.refine),
        iterations: arguments.max_iterations,
        certificate: if arguments.no_certificate { Certificates::None } else { Certificates::All },
        hunt: Hunt::of(arguments.hunt),
        stop_at_first: arguments.stop_at_first,
        engine: engine_of(arguments.work.engine),
        ..cegar::Options::default()
    };
    let slicing = arguments.work.reduce == Switch::On;
    Options { limits, cegar, initial: initial_of(arguments.input.initial), slicing }
}

/// Tells results, as the arguments want them.
#[derive(Clone, Copy)]
struct Teller<'a> {
    arguments: &'a Verify,
    output: Colors,
}

impl Teller<'_> {
    fn report<'r>(
        self,
        setup: &'r Setup,
        program: &'r Program,
        outcome: &'r Outcome,
        runs: &'r [(PropertyId, RunOutcome)],
        usage: Option<Usage>,
    ) -> Report<'r> {
        let full = self.arguments.work.trace == TraceLength::Full;
        let length = if full { Length::Full } else { Length::Short };
        Report { module: &setup.read.module, program, outcome, runs, length, usage }
    }

    fn document(self, report: &Report<'_>) -> String {
        report::json(&self.arguments.input.file.display().to_string(), report)
    }

    fn text(self, setup: &Setup, report: &Report<'_>) -> String {
        let mut text = report::text(report, self.output);
        if self.arguments.svcomp {
            text += &self.last_line(setup, report.program, report.outcome);
        }
        text
    }

    /// The last line: as everywhere, or as the competition wants it.
    fn last_line(self, setup: &Setup, program: &Program, outcome: &Outcome) -> String {
        match (self.arguments.svcomp, outcome.overall()) {
            (false, overall) => result_line(&overall, self.output),
            (true, Overall::Holds) => "true\n".to_owned(),
            (true, Overall::Violated) => format!("false({})\n", violated_part(setup, program, outcome)),
            (true, Overall::Unknown(_)) => "unknown\n".to_owned(),
        }
    }

    /// How many runs are told.
    fn told(self) -> usize {
        if self.arguments.work.trace == TraceLength::None { 0 } else { TOLD }
    }

    /// Runs that violate properties, once more, with their steps written down.
    fn runs(self, setup: &Setup, outcome: &Outcome) -> Vec<(PropertyId, RunOutcome)> {
        let violations = report::violations(outcome).take(self.told());
        violations.map(|(property, violation)| (property, setup.again(violation))).collect()
    }

    /// The report of a run that is broken off.
    fn broken_off(self, so_far: &SoFar<'_>, runs: &[(PropertyId, RunOutcome)], reason: &Reason) -> Found {
        let (setup, program, outcome) = (so_far.setup, so_far.program, so_far.outcome(reason.clone()));
        let report = self.report(setup, program, &outcome, runs, None);
        let quiet = self.arguments.work.quiet;
        let text = if quiet { self.last_line(setup, program, &outcome) } else { self.text(setup, &report) };
        let document =
            if self.arguments.work.json.is_some() { self.document(&report) } else { String::new() };
        Found { reason: reason.to_string(), document, text }
    }
}

/// Which property of the competition is violated.
fn violated_part(setup: &Setup, program: &Program, outcome: &Outcome) -> &'static str {
    let kind = report::violations(outcome).next().map(|(id, _)| program.properties[id].kind);
    setup.asked.name(kind.unwrap_or(PropertyKind::ErrorReached))
}

/// What decides: an engine for Boolean programs is one that the loop is to use.
fn engine_of(name: EngineName) -> Engine {
    match name {
        EngineName::Both => Engine::Both,
        EngineName::States => Engine::States,
        _ => Engine::Loop,
    }
}

fn initial_of(name: InitialName) -> Initial {
    match name {
        InitialName::None => Initial::None,
        InitialName::Guards => Initial::Guards,
        InitialName::Asserts => Initial::Asserts,
    }
}

fn precision_of(name: AbstractionName) -> abstraction::Options {
    let standard = abstraction::Options::default();
    match name {
        AbstractionName::Auto => standard,
        AbstractionName::Cartesian => abstraction::Options { literals: 3, joint: 1, ..standard },
        AbstractionName::Boolean => abstraction::Options { literals: 12, joint: 16, ..standard },
    }
}

fn sources_of(name: RefineName) -> Sources {
    match name {
        RefineName::Auto => Sources::Auto,
        RefineName::Wp => Sources::Preconditions,
        RefineName::Guards => Sources::Guards,
        RefineName::Steps => Sources::Steps,
    }
}

/// So many runs are told.
const TOLD: usize = 5;

/// Writes what was asked for besides the report.
fn write_files(arguments: &Verify, setup: &Setup, outcome: &Outcome) {
    let module = &setup.read.module;
    let write = |path: &PathBuf, text: String| {
        if let Err(error) = std::fs::write(path, text) {
            complain(&format!("cannot write `{}`: {error}", path.display()));
        }
    };
    if let Some(path) = &arguments.iterations_csv {
        write(path, report::csv(outcome));
    }
    if let Some(path) = &arguments.save_choices
        && let Some((_, violation)) = report::violations(outcome).next()
    {
        write(path, format::print(&violation.choices, &module.files));
    }
    if let Some(path) = &arguments.harness
        && let Some((_, violation)) = report::violations(outcome).next()
    {
        write(path, harness(module, &setup.machine.error_functions, &violation.choices));
    }
}

/// Writes the Boolean program of every iteration, and keeps a report of the violations that were found so far.
struct Saver<'a> {
    begun: &'a Begun,
    folder: Option<PathBuf>,
    teller: Teller<'a>,
    /// Runs that violate properties, with their steps.
    runs: Vec<(PropertyId, RunOutcome)>,
    /// What is to be saved.
    recorder: Option<Recorder>,
}

impl Saver<'_> {
    /// Adds the runs that are new, as long as they are told.
    fn add_runs(&mut self, setup: &Setup, outcome: &Outcome) {
        let told = self.teller.told();
        for (property, violation) in report::violations(outcome) {
            if self.runs.len() < told && !self.runs.iter().any(|(known, _)| *known == property) {
                self.runs.push((property, setup.again(violation)));
            }
        }
    }
}

impl Observer for Saver<'_> {
    fn ready(&mut self) {
        self.begun.ready();
    }

    fn event(&mut self, event: Event) {
        self.begun.progress.event(event);
    }

    fn abstraction(&mut self, iteration: usize, made: &Abstracted<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.abstraction(iteration, made);
        }
        let Some(folder) = &self.folder else { return };
        let path = folder.join(format!("{iteration:03}.bp"));
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, print_program(&made.abstraction.program)));
        if let Err(error) = written {
            complain(&format!("cannot write `{}`: {error}", path.display()));
            self.folder = None;
        }
    }

    fn studied(&mut self, iteration: usize, study: &Study<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.studied(iteration, study);
        }
    }

    fn proven(&mut self, proven: &Proven<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.proven(proven);
        }
    }

    fn violated(&mut self, so_far: &SoFar<'_>) {
        let outcome = so_far.outcome(Stop::Timeout.into());
        if let Some(recorder) = &mut self.recorder {
            recorder.violated(so_far.program, &outcome);
        }
        self.add_runs(so_far.setup, &outcome);
        let stops = [Stop::Timeout, Stop::Memory, Stop::Interrupted].map(Reason::from);
        let reasons = stops.into_iter().chain([Defect::Panic.into()]);
        let report = |reason: Reason| self.teller.broken_off(so_far, &self.runs, &reason);
        ending::found(reasons.map(report).collect());
    }
}

/// Makes one Boolean program.
pub fn abstracted(arguments: &Abstract) -> Exit {
    super::panic_on_demand();
    let mut prepared = match api::prepare(&input(&arguments.input), initial_of(arguments.input.initial)) {
        Ok(prepared) => prepared,
        Err(refusal) => return c::refuse(&refusal).0,
    };
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let mut abstractor = Abstractor::new(precision_of(arguments.input.abstraction), &limits);
    match abstractor.abstract_program(&mut prepared.program, &prepared.precision, run) {
        Ok(abstraction) => {
            ending::print(&print_program(&abstraction.program));
            Exit::Holds
        }
        Err(stop) => {
            complain(&stop.to_string());
            Exit::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::{Cli, Command};
    use clap::Parser as _;

    #[test]
    fn the_defaults_of_the_command_line_are_those_of_the_library() {
        let cli = Cli::try_parse_from(["boolero", "verify", "x.c"]).expect("it is a command");
        let Command::Verify(arguments) = cli.command else { panic!("it is verify") };
        let (ours, standard) = (options(&arguments, Limits::none()), Options::default());
        let text = |options: &Options| format!("{:?} {:?}", options.cegar, options.initial);
        assert_eq!(text(&ours), text(&standard));
        let alone = Input { reading: api::Reading::Here, ..input(&arguments.input) };
        assert_eq!(format!("{alone:?}"), format!("{:?}", Input::file("x.c")));
    }
}
