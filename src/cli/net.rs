//! Nets on the command line: `boolero check` and `boolero emit` for `.tts` and `.spec` files.
//!
//! A file is a net by its ending; a file with another ending (standard input, for one) is a thread transition
//! system if `--target` is given. What only applies to the other kind of input is an error of the command line.

use super::arguments::{Check, Emit, EngineName, Form, NetInput};
use super::check::{Begun, deliver, length, withdraw_json};
use super::ending::{complain, print, print_error};
use super::load::{self, Refused};
use crate::checker::net::{NetOutcome, check_net};
use crate::engine::coverability::Method;
use crate::ground::exit::Exit;
use crate::ground::reason::Reason;
use crate::ground::source::SourceFile;
use crate::report::diagnostics;
use crate::report::net::{self as report, Format, NetReport};
use crate::report::text::{Colors, result_line};
use crate::system::mist::{self, Refusal};
use crate::system::net::Net;
use crate::system::{print_mist, print_tts, tts};
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::path::Path;

/// Where a thread transition system starts unless `--init` says otherwise: with any number of threads, as in bfc.
const DEFAULT_INITIAL: &str = "0/0";

/// Options of `check` that apply to Boolean programs only.
const ONLY_PROGRAMS: [&str; 6] = ["error_label", "entry", "property", "bdd", "reduce", "threads"];

/// The format of a net; `None` if the file is no net.
pub fn format(file: &Path, input: &NetInput) -> Option<Format> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("tts") => Some(Format::Tts),
        Some("spec") => Some(Format::Mist),
        Some("bp") => None,
        _ => input.target.as_ref().map(|_| Format::Tts),
    }
}

/// Whether a file is a net by its ending.
pub fn is_net(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "tts" || extension == "spec")
}

/// What is wrong with a command line, if an option does not apply to the kind of input.
pub fn misplaced(format: Option<Format>, arguments: &Check, matches: &ArgMatches) -> Option<String> {
    let given = |option: &&str| {
        let check = matches.subcommand_matches("check");
        check.and_then(|check| check.value_source(option)) == Some(ValueSource::CommandLine)
    };
    let option = |name: &str| format!("--{}", name.replace('_', "-"));
    match format {
        Some(format) => {
            let wrong = ONLY_PROGRAMS.iter().find(|name| given(name));
            let wrong =
                wrong.map(|name| format!("`{}` applies to Boolean programs, not to nets", option(name)));
            wrong.or_else(|| belongs_to_tts(format, &arguments.net)).or_else(|| method(arguments).err())
        }
        None => ["target", "init"].iter().find(|name| given(name)).map(|name| {
            format!(
                "`{}` applies to thread transition systems (`.tts`), not to Boolean programs",
                option(name)
            )
        }),
    }
}

/// What is wrong, if there is a target or initial state for a file that has its own.
fn belongs_to_tts(format: Format, input: &NetInput) -> Option<String> {
    let given = if input.target.is_some() { "--target" } else { "--init" };
    let wrong = format == Format::Mist && (input.target.is_some() || input.init.is_some());
    wrong.then(|| {
        format!("`{given}` applies to `.tts` files; a `.spec` file has `init` and `target` sections")
    })
}

fn method(arguments: &Check) -> Result<Method, String> {
    match arguments.work.engine {
        EngineName::Auto => Ok(Method::Auto),
        EngineName::KarpMiller => Ok(Method::KarpMiller),
        EngineName::Backward => Ok(Method::Backward),
        EngineName::Explicit
        | EngineName::Summary
        | EngineName::Interleaving
        | EngineName::Counter
        | EngineName::Cutoff => Err("engines for nets are auto, karp_miller and backward".to_owned()),
    }
}

/// Why there is no net to work on.
enum Missing {
    /// What is wrong has been told.
    Exit(Exit),
    /// A net cannot say what the file says.
    Unsupported(Reason),
}

impl From<Refused> for Missing {
    fn from(_: Refused) -> Self {
        Self::Exit(Exit::Input)
    }
}

