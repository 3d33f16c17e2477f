//! The output of BOOM, as SATABS reads it.
//!
//! A line is exactly `VERIFICATION SUCCESSFUL` or `VERIFICATION FAILED`. A failure has a line `TRACE …` for each step:
//! the thread, the labels of the statement, the state *before* it: the globals, then the locals of thread 0, of thread 1,
//! and so on; and for a condition whether it held. SATABS looks for labels `PC<n>` and skips lines without; it gives
//! the first value of a local to thread 0, the second to thread 1, …, and expects as many values as it has seen
//! `start_thread` statements, plus one, or as many as the bound, which it reads from a line `threadbound=<n>`.
//!
//! So threads that have ended keep their place with the values they had, and only at the bound does a new thread take
//! the place of one that has ended. Of a stack the innermost frame is told: in the programs of SATABS every procedure
//! declares the same locals.

use crate::boolean::cfg::{NodeId, Op, Origin, ProcedureId, Program};
use crate::boolean::trace::{Step, Trace};
use crate::certify;
use crate::checker::Outcome;
use crate::engine::Threads;
use crate::ground::bits::Bits;
use crate::ground::verdict::{Overall, Verdict};
use std::fmt::Write as _;

/// How many steps are told at most.
const LONGEST: u64 = 1_000_000;

/// Whether the steps of a failure are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// They are.
    Told,
    /// Only the verdict.
    Omitted,
}

/// What BOOM would print; `None` if there is no verdict.
#[must_use]
pub fn report(program: &Program, outcome: &Outcome, threads: Threads, steps: Steps) -> Option<String> {
    match outcome.overall() {
        Overall::Unknown(_) => None,
        Overall::Holds => Some("VERIFICATION SUCCESSFUL\n".to_owned()),
        Overall::Violated => {
            let violated = outcome.verdicts.iter().find_map(|(_, verdict)| match verdict {
                Verdict::Violated(trace) => certify::expand(trace, LONGEST),
                _ => None,
            });
            let told = violated.filter(|_| steps == Steps::Told);
            let trace = told.map(|trace| Teller::new(program, &trace, threads).tell(&trace));
            Some(trace.unwrap_or_default() + "VERIFICATION FAILED\n")
        }
    }
}

struct Frame {
    procedure: ProcedureId,
    locals: Bits,
}

/// A thread, or one that has ended.
struct Place {
    /// Its lasting number; `None` once it has ended.
    thread: Option<usize>,
    /// Its frames; of a thread that has ended, the last one it had.
    frames: Vec<Frame>,
    /// The last condition that it came to.
    condition: Option<NodeId>,
}

struct Teller<'p> {
    program: &'p Program,
    bound: Option<usize>,
    globals: Bits,
    places: Vec<Place>,
    upcoming: usize,
    out: String,
}

impl<'p> Teller<'p> {
    fn new(program: &'p Program, trace: &Trace, threads: Threads) -> Self {
        let frame = Frame { procedure: program.entry, locals: trace.initial.locals.clone() };
        let first = Place { thread: Some(0), frames: vec![frame], condition: None };
        let bound = match threads {
            Threads::AtMost(bound) => Some(bound),
            Threads::Unbounded => None,
        };
        let globals = trace.initial.globals.clone();
        Self { program, bound, globals, places: vec![first], upcoming: 1, out: String::new() }
    }

    fn tell(mut self, trace: &Trace) -> String {
        for step in &trace.steps {
            if let Some(place) = self.place_of(step.thread) {
                self.line(place, step);
                self.follow(place, step);
            }
        }
        if let Some(place) = self.place_of(trace.thread) {
            self.write(place, self.program.properties[trace.property].node, "");
        }
        let bound = self.bound.unwrap_or(self.places.len());
        format!("threadbound={bound}\n{}", self.out)
    }

    fn place_of(&self, thread: usize) -> Option<usize> {
        self.places.iter().position(|place| place.thread == Some(thread))
    }

    /// Tells a step that is a statement of the source, a condition when it is evaluated.
    fn line(&mut self, place: usize, step: &Step) {
        match self.program.nodes[step.node].origin {
            Origin::Statement => self.write(place, step.node, ""),
            Origin::Branch => self.places[place].condition = Some(step.node),
            Origin::Taken | Origin::NotTaken => {
                let taken = self.program.nodes[step.node].origin == Origin::Taken;
                let head = self.places[place].condition.take().unwrap_or(step.node);
                self.write(place, head, if taken { " TAKEN=1" } else { " TAKEN=0" });
            }
            Origin::Initial | Origin::FallOff | Origin::Start => {}
        }
    }

