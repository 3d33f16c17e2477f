//! `boolero verify` and `boolero abstract`.

use super::arguments::{Abstract, AbstractionName, CProgram, InitialName, RefineName, TraceLength, Verify};
use super::c::{self, Goals, Read};
use super::check::{Begun, deliver, engines, withdraw_json};
use super::ending::{self, Found, complain};
use super::load::Refused;
use super::specification::{Asked, specification};
use crate::abstraction::{self, Abstraction, Abstractor};
use crate::boolean::print::print as print_program;
use crate::cegar::{self, Certificates, Hunt, Initial, Iteration, Outcome, Task, Watcher};
use crate::engine::{Run, Threads};
use crate::ground::event::Silent;
use crate::ground::exit::Exit;
use crate::ground::limits::Limits;
use crate::ground::reason::{Defect, Reason, Stop};
use crate::predicate::{Precision, parse};
use crate::program::ready::ready;
use crate::program::{Assumption, Program, PropertyId, PropertyKind};
use crate::refine::Sources;
use crate::report::Usage;
use crate::report::harness::harness;
use crate::report::text::{Colors, result_line};
use crate::report::verify::{self as report, Length, Report};
use crate::vm::choices::format;
use crate::vm::{self, Given, Machine, RunOutcome, Tracing};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Verifies a C program. Ends the process itself once there is a report.
pub fn run(arguments: &Verify, output: Colors) -> Exit {
    let begun = match Begun::new(&arguments.input.file, &arguments.work) {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    let prepared = prepare(&arguments.input, arguments.spec.as_deref());
    begun.stop_if_raised();
    let asked = prepared.and_then(|prepared| {
        let properties = properties(arguments, &prepared)?;
        Ok((prepared, properties))
    });
    let (mut prepared, properties) = match asked {
        Ok(asked) => asked,
        Err(Refused(exit)) => {
            withdraw_json(&arguments.work);
            return exit;
        }
    };
    let mut options = cegar::Options {
        abstraction: precision_of(arguments.input.abstraction),
        checker: engines(&arguments.work, None),
        sources: sources_of(arguments.refine),
        iterations: arguments.max_iterations,
        certificate: if arguments.no_certificate { Certificates::None } else { Certificates::All },
        hunt: Hunt::of(arguments.hunt),
    };
    if let (Threads::AtMost(bound), true) = (options.checker.threads, prepared.program.starts_threads()) {
        prepared.program.assumptions.insert(Assumption::Threads(bound));
        options.hunt.threads = bound;
    }
    let machine = machine(&arguments.input, &prepared);
    let anywhere = if arguments.work.property.is_empty() { prepared.asked.kinds() } else { BTreeSet::new() };
    let precision = std::mem::take(&mut prepared.precision);
    let task = Task {
        module: &prepared.read.module,
        machine: machine.clone(),
        program: &mut prepared.program,
        unready: prepared.unready.clone(),
        properties,
        anywhere,
    };
    let teller =
        Teller { arguments, read: &prepared.read, asked: &prepared.asked, machine: &machine, output };
    let mut saver = Saver { folder: arguments.save_iterations.clone(), teller, runs: Vec::new() };
    let outcome = cegar::verify(task, precision, &options, &mut saver, begun.work());
    let usage = begun.usage(&arguments.work);
    let runs = teller.runs(&outcome);
    let report = teller.report(&prepared.program, &outcome, &runs, usage);
    write_files(arguments, &prepared.read, &machine, &outcome);
    deliver(
        &arguments.work,
        || teller.document(&report),
        || teller.text(&report),
        || teller.last_line(&prepared.program, &outcome),
    );
    super::end(&outcome.overall())
}

/// Tells results, as the arguments want them.
#[derive(Clone, Copy)]
struct Teller<'a> {
    arguments: &'a Verify,
    read: &'a Read,
    asked: &'a Asked,
    machine: &'a vm::Settings,
    output: Colors,
}