/// `boolero check` for a net. Ends the process itself once there is a report.
pub fn check(arguments: &Check, format: Format, output: Colors, errors: Colors) -> Exit {
    let begun = match Begun::new(&arguments.input.file, &arguments.work) {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    let method = method(arguments).unwrap_or(Method::Auto);
    let source = load::source(&arguments.input.file);
    let net = source.as_ref().map_err(|&refused| refused.into());
    let net = net.and_then(|source| net_of(source, format, &arguments.net, errors));
    let net = net.and_then(|net| if net.targets.is_empty() { Err(no_target()) } else { Ok(net) });
    begun.stop_if_raised();
    let outcome = match &net {
        Ok(net) => check_net(net, method, begun.work()),
        Err(Missing::Unsupported(reason)) => NetOutcome::unknown(method, reason.clone()),
        Err(Missing::Exit(exit)) => {
            withdraw_json(&arguments.work);
            return *exit;
        }
    };
    let Ok(source) = source else { return Exit::Input };
    let (trace, usage) = (length(&arguments.work), begun.usage(&arguments.work));
    let net = net.as_ref().ok();
    let report = NetReport { source: &source, format, net, outcome: &outcome, trace, usage };
    let last_line = || result_line(&outcome.overall(), output);
    deliver(&arguments.work, || report::json(&report), || report::text(&report, output), last_line);
    super::end(&outcome.overall())
}

fn no_target() -> Missing {
    complain("there is no target: `--target FILE.prop` names the file that holds it");
    Missing::Exit(Exit::Usage)
}

/// Reads a net.
fn net_of(source: &SourceFile, format: Format, input: &NetInput, colors: Colors) -> Result<Net, Missing> {
    super::panic_on_demand();
    match format {
        Format::Mist => mist::parse(source).map_err(|refusal| match refusal {
            Refusal::Malformed(error) => load::refuse(source, &[error], colors).into(),
            Refusal::Unsupported(unsupported) => {
                let line = source.line(unsupported.span.start);
                Missing::Unsupported(Reason::Unsupported(format!("{} in line {line}", unsupported.name)))
            }
        }),
        Format::Tts => {
            let net = tts::parse(source).map_err(|errors| load::refuse(source, &errors, colors))?;
            with_question(net, input, colors)
        }
    }
}

/// A thread transition system with its initial state and its targets.
fn with_question(mut net: Net, input: &NetInput, colors: Colors) -> Result<Net, Missing> {
    let text = input.init.as_deref().unwrap_or(DEFAULT_INITIAL);
    let initial = tts::parse_initial(&net, text).map_err(|error| {
        let source = SourceFile::new("--init", text);
        print_error(&diagnostics::render(&source, &[error], colors));
        Missing::Exit(Exit::Usage)
    })?;
    net.initial.push(initial);
    if let Some(path) = &input.target {
        let source = load::source(path)?;
        let targets = tts::parse_targets(&net, &source);
        net.targets = targets.map_err(|errors| load::refuse(&source, &errors, colors))?;
    }
    Ok(net)
}

/// `boolero emit` for a net.
pub fn emit(arguments: &Emit, format: Format, errors: Colors) -> Exit {
    if let Some(message) = belongs_to_tts(format, &arguments.net) {
        complain(&message);
        return Exit::Usage;
    }
    let printer = match arguments.form {
        Form::Tts => print_tts::print,
        Form::Mist => print_mist::print,
        Form::Cfg | Form::Dot | Form::KarpMiller => {
            complain("only Boolean programs have control-flow graphs");
            return Exit::Usage;
        }
        Form::Cfa | Form::Smt | Form::Ir => {
            complain("only C programs have this form");
            return Exit::Usage;
        }
    };
    let Ok(source) = load::source(&arguments.input.file) else { return Exit::Input };
    match net_of(&source, format, &arguments.net, errors) {
        Err(Missing::Exit(exit)) => return exit,
        Err(Missing::Unsupported(reason)) => complain(&format!("`{}`: {reason}", source.name())),
        Ok(net) => match printer(&net) {
            Ok(text) => {
                print(&text);
                return Exit::Holds;
            }
            Err(why) => complain(&format!("`{}` cannot be written in this form: {why}", source.name())),
        },
    }
    Exit::Input
}
