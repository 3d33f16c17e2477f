//! The command line: reads it, runs the command on a thread with a large stack, ends the process.
//!
//! A panic anywhere in the command is a defect of Boolero. It is caught here and told in one message that
//! asks for a report; it is never mistaken for a verdict (exit code 6).

mod aliases;
mod arguments;
mod boom;
mod c;
mod check;
mod doctor;
mod driver;
mod ending;
mod load;
mod net;
mod progress;
mod replay;
mod reports;
mod run;
mod states;
mod tools;
mod values;
mod verify;

use crate::ground::exit::Exit;
use crate::ground::reason::{Defect, Reason};
use crate::ground::verdict::Overall;
use crate::report::text::Colors;
use arguments::{Cli, Color, Command};
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;

/// Passes over programs do not recurse, but those of libraries may. The memory is taken only when it is used.
const STACK: usize = 256 << 20;

/// Where and why a thread panicked.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs the command line of this process and ends it.
pub fn main() -> ! {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ending::finish(guarded(&arguments))
}

/// Runs a command line, first on a thread of its own.
fn guarded(arguments: &[OsString]) -> Exit {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut text) = PANIC.lock() {
            text.get_or_insert_with(|| panic.to_string());
        }
    }));
    let own = arguments.to_vec();
    let worker = std::thread::Builder::new().name("work".into()).stack_size(STACK).spawn(move || run(&own));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        Ok(Err(_)) => internal_error(arguments),
        Err(error) => {
            ending::complain(&format!("cannot start a thread: {error}"));
            Exit::Internal
        }
    }
}

fn internal_error(arguments: &[OsString]) -> Exit {
    let text = PANIC.lock().ok().and_then(|mut text| text.take()).unwrap_or_else(|| "a panic".to_owned());
    ask_for_report(&text, arguments);
    ending::broken_off(&Defect::Panic.to_string(), Exit::Internal)
}

fn ask_for_report(defect: &str, arguments: &[OsString]) {
    let command: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    ending::complain(&format!(
        "Boolero has a defect: {defect}\n\
         Please report it with the input file and these two lines:\n  boolero {}\n  {}",
        env!("CARGO_PKG_VERSION"),
        command.join(" ")
    ));
}

/// Ends the process after a report. A defect that was noticed in time is told like any other.
fn end(overall: &Overall) -> ! {
    if let Overall::Unknown(Reason::Defect(defect)) = overall {
        let arguments: Vec<OsString> = std::env::args_os().collect();
        ask_for_report(&defect.to_string(), &arguments);
    }
    ending::finish(overall.exit())
}

fn run(arguments: &[OsString]) -> Exit {
    let renamed = match dispatched(arguments).and_then(aliases::renamed) {
        Ok(renamed) => renamed,
        Err(message) => {
            ending::complain(&message);
            return Exit::Usage;
        }
    };
    renamed.notes.iter().for_each(|note| ending::note(note));
    let matches = Cli::command().try_get_matches_from(renamed.arguments);
    match matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches))) {
        Ok((cli, matches)) => command(&cli, &matches),
        Err(error) => {
            // Nothing can be done about a closed stream.
            let _ = error.print();
            if error.use_stderr() { Exit::Usage } else { Exit::Holds }
        }
    }
}

/// Panics if the environment asks for it: the suite tries out what happens then. Only in debug builds.
fn panic_on_demand() {
    assert!(!cfg!(debug_assertions) || std::env::var_os("BOOLERO_TEST_PANIC").is_none(), "as asked for");
}

/// Whether the environment asks for counterexamples that are wrong: the suite tries out what happens then. Only in debug builds.
fn spoiled_on_demand() -> bool {
    cfg!(debug_assertions) && std::env::var_os("BOOLERO_TEST_DEFECT").is_some()
}

