//! Ends and events of a run in one line each.

use super::outcome::{Bound, End, Event, FaultReport};
use std::fmt;

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.fault.name(), self.text)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "too many steps",
            Self::Stack => "calls nest too deeply",
            Self::Memory => "objects take too much memory",
            Self::Threads => "too many threads",
        })
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "exit with code {code}"),
            Self::Abort => f.write_str("aborted"),
            Self::AssertionFailed(text) => write!(f, "assertion failed: {text}"),
            Self::ErrorReached(name) => write!(f, "`{name}` was reached"),
            Self::Fault(report) => write!(f, "fault: {report}"),
            Self::Stopped(report) => write!(f, "ended by a fault that is not checked: {report}"),
            Self::AssumptionFailed => f.write_str("an assumption does not hold: the run does not count"),
            Self::Unsupported(text) => write!(f, "unsupported: {text}"),
            Self::Bound(bound) => write!(f, "stopped: {bound}"),
            Self::Deadlock(_) => f.write_str("deadlock"),
            Self::Interrupted(stop) => write!(f, "stopped: {stop:?}"),
            Self::Choices(error) => write!(f, "the choices do not fit: {error}"),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store { target, value } => write!(f, "{target} = {value}"),
            Self::Call { function, arguments } => write!(f, "{function}({})", arguments.join(", ")),
            Self::Return { function, value: Some(value) } => write!(f, "{function} returns {value}"),
            Self::Return { function, value: None } => write!(f, "{function} returns"),
            Self::Choice { what, value } => write!(f, "{what}: {value}"),
            Self::Output(text) => write!(f, "writes {text:?}"),
            Self::Fault(report) => write!(f, "{report}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_events_read_like_sentences() {
        assert_eq!(End::Exit(3).to_string(), "exit with code 3");
        assert_eq!(End::Bound(Bound::Steps).to_string(), "stopped: too many steps");
        let call = Event::Call { function: "f".into(), arguments: vec!["1".into(), "&x".into()] };
        assert_eq!(call.to_string(), "f(1, &x)");
    }
}
