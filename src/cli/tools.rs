//! The commands that decide nothing: `list`, `fmt`, `emit`, `completions`, `man`.

use super::arguments::{Cli, Emit, Fmt, Form, List};
use super::ending::{complain, is_standard, print};
use super::load::{self, Loaded, Refused};
use super::{c, net};
use crate::bdd::BackEnd;
use crate::boolean::cfg::PropertyId;
use crate::boolean::cfg_text::cfg_text;
use crate::boolean::dot::dot;
use crate::boolean::{parse, print as printer};
use crate::engine::karp_miller::KarpMiller;
use crate::ground::event::Silent;
use crate::ground::exit::Exit;
use crate::ground::limits::Limits;
use crate::ground::reason::Reason;
use crate::ground::run::Run;
use crate::ground::source::{SourceFile, Span};
use crate::report::json;
use crate::report::text::{self, Colors};
use crate::system::enumerate::net_of;
use crate::system::net::Net;
use crate::system::{print_mist, print_tts};
use clap::CommandFactory;
use clap_mangen::Man;
use std::path::Path;

/// `boolero list`
pub fn list(arguments: &List, errors: Colors) -> Exit {
    if c::is_c(&arguments.input.file) {
        return c::list(arguments);
    }
    if let Some(message) = c::misplaced(&arguments.c) {
        complain(&message);
        return Exit::Usage;
    }
    if net::is_net(&arguments.input.file) {
        complain("only the properties of Boolean programs can be listed; a net has its targets");
        return Exit::Usage;
    }
    let loaded = match load::program(&arguments.input, errors) {
        Ok(loaded) => loaded,
        Err(Refused(exit)) => return exit,
    };
    let document = || json::list(&loaded.source, &loaded.program);
    match &arguments.json {
        Some(path) if is_standard(path) => {
            print(&document());
            return Exit::Holds;
        }
        Some(path) => {
            if let Err(error) = std::fs::write(path, document()) {
                complain(&format!("cannot write `{}`: {error}", path.display()));
                return Exit::Usage;
            }
        }
        None => {}
    }
    print(&text::list(&loaded.source, &loaded.program));
    Exit::Holds
}

/// `boolero emit`
pub fn emit(arguments: &Emit, errors: Colors) -> Exit {
    if c::is_c(&arguments.input.file) {
        return c::emit(arguments);
    }
    if let Some(message) = c::misplaced(&arguments.c) {
        complain(&message);
        return Exit::Usage;
    }
    if let Some(format) = net::format(&arguments.input.file, &arguments.net) {
        return net::emit(arguments, format, errors);
    }
    let loaded = match load::program(&arguments.input, errors) {
        Ok(loaded) => loaded,
        Err(Refused(exit)) => return exit,
    };
    let text = match arguments.form {
        Form::Cfg => Ok(cfg_text(&loaded.program)),
        Form::Dot => Ok(dot(&loaded.program)),
        Form::Tts => net_of_program(&loaded).and_then(|net| print_tts::print(&net)),
        Form::Mist => net_of_program(&loaded).and_then(|net| print_mist::print(&net)),
        Form::KarpMiller => karp_miller_tree(&loaded),
        Form::Cfa | Form::Smt | Form::Ir => {
            complain("only C programs have this form");
            return Exit::Usage;
        }
    };
    match text {
        Ok(text) => {
            print(&text);
            Exit::Holds
        }
        Err(why) => {
            complain(&format!("`{}` cannot be written in this form: {why}", loaded.source.name()));
            Exit::Input
        }
    }
}

/// The Karp–Miller tree of a program, or why there is none.
fn karp_miller_tree(loaded: &Loaded) -> Result<String, String> {
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let line = |span: Span| loaded.source.line(span.start);
    KarpMiller::new(BackEnd::Biodivine).dot(&loaded.program, line, run).map_err(|reason| reason.to_string())
}

/// The net of a program with all its properties, or why there is none.
fn net_of_program(loaded: &Loaded) -> Result<Net, String> {
    let properties: Vec<PropertyId> = loaded.program.properties.ids().collect();
    let line = |span: Span| u32::try_from(loaded.source.line(span.start)).unwrap_or(0);
    net_of(&loaded.program, &properties, line, &Limits::none())
        .map_err(|refusal| Reason::from(refusal).to_string())
}

/// `boolero fmt`
pub fn fmt(arguments: &Fmt, errors: Colors) -> Exit {
    if let Some(path) = arguments.files.iter().find(|path| net::is_net(path)) {
        complain(&format!("`{}` is a net; only Boolean programs can be formatted", path.display()));
        return Exit::Usage;
    }
    let mut worst = Exit::Holds;
    for path in &arguments.files {
        let exit = match (formatted(path, errors), arguments.check) {
            (Err(Refused(exit)), _) => exit,
            (Ok((source, text)), true) => compare(&source, &text),
            (Ok((source, text)), false) => replace(path, &source, &text),
        };
        // A wrong input weighs more than a file that is not formatted.
        if exit != Exit::Holds && worst != Exit::Input {
            worst = exit;
        }
    }
    worst
}

/// A file and what it should look like.
fn formatted(path: &Path, errors: Colors) -> Result<(SourceFile, String), Refused> {
    let source = load::source(path)?;
    let syntax = load::syntax(&source, errors)?;
    let text = printer::print(&syntax);
    // A file is never replaced by one that means something else.
    let again = parse::parse(&SourceFile::new(source.name(), text.clone()));
    assert!(again.as_ref() == Ok(&syntax), "{} would be another program after formatting", source.name());
    Ok((source, text))
}

fn compare(source: &SourceFile, text: &str) -> Exit {
    if source.text() == text {
        return Exit::Holds;
    }
    print(&format!("{}\n", source.name()));
    Exit::Usage
}

fn replace(path: &Path, source: &SourceFile, text: &str) -> Exit {
    if is_standard(path) {
        print(text);
    } else if source.text() != text
        && let Err(error) = std::fs::write(path, text)
    {
        complain(&format!("cannot write `{}`: {error}", path.display()));
        return Exit::Input;
    }
    Exit::Holds
}

/// `boolero completions`
pub fn completions(shell: clap_complete::Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "boolero", &mut script);
    print(&String::from_utf8_lossy(&script));
    Exit::Holds
}

/// `boolero man`: one page, with a section for each command.
pub fn man() -> Exit {
    match manual() {
        Ok(page) => print(&page),
        Err(error) => complain(&format!("the manual page cannot be made: {error}")),
    }
    Exit::Holds
}

fn manual() -> std::io::Result<String> {
    let mut cli = Cli::command();
    cli.build();
    let mut page = Vec::new();
    let man = Man::new(cli.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
        page.extend(section(command)?.into_bytes());
    }
    man.render_extra_section(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// The section of a command; what are sections on a page of its own become subsections.
fn section(command: &clap::Command) -> std::io::Result<String> {
    let mut text = Vec::new();
    let man = Man::new(command.clone());
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    let text = String::from_utf8_lossy(&text).replace(".SH ", ".SS ");
    Ok(format!(".SH \"BOOLERO {}\"\n{text}", command.get_name().to_uppercase()))
}