fn command(cli: &Cli, matches: &ArgMatches) -> Exit {
    let output = colors(cli.color, std::io::stdout().is_terminal());
    let errors = colors(cli.color, std::io::stderr().is_terminal());
    match &cli.command {
        Command::Check(arguments) => {
            let format = net::format(&arguments.input.file, &arguments.net);
            if let Some(message) = net::misplaced(format, arguments, matches) {
                ending::complain(&message);
                return Exit::Usage;
            }
            match format {
                Some(format) => net::check(arguments, format, output, errors),
                None => check::run(arguments, output, errors),
            }
        }
        Command::Verify(arguments) => verify::run(arguments, output),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Abstract(arguments) => verify::abstracted(arguments),
        Command::List(arguments) => tools::list(arguments, errors),
        Command::Fmt(arguments) => tools::fmt(arguments, errors),
        Command::Emit(arguments) => tools::emit(arguments, errors),
        Command::Run(arguments) => run::run(arguments),
        Command::Driver(arguments) => driver::run(arguments),
        Command::Report(arguments) => reports::report(arguments),
        Command::Doctor => doctor::doctor(),
        Command::ReadModule => ending::finish_with(crate::llvm::read::child::serve()),
        Command::Boom(arguments) => boom::run(arguments, errors),
        Command::Completions { shell } => tools::completions(*shell),
        Command::Man => tools::man(),
    }
}

fn colors(wish: Color, terminal: bool) -> Colors {
    let wanted = match wish {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    if wanted { Colors::Ansi } else { Colors::Plain }
}

/// `boolero FILE` is the command for the file's kind; under the name `boom` it is always `boolero boom`.
///
/// # Errors
/// There is no command for this kind of file.
fn dispatched(arguments: &[OsString]) -> Result<Vec<OsString>, String> {
    let mut arguments = arguments.to_vec();
    if is_called_boom(&arguments) {
        arguments.insert(1, "boom".into());
        return Ok(arguments);
    }
    let Some(first) = arguments.get(1).map(|first| first.to_string_lossy().into_owned()) else {
        return Ok(arguments);
    };
    let is_command = first == "help" || Cli::command().find_subcommand(&first).is_some();
    if first.starts_with('-') && first != "-" {
        // Options of `check` before the file.
        if arguments.iter().skip(1).all(|word| !is_command_word(word)) && arguments.iter().any(is_program) {
            arguments.insert(1, "check".into());
        }
        return Ok(arguments);
    }
    if is_command {
        return Ok(arguments);
    }
    if is_program(&arguments[1]) {
        arguments.insert(1, "check".into());
        return Ok(arguments);
    }
    let path = Path::new(&first);
    if c::is_c(path) {
        arguments.insert(1, "verify".into());
        return Ok(arguments);
    }
    if path.extension().is_some() || path.is_file() {
        return Err(format!(
            "`{first}` is no kind of file that Boolero knows; Boolean programs end in `.bp`, nets in `.tts` or `.spec`, C in `.c`, `.i`, `.bc`, `.ll` or `.yml`; compilation databases end in `.json`"
        ));
    }
    Ok(arguments)
}

fn is_called_boom(arguments: &[OsString]) -> bool {
    arguments.first().is_some_and(|name| Path::new(name).file_stem().is_some_and(|stem| stem == "boom"))
}

fn is_program(word: &OsString) -> bool {
    let known = ["bp", "tts", "spec"];
    Path::new(word).extension().is_some_and(|extension| known.iter().any(|known| extension == *known))
}

fn is_command_word(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| Cli::command().find_subcommand(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispatch(words: &str) -> Result<String, String> {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let words = dispatched(&words)?;
        Ok(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn files_are_dispatched_by_extension() {
        assert_eq!(dispatch("boolero a.bp").as_deref(), Ok("boolero check a.bp"));
        assert_eq!(dispatch("boolero -q a.bp").as_deref(), Ok("boolero check -q a.bp"));
        assert_eq!(dispatch("boolero --threads 2 a.bp").as_deref(), Ok("boolero check --threads 2 a.bp"));
        assert_eq!(dispatch("boolero a.spec").as_deref(), Ok("boolero check a.spec"));
        assert_eq!(
            dispatch("boolero --target a.prop a.tts").as_deref(),
            Ok("boolero check --target a.prop a.tts")
        );
        assert_eq!(dispatch("boolero a.c").as_deref(), Ok("boolero verify a.c"));
    }

    #[test]
    fn the_name_boom_is_a_command() {
        assert_eq!(dispatch("/usr/bin/boom -t a.bp").as_deref(), Ok("/usr/bin/boom boom -t a.bp"));
        assert_eq!(dispatch("boom list.bp").as_deref(), Ok("boom boom list.bp"));
        assert_eq!(dispatch("boolero boom -t a.bp").as_deref(), Ok("boolero boom -t a.bp"));
    }

    #[test]
    fn commands_stay_as_they_are() {
        for words in
            ["boolero list a.bp", "boolero --color never list a.bp", "boolero --help", "boolero frobnicate"]
        {
            assert_eq!(dispatch(words).as_deref(), Ok(words));
        }
    }
}