impl<'a> Teller<'a> {
    fn report<'r>(
        self,
        program: &'r Program,
        outcome: &'r Outcome,
        runs: &'r [(PropertyId, RunOutcome)],
        usage: Option<Usage>,
    ) -> Report<'r>
    where
        'a: 'r,
    {
        let full = self.arguments.work.trace == TraceLength::Full;
        let length = if full { Length::Full } else { Length::Short };
        Report { module: &self.read.module, program, outcome, runs, length, usage }
    }

    fn document(self, report: &Report<'_>) -> String {
        report::json(&self.arguments.input.file.display().to_string(), report)
    }

    fn text(self, report: &Report<'_>) -> String {
        let mut text = report::text(report, self.output);
        if self.arguments.svcomp {
            text += &self.last_line(report.program, report.outcome);
        }
        text
    }

    /// The last line: as everywhere, or as the competition wants it.
    fn last_line(self, program: &Program, outcome: &Outcome) -> String {
        use crate::ground::verdict::Overall;
        match (self.arguments.svcomp, outcome.overall()) {
            (false, overall) => result_line(&overall, self.output),
            (true, Overall::Holds) => "true\n".to_owned(),
            (true, Overall::Violated) => format!("false({})\n", self.violated_part(program, outcome)),
            (true, Overall::Unknown(_)) => "unknown\n".to_owned(),
        }
    }

    /// Which property of the competition is violated.
    fn violated_part(self, program: &Program, outcome: &Outcome) -> &'static str {
        let kind = report::violations(outcome).next().map(|(id, _)| program.properties[id].kind);
        self.asked.name(kind.unwrap_or(PropertyKind::ErrorReached))
    }

    /// Runs that violate properties, once more, with their steps written down.
    fn runs(self, outcome: &Outcome) -> Vec<(PropertyId, RunOutcome)> {
        let told = if self.arguments.work.trace == TraceLength::None { 0 } else { TOLD };
        let violations = report::violations(outcome).take(told);
        violations.map(|(property, violation)| (property, self.again(violation))).collect()
    }

    fn again(self, violation: &cegar::Violation) -> RunOutcome {
        let settings = vm::Settings { tracing: Tracing::On, ..self.machine.clone() };
        Machine::new(&self.read.module, settings).run(&mut Given::new(&violation.choices), &Limits::none())
    }

    /// The report of a run that is broken off.
    fn broken_off(
        self,
        program: &Program,
        outcome: &Outcome,
        runs: &[(PropertyId, RunOutcome)],
        reason: &Reason,
    ) -> Found {
        let report = self.report(program, outcome, runs, None);
        let text =
            if self.arguments.work.quiet { self.last_line(program, outcome) } else { self.text(&report) };
        let document =
            if self.arguments.work.json.is_some() { self.document(&report) } else { String::new() };
        Found { reason: reason.to_string(), document, text }
    }
}

/// A program that is ready to be verified.
struct Prepared {
    read: Read,
    /// What counts as a property.
    asked: Asked,
    program: Program,
    /// Why it cannot be abstracted, if it cannot.
    unready: Option<String>,
    precision: Precision,
}

fn prepare(input: &CProgram, spec: Option<&Path>) -> Result<Prepared, Refused> {
    let spec = spec.map(|path| specification(path, &input.entry, &input.c.error_function)).transpose()?;
    let mut checked = c::checks(&input.c.checks);
    checked.extend(spec.iter().flat_map(|asked| asked.faults.iter().copied()));
    let read = c::read(&input.file, &input.c, &checked)?;
    let asked = match spec {
        Some(asked) => asked,
        None if read.task && input.c.checks.is_empty() => Asked::errors(&input.c.error_function),
        None => Asked::all(&input.c.error_function, c::checks(&input.c.checks)),
    };
    let goals = Goals {
        entry: Some(&input.entry),
        functions: asked.error_functions.iter().cloned().collect(),
        labels: &input.error_label,
    };
    let mut program = c::model(&read, &input.c, asked.faults.clone(), goals)?;
    let unready = ready(&mut program);
    let mut precision = Precision::default();
    if let Some(path) = &input.predicates {
        given(path, &mut program, &mut precision)?;
    }
    let initial = match input.initial {
        InitialName::None => Initial::None,
        InitialName::Guards => Initial::Guards,
        InitialName::Asserts => Initial::Asserts,
    };
    cegar::initial(&mut program, &mut precision, initial);
    Ok(Prepared { read, asked, program, unready, precision })
}

