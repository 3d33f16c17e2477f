//! Nets on the command line: `boolero check` and `boolero emit` for `.tts` and `.spec` files.
//!
//! A file is a net by its ending; a file with another ending (standard input, for one) is a thread transition
//! system if `--target` is given. What only applies to the other kind of input is an error of the command line.

use super::arguments::{Check, Emit, Form, NetInput};
use super::check::{Begun, Telling, deliver, length, wish};
use super::ending::{complain, print};
use super::load::{self, Refused};
use crate::api::{self, BooleanInput, Checked, CheckedNet};
use crate::ground::exit::Exit;
use crate::report::net::{self as report, Format, NetReport};
use crate::report::text::{Colors, result_line};
use crate::system::net::Net;
use crate::system::{print_mist, print_tts};
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::path::Path;

/// Options of `check` that apply to Boolean programs only.
const ONLY_PROGRAMS: [&str; 14] = [
    "error_label",
    "entry",
    "property",
    "bdd",
    "reduce",
    "threads",
    "context_bound",
    "proof",
    "unroll",
    "save_run",
    "html",
    "sarif",
    "dot",
    "witness",
];

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
            wrong.or_else(|| belongs_to_tts(format, &arguments.net)).or_else(|| method(arguments))
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

/// What is wrong, if the engine does not decide nets.
fn method(arguments: &Check) -> Option<String> {
    api::method(wish(arguments.work.engine)).err().map(|refusal| refusal.to_string())
}

/// `boolero check` for a net. Ends the process itself once there is a report.
pub fn check(arguments: &Check, format: Format, output: Colors, errors: Colors) -> Exit {
    let begun = match Begun::new(&arguments.input.file, &arguments.work) {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    super::panic_on_demand();
    let input = input(&arguments.input.file, format, &arguments.net);
    let checked = input.and_then(|input| {
        let options = begun.checking(&arguments.work);
        let checked = api::check(&input, &options, &mut Telling { begun: &begun, errors });
        Ok((input, checked.map_err(|refusal| load::refuse(&refusal, errors))?))
    });
    let (input, checked) = match checked {
        Ok((input, Checked::Net(checked))) => (input, *checked),
        Ok((_, Checked::Program(_))) => unreachable!("it is a net"),
        Err(Refused(exit)) => return begun.refused(&arguments.work, exit),
    };
    let (trace, usage) = (length(&arguments.work), begun.usage(&arguments.work));
    let CheckedNet { net, outcome } = &checked;
    let report = NetReport { source: input.source(), format, net: net.as_ref(), outcome, trace, usage };
    let last_line = || result_line(&outcome.overall(), output);
    deliver(&arguments.work, || report::json(&report), || report::text(&report, output), last_line);
    super::end(&outcome.overall())
}

/// The net that the arguments name.
fn input(file: &Path, format: Format, input: &NetInput) -> Result<BooleanInput, Refused> {
    let source = load::source(file)?;
    let targets = input.target.as_deref().map(load::source).transpose()?;
    Ok(BooleanInput::Net { source, format, initial: input.init.clone(), targets })
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
    match emitted(arguments, format, printer, errors) {
        Ok(text) => {
            print(&text);
            Exit::Holds
        }
        Err(Refused(exit)) => exit,
    }
}

fn emitted(
    arguments: &Emit,
    format: Format,
    printer: fn(&Net) -> Result<String, String>,
    errors: Colors,
) -> Result<String, Refused> {
    super::panic_on_demand();
    let source = load::source(&arguments.input.file)?;
    let targets = arguments.net.target.as_deref().map(load::source).transpose()?;
    let net = api::load_net(&source, format, arguments.net.init.as_deref(), targets.as_ref());
    let net = net.map_err(|refusal| load::refuse(&refusal, errors))?;
    let told = match net.map(|net| printer(&net)) {
        Ok(Ok(text)) => return Ok(text),
        Ok(Err(why)) => format!("`{}` cannot be written in this form: {why}", source.name()),
        Err(reason) => format!("`{}`: {reason}", source.name()),
    };
    complain(&told);
    Err(Refused(Exit::Input))
}
