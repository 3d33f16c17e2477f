//! `check`: Boolean programs and nets from their text to the outcome.

use super::observer::Shared;
use super::proof::{self, Request};
use super::{Observer, Refusal};
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::check::CheckOptions;
use crate::boolean::{check as checking, parse};
use crate::checker::net::{NetOutcome, check_net};
use crate::checker::{self, Outcome};
use crate::engine::auto::Wish;
use crate::engine::coverability::Method;
use crate::ground::diagnostic::{Diagnostic, Subject};
use crate::ground::limits::Limits;
use crate::ground::reason::Reason;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;
use crate::ground::verdict::Overall;
use crate::system::net::Net;
use crate::system::{mist, tts};
use std::path::PathBuf;

/// Where a thread transition system starts unless something else is said: with any number of threads, as in bfc.
const DEFAULT_INITIAL: &str = "0/0";

/// The kinds of files that hold nets.
pub use crate::report::net::Format as NetFormat;

/// What to check.
#[derive(Clone, Debug)]
pub enum BooleanInput {
    /// A Boolean program.
    Program {
        /// Its text.
        source: SourceFile,
        /// What is said about it besides.
        options: CheckOptions,
        /// The ids of the properties to decide; all of them if there are none.
        properties: Vec<String>,
    },
    /// A net.
    Net {
        /// Its text.
        source: SourceFile,
        /// The format of the text.
        format: NetFormat,
        /// Where a thread transition system starts; with any number of threads if nothing is said.
        initial: Option<String>,
        /// The targets of a thread transition system.
        targets: Option<SourceFile>,
    },
}

impl BooleanInput {
    /// The text.
    #[must_use]
    pub fn source(&self) -> &SourceFile {
        match self {
            Self::Program { source, .. } | Self::Net { source, .. } => source,
        }
    }
}

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct CheckingOptions {
    /// When to stop.
    pub limits: Limits,
    /// How Boolean programs are checked. Of a net the engine matters alone.
    pub checker: checker::Options,
    /// Where to write a proof of what holds; for Boolean programs.
    pub proof: Option<PathBuf>,
}

/// The result of a check, with what is needed to tell it.
#[derive(Clone, Debug)]
pub enum Checked {
    /// Of a Boolean program.
    Program(Box<CheckedProgram>),
    /// Of a net.
    Net(Box<CheckedNet>),
}

/// The result on a Boolean program.
#[derive(Clone, Debug)]
pub struct CheckedProgram {
    /// The program.
    pub program: Program,
    /// The result.
    pub outcome: Outcome,
}

/// The result on a net.
#[derive(Clone, Debug)]
pub struct CheckedNet {
    /// The net; none if the file says what a net cannot say.
    pub net: Option<Net>,
    /// The result.
    pub outcome: NetOutcome,
}

impl Checked {
    /// What the verdicts come to.
    #[must_use]
    pub fn overall(&self) -> Overall {
        match self {
            Self::Program(checked) => checked.outcome.overall(),
            Self::Net(checked) => checked.outcome.overall(),
        }
    }
}

/// Checks a Boolean program or a net.
///
/// # Errors
/// The input is wrong, or the options do not fit it. A limit is no error: what is open then is unknown.
pub fn check(
    input: &BooleanInput,
    options: &CheckingOptions,
    observer: &mut dyn Observer,
) -> Result<Checked, Refusal> {
    match input {
        BooleanInput::Program { source, options: said, properties } => {
            let (program, warnings) = load_program(source, said)?;
            observer.warned(source, &warnings);
            let properties = named(source, &program, properties)?;
            observer.ready();
            let outcome = decided(source, &program, properties, options, observer);
            Ok(Checked::Program(Box::new(CheckedProgram { program, outcome })))
        }
        BooleanInput::Net { source, format, initial, targets } => {
            let method = method(options.checker.preferences.engine)?;
            let net = load_net(source, *format, initial.as_deref(), targets.as_ref())?;
            if net.as_ref().is_ok_and(|net| net.targets.is_empty()) {
                return Err(no_target());
            }
            observer.ready();
            Ok(Checked::Net(Box::new(covered(net, method, options, observer))))
        }
    }
}

/// Parses and checks a Boolean program; returns it with warnings.
///
/// # Errors
/// The program is wrong, or the options do not fit it.
pub fn load_program(
    source: &SourceFile,
    options: &CheckOptions,
) -> Result<(Program, Vec<Diagnostic>), Refusal> {
    let refused = |errors| Refusal::Text(Box::new(source.clone()), errors);
    let syntax = parse::parse(source).map_err(refused)?;
    checking::check(&syntax, options).map_err(refused)
}