/// The predicates of a file.
fn given(path: &Path, program: &mut Program, precision: &mut Precision) -> Result<(), Refused> {
    let source = super::load::source(path)?;
    match parse::parse(program, source.text()) {
        Ok(predicates) => predicates.into_iter().for_each(|predicate| _ = precision.add(predicate)),
        Err(errors) => {
            for error in errors {
                complain(&format!("{}:{}: {}", path.display(), error.line, error.text));
            }
            return Err(Refused(Exit::Input));
        }
    }
    Ok(())
}

fn machine(input: &CProgram, prepared: &Prepared) -> vm::Settings {
    let settings = c::machine(&prepared.read, &input.c, &input.entry, prepared.asked.faults.clone());
    vm::Settings {
        error_functions: prepared.asked.error_functions.clone(),
        error_labels: input.error_label.iter().cloned().collect(),
        ..settings
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

/// The properties that were asked for. Of a task only the calls of error functions count.
fn properties(arguments: &Verify, prepared: &Prepared) -> Result<Vec<PropertyId>, Refused> {
    let known = &prepared.program.properties;
    let file = arguments.input.file.display();
    for id in &arguments.work.property {
        if !known.iter().any(|property| property.id == *id) {
            complain(&format!("`{file}` has no property `{id}`; `boolero list {file}` tells the properties"));
            return Err(Refused(Exit::Usage));
        }
    }
    let named =
        |id: &str| arguments.work.property.is_empty() || arguments.work.property.iter().any(|it| it == id);
    let asked =
        known.enumerate().filter(|(_, property)| named(&property.id) && prepared.asked.counts(property.kind));
    Ok(asked.map(|(id, _)| id).collect())
}

/// So many runs are told.
const TOLD: usize = 5;

/// Writes what was asked for besides the report.
fn write_files(arguments: &Verify, read: &Read, machine: &vm::Settings, outcome: &Outcome) {
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
        write(path, format::print(&violation.choices, &read.module.files));
    }
    if let Some(path) = &arguments.harness
        && let Some((_, violation)) = report::violations(outcome).next()
    {
        write(path, harness(&read.module, &machine.error_functions, &violation.choices));
    }
}

/// Writes the Boolean program of every iteration, and keeps a report of the violations that were found so far.
struct Saver<'a> {
    folder: Option<PathBuf>,
    teller: Teller<'a>,
    /// Runs that violate properties, with their steps.
    runs: Vec<(PropertyId, RunOutcome)>,
}

impl Saver<'_> {
    /// Adds the runs that are new, as long as they are told.
    fn add_runs(&mut self, outcome: &Outcome) {
        let told = if self.teller.arguments.work.trace == TraceLength::None { 0 } else { TOLD };
        for (property, violation) in report::violations(outcome) {
            if self.runs.len() < told && !self.runs.iter().any(|(known, _)| *known == property) {
                self.runs.push((property, self.teller.again(violation)));
            }
        }
    }
}

impl Watcher for Saver<'_> {
    fn abstraction(&mut self, iteration: usize, _: &Program, abstraction: &Abstraction) {
        let Some(folder) = &self.folder else { return };
        let path = folder.join(format!("{iteration:03}.bp"));
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, print_program(&abstraction.program)));
        if let Err(error) = written {
            complain(&format!("cannot write `{}`: {error}", path.display()));
            self.folder = None;
        }
    }

    fn violated(&mut self, program: &Program, so_far: &dyn Fn(Reason) -> Outcome) {
        self.add_runs(&so_far(Stop::Timeout.into()));
        let reasons =
            [Stop::Timeout.into(), Stop::Memory.into(), Stop::Interrupted.into(), Defect::Panic.into()];
        let report =
            |reason: &Reason| self.teller.broken_off(program, &so_far(reason.clone()), &self.runs, reason);
        ending::found(reasons.iter().map(report).collect());
    }

    fn iteration(&mut self, _: usize, _: &Iteration) {}
}

/// Makes one Boolean program.
pub fn abstracted(arguments: &Abstract) -> Exit {
    let mut prepared = match prepare(&arguments.input, None) {
        Ok(prepared) => prepared,
        Err(Refused(exit)) => return exit,
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