    fn write(&mut self, place: usize, node: NodeId, end: &str) {
        let _ = write!(self.out, "TRACE t={place}");
        for label in &self.program.nodes[node].labels {
            let _ = write!(self.out, " {label}");
        }
        for (variable, value) in self.program.globals().zip(self.globals.iter()) {
            let _ = write!(self.out, " {}={}", self.program.variables[variable].name, u8::from(value));
        }
        for frame in self.places.iter().filter_map(|place| place.frames.last()) {
            let procedure = &self.program.procedures[frame.procedure];
            for (&variable, value) in procedure.locals.iter().zip(frame.locals.iter()) {
                let name = &self.program.variables[variable].name;
                let _ = write!(self.out, " {}::{name}={}", procedure.name, u8::from(value));
            }
        }
        self.out.push_str(end);
        self.out.push('\n');
    }

    /// Does what a step does.
    fn follow(&mut self, place: usize, step: &Step) {
        self.globals = step.after.globals.clone();
        let Place { thread, frames, .. } = &mut self.places[place];
        match (&self.program.nodes[step.node].op, step.after.node) {
            (_, None) => *thread = None,
            (Op::Call { procedure, .. }, _) => {
                frames.push(Frame { procedure: *procedure, locals: step.after.locals.clone() });
            }
            (op, _) => {
                if matches!(op, Op::Return(_)) {
                    frames.pop();
                }
                if let Some(frame) = frames.last_mut() {
                    frame.locals = step.after.locals.clone();
                }
            }
        }
        for passive in &step.passive {
            let place = self.place_of(passive.thread);
            let frame = place.and_then(|place| self.places[place].frames.get_mut(passive.depth));
            if let Some(frame) = frame {
                frame.locals = passive.locals.clone();
            }
        }
        if let Some(view) = &step.started {
            let procedure = view.node.map_or(self.program.entry, |node| self.program.nodes[node].procedure);
            self.start(Frame { procedure, locals: view.locals.clone() });
        }
    }

    /// A new thread: in a place of its own, or at the bound in that of a thread that has ended.
    fn start(&mut self, frame: Frame) {
        let started = Place { thread: Some(self.upcoming), frames: vec![frame], condition: None };
        self.upcoming += 1;
        let full = self.bound.is_some_and(|bound| self.places.len() >= bound);
        let free = self.places.iter().position(|place| place.thread.is_none());
        match free.filter(|_| full) {
            Some(free) => self.places[free] = started,
            None => self.places.push(started),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boolean::check::{CheckOptions, check};
    use crate::boolean::parse::parse;
    use crate::checker::{Options, check_program};
    use crate::ground::event::Silent;
    use crate::ground::limits::Limits;
    use crate::ground::run::Run;
    use crate::ground::source::SourceFile;

    fn printed(text: &str, threads: Threads) -> String {
        let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
        let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
        let options = Options { threads, ..Options::default() };
        let limits = Limits::none();
        let outcome = check_program(&program, &options, Run { limits: &limits, observer: &Silent });
        report(&program, &outcome, threads, Steps::Told).expect("there is a verdict")
    }

    #[test]
    fn the_state_is_that_before_the_statement() {
        let text = "decl b0 := 0; void main() begin decl b1 := 0;\n\
                    PC0: b0, b1 := 0, 1; PC1: if b1 then goto l; fi; PC2: skip; l: PC3: assert(b0); end";
        let expected = "threadbound=1\n\
                        TRACE t=0 PC0 b0=0 main::b1=0\n\
                        TRACE t=0 PC1 b0=0 main::b1=1 TAKEN=1\n\
                        TRACE t=0 b0=0 main::b1=1\n\
                        TRACE t=0 l PC3 b0=0 main::b1=1\n\
                        VERIFICATION FAILED\n";
        assert_eq!(printed(text, Threads::Unbounded), expected);
    }

    #[test]
    fn every_thread_has_its_locals_even_after_its_end() {
        let text = "decl b0 := 0; void main() begin decl b1 := 0; start_thread goto l; assume(b0); PC9: assert(0);\n\
                    l: b1 := 1; b0 := 1; end_thread; end";
        let found = printed(text, Threads::AtMost(2));
        assert!(found.contains("TRACE t=1 b0=0 main::b1=0 main::b1=1\n"), "{found}");
        assert!(found.contains("TRACE t=0 PC9 b0=1 main::b1=0 main::b1=1\n"), "{found}");
    }

    #[test]
    fn at_the_bound_a_new_thread_takes_the_place_of_one_that_ended() {
        let text = "decl b0 := 0, b1 := 0; void w() begin if (!b0) then b0 := 1; else b1 := 1; fi; end\n\
                    void main() begin start_thread w(); assume(b0); start_thread w(); assume(b1); assert(0); end";
        // The second thread can only be started when the first one has ended.
        let found = printed(text, Threads::AtMost(2));
        assert!(found.starts_with("threadbound=2\n") && !found.contains("t=2"), "{found}");
        assert!(printed(text, Threads::AtMost(3)).contains("t=2"), "{found}");
    }

    #[test]
    fn a_proof_is_one_line() {
        assert_eq!(printed("void main() begin skip; end", Threads::Unbounded), "VERIFICATION SUCCESSFUL\n");
    }
}