/// The properties with these ids, in source order; `None` stands for all.
fn named(source: &SourceFile, program: &Program, ids: &[String]) -> Result<Option<Vec<PropertyId>>, Refusal> {
    let known = &program.properties;
    for id in ids {
        if !known.iter().any(|property| property.name == *id) {
            let file = source.name();
            return Err(Refusal::Options(format!(
                "`{file}` has no property `{id}`; `boolero list {file}` tells the properties"
            )));
        }
    }
    let asked = known.enumerate().filter(|(_, property)| ids.contains(&property.name)).map(|(id, _)| id);
    Ok((!ids.is_empty()).then(|| asked.collect()))
}

fn decided(
    source: &SourceFile,
    program: &Program,
    properties: Option<Vec<PropertyId>>,
    options: &CheckingOptions,
    observer: &mut dyn Observer,
) -> Outcome {
    let asked = checker::Options { properties, ..options.checker.clone() };
    let shared = Shared::new(observer);
    let run = Run { limits: &options.limits, observer: &shared };
    let mut outcome = checker::check_program(program, &asked, run);
    if let Some(folder) = &options.proof {
        let request = Request { folder, source, program, options: &asked };
        outcome.proof = Some(proof::write(&request, &mut outcome, run));
    }
    outcome
}

/// The method for nets that an engine's name stands for.
///
/// # Errors
/// The engine does not decide nets.
pub fn method(engine: Wish) -> Result<Method, Refusal> {
    match engine {
        Wish::Auto => Ok(Method::Auto),
        Wish::KarpMiller => Ok(Method::KarpMiller),
        Wish::Backward => Ok(Method::Backward),
        Wish::Explicit
        | Wish::Summary
        | Wish::Bounded
        | Wish::Interleaving
        | Wish::Induction
        | Wish::Counter
        | Wish::Cutoff => {
            Err(Refusal::Options("engines for nets are auto, karp_miller and backward".to_owned()))
        }
    }
}

/// Reads a net. The inner error names what a net cannot say.
///
/// # Errors
/// The text is wrong.
pub fn load_net(
    source: &SourceFile,
    format: NetFormat,
    initial: Option<&str>,
    targets: Option<&SourceFile>,
) -> Result<Result<Net, Reason>, Refusal> {
    let refused = |source: &SourceFile, errors| Refusal::Text(Box::new(source.clone()), errors);
    match format {
        NetFormat::Mist => match mist::parse(source) {
            Ok(net) => Ok(Ok(net)),
            Err(mist::Refusal::Malformed(error)) => Err(refused(source, vec![error])),
            Err(mist::Refusal::Unsupported(unsupported)) => {
                let line = source.line(unsupported.span.start);
                Ok(Err(Reason::Unsupported(format!("{} in line {line}", unsupported.name))))
            }
        },
        NetFormat::Tts => {
            let mut net = tts::parse(source).map_err(|errors| refused(source, errors))?;
            net.initial.push(initial_state(&net, initial.unwrap_or(DEFAULT_INITIAL))?);
            if let Some(targets) = targets {
                net.targets = tts::parse_targets(&net, targets).map_err(|errors| refused(targets, errors))?;
            }
            Ok(Ok(net))
        }
    }
}

fn initial_state(net: &Net, text: &str) -> Result<crate::system::net::Initial, Refusal> {
    tts::parse_initial(net, text).map_err(|error| {
        // It is an option, not a part of the file.
        let error = Diagnostic { subject: Subject::Options, ..error };
        Refusal::Text(Box::new(SourceFile::new("--init", text)), vec![error])
    })
}

fn no_target() -> Refusal {
    Refusal::Options("there is no target: `--target FILE.prop` names the file that holds it".to_owned())
}

fn covered(
    net: Result<Net, Reason>,
    method: Method,
    options: &CheckingOptions,
    observer: &mut dyn Observer,
) -> CheckedNet {
    let shared = Shared::new(observer);
    match net {
        Ok(net) => {
            let outcome = check_net(&net, method, Run { limits: &options.limits, observer: &shared });
            CheckedNet { net: Some(net), outcome }
        }
        Err(reason) => CheckedNet { net: None, outcome: NetOutcome::unknown(method, reason) },
    }
}
