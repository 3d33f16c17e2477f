//! `boolero driver`: a device driver under its rules.

use super::arguments::{Driver as Arguments, TraceLength};
use super::c;
use super::ending::{complain, print};
use super::load::Refused;
use crate::api::Refusal;
use crate::drivers::{self, Checked, Driver, Options, Row, Standing, check, tell};
use crate::ground::exit::Exit;

/// Verifies a driver.
pub fn run(arguments: &Arguments) -> Exit {
    match verified(arguments) {
        Ok(exit) => exit,
        Err(refusal) => {
            let Refused(exit) = c::refuse(&refusal);
            exit
        }
    }
}

fn verified(arguments: &Arguments) -> Result<Exit, Refusal> {
    let driver = Driver::read(&arguments.file)?;
    if let Some(path) = &arguments.emit_harness {
        if let Err(error) = std::fs::write(path, drivers::emitted(&driver)) {
            complain(&format!("cannot write `{}`: {error}", path.display()));
            return Ok(Exit::Usage);
        }
        return Ok(Exit::Holds);
    }
    let rules = check::rules(&arguments.rule)?;
    if !arguments.quiet {
        print(&(tell::map(&driver) + "\n"));
    }
    let options = Options {
        timeout: Some(arguments.timeout),
        memory: arguments.memory,
        last_resort: |stop| super::ending::broken_off(&stop.to_string(), Exit::Unknown),
        runs: arguments.hunt,
        define: arguments.define.clone(),
        include: arguments.include.clone(),
    };
    let mut told = |row: &Row| print(&tell::row(row));
    let checked = drivers::check(&driver, &rules, &options, &mut told)?;
    if !arguments.quiet && arguments.trace != TraceLength::None {
        print(&tell::details(&checked, arguments.trace == TraceLength::Full));
    }
    print(&format!("result: {}\n", result(&checked)));
    Ok(exit(&checked))
}

fn exit(checked: &Checked) -> Exit {
    let any = |is: fn(&Standing) -> bool| checked.rows.iter().any(|row| is(&row.standing));
    if any(|standing| matches!(standing, Standing::Violated(_))) {
        Exit::Violated
    } else if any(|standing| matches!(standing, Standing::Unknown(_)))
        || !any(|standing| *standing == Standing::Holds)
    {
        Exit::Unknown
    } else {
        Exit::Holds
    }
}

fn result(checked: &Checked) -> String {
    match exit(checked) {
        Exit::Violated => "violated".to_owned(),
        Exit::Holds => "holds".to_owned(),
        _ if checked.rows.iter().all(|row| matches!(row.standing, Standing::NotApplicable(_))) => {
            "unknown (no rule is applicable)".to_owned()
        }
        _ => "unknown (not every rule is decided)".to_owned(),
    }
}
