//! `boolero verify` and `boolero abstract`.

use super::arguments::{Abstract, AbstractionName, CProgram, InitialName, RefineName, TraceLength, Verify};
use super::c::{self, Read};
use super::check::{Begun, deliver, engines, withdraw_json};
use super::ending::{self, complain};
use super::load::Refused;
use crate::abstraction::{self, Abstraction, Abstractor};
use crate::boolean::print::print as print_program;
use crate::cegar::{self, Certificates, Hunt, Initial, Iteration, Outcome, Task, Watcher};
use crate::engine::{Run, Threads};
use crate::ground::event::Silent;
use crate::ground::exit::Exit;
use crate::ground::limits::Limits;
use crate::ir::undefined::Fault;
use crate::predicate::{Precision, parse};
use crate::program::ready::ready;
use crate::program::{Assumption, Program, PropertyId, PropertyKind};
use crate::refine::Sources;
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
    let task = Task {
        module: &prepared.read.module,
        machine: machine.clone(),
        program: &mut prepared.program,
        unready: prepared.unready.clone(),
        properties,
    };
    let mut saver = Saver { folder: arguments.save_iterations.clone() };
    let outcome = cegar::verify(task, prepared.precision, &options, &mut saver, begun.work());
    let usage = begun.usage(&arguments.work);
    let runs = runs(arguments, &prepared.read, &machine, &outcome);
    let length = if arguments.work.trace == TraceLength::Full { Length::Full } else { Length::Short };
    let report = Report {
        module: &prepared.read.module,
        program: &prepared.program,
        outcome: &outcome,
        runs: &runs,
        length,
        usage,
    };
    write_files(arguments, &prepared.read, &machine, &outcome);
    let line = || last_line(arguments, &prepared.program, &outcome, output);
    let text = || match arguments.svcomp {
        true => format!(
            "{}{}",
            report::text(&report, output),
            last_line(arguments, &prepared.program, &outcome, output)
        ),
        false => report::text(&report, output),
    };
    let file = arguments.input.file.display().to_string();
    deliver(&arguments.work, || report::json(&file, &report), text, line);
    ending::finish(outcome.overall().exit())
}

/// The last line: as everywhere, or as the competition wants it.
fn last_line(arguments: &Verify, program: &Program, outcome: &Outcome, output: Colors) -> String {
    use crate::verdict::Overall;
    match (arguments.svcomp, outcome.overall()) {
        (false, overall) => result_line(&overall, output),
        (true, Overall::Holds) => "true\n".to_owned(),
        (true, Overall::Violated) => format!("false({})\n", violated_part(program, outcome)),
        (true, Overall::Unknown(_)) => "unknown\n".to_owned(),
    }
}

/// Which property of the competition is violated.
fn violated_part(program: &Program, outcome: &Outcome) -> &'static str {
    let kind = report::violations(outcome).next().map(|(id, _)| program.properties[id].kind);
    match kind {
        Some(PropertyKind::Fault(Fault::Overflow)) => "no-overflow",
        Some(PropertyKind::Fault(Fault::Free)) => "valid-free",
        Some(PropertyKind::Fault(Fault::Null | Fault::Bounds | Fault::Pointer)) => "valid-deref",
        Some(PropertyKind::Fault(Fault::Leak)) => "valid-memcleanup",
        _ => "unreach-call",
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
    let spec = spec.map(specification).transpose()?;
    let mut checked = c::checks(&input.c.checks);
    checked.extend(spec.iter().flat_map(|asked| asked.faults.iter().copied()));
    let read = c::read(&input.file, &input.c, &checked)?;
    let asked = match spec {
        Some(asked) => asked,
        None if read.task && input.c.checks.is_empty() => Asked::errors(),
        None => Asked::all(c::checks(&input.c.checks)),
    };
    let mut program =
        c::model(&read, &input.c, asked.faults.clone(), (Some(&input.entry), &input.error_label))?;
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
    vm::Settings { error_labels: input.error_label.iter().cloned().collect(), ..settings }
}

/// Which kinds of properties are asked for.
#[derive(Clone, Debug)]
struct Asked {
    assertions: bool,
    errors: bool,
    faults: BTreeSet<Fault>,
}

impl Asked {
    /// Assertions, errors, and these faults.
    fn all(faults: BTreeSet<Fault>) -> Self {
        Self { assertions: true, errors: true, faults }
    }

    /// Functions that must not be called.
    fn errors() -> Self {
        Self { assertions: false, errors: true, faults: BTreeSet::new() }
    }
}

/// What a property file of the competition asks for.
fn specification(path: &Path) -> Result<Asked, Refused> {
    let source = super::load::source(path)?;
    let mut asked = Asked { assertions: false, errors: false, faults: BTreeSet::new() };
    for line in source.text().lines().map(str::trim).filter(|line| !line.is_empty()) {
        let formula: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let formula = formula.split_once("LTL(").map_or("", |(_, rest)| rest.trim_end_matches(')'));
        match formula {
            "G!overflow" => asked.faults.extend([Fault::Overflow]),
            "Gvalid-free" => asked.faults.extend([Fault::Free]),
            "Gvalid-deref" => asked.faults.extend([Fault::Null, Fault::Bounds, Fault::Pointer]),
            "Gvalid-memcleanup" => asked.faults.extend([Fault::Leak]),
            call if call.starts_with("G!call(") => asked.errors = true,
            _ => {
                complain(&format!(
                    "`{}`: `{line}` is not checked; calls, overflow, valid-free, valid-deref and valid-memcleanup are",
                    path.display()
                ));
                return Err(Refused(Exit::Usage));
            }
        }
    }
    Ok(asked)
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
    let counts = |kind: PropertyKind| match kind {
        PropertyKind::Assertion => prepared.asked.assertions,
        PropertyKind::ErrorReached => prepared.asked.errors,
        PropertyKind::Fault(fault) => prepared.asked.faults.contains(&fault),
    };
    let asked = known.enumerate().filter(|(_, property)| named(&property.id) && counts(property.kind));
    Ok(asked.map(|(id, _)| id).collect())
}

/// Runs that violate properties, once more, with their steps written down.
fn runs(
    arguments: &Verify,
    read: &Read,
    machine: &vm::Settings,
    outcome: &Outcome,
) -> Vec<(PropertyId, RunOutcome)> {
    if arguments.work.trace == TraceLength::None {
        return Vec::new();
    }
    let settings = vm::Settings { tracing: Tracing::On, ..machine.clone() };
    let again = |(property, violation): (PropertyId, &cegar::Violation)| {
        let run = Machine::new(&read.module, settings.clone())
            .run(&mut Given::new(&violation.choices), &Limits::none());
        (property, run)
    };
    report::violations(outcome).take(TOLD).map(again).collect()
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

/// Writes the Boolean program of every iteration.
struct Saver {
    folder: Option<PathBuf>,
}

impl Watcher for Saver {
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
