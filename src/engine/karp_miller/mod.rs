//! Symbolic Karp–Miller [KM69; Bas10, chapter 8]: any number of threads.
//!
//! A state is a set of shared values and a *marking*: how many threads are in which local set, where a counter may be
//! ω, "any number". When a state is larger than one of its ancestors and has at least the ancestor's shared values, the
//! steps between them can be repeated, and every counter that grew becomes ω. The maximal states seen are kept as an
//! antichain; a state below one of them is not expanded. The set of states below the maximal ones is then the cover:
//! what threads can be together in, if only there are enough of them.
//!
//! Algorithm 8.1 as printed stores the state before acceleration (τ′); what must be stored and expanded is the
//! accelerated one (τ″), and so it is here. States that a larger one subsumes are dropped only while they wait to be
//! expanded, and ancestors stay for acceleration: to cut their subtrees would be incomplete [Fin91, GRB10].
//!
//! A step that other threads hear (a broadcast) moves all threads of a local set at once: repeating it does not add
//! up, so that no ω is introduced by steps with a broadcast among them. Termination is then not guaranteed. A passive
//! thread that would block a broadcast dies instead: that closure is monotone and has all runs of the program, so that
//! "unreachable" is a proof. A violation is told only with a run in which every counter is a number (`unroll`) and no
//! thread has to die.

mod cover;
mod dot;
mod marking;
mod tree;
mod unroll;

use super::counter::refused;
use super::symmetry::{Levels, Locals};
use super::{Answers, Engine, Query, Run, Threads};
use crate::bdd::{self, BackEnd};
use crate::boolean::cfg::Program;
use crate::engine::Answer;
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Reason, Stop};
use crate::ground::source::Span;
use crate::system::template::{Refusal, Template};
use tree::Tree;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct KarpMiller {
    back_end: BackEnd,
}

impl KarpMiller {
    /// The engine, on this library.
    #[must_use]
    pub fn new(back_end: BackEnd) -> Self {
        Self { back_end }
    }

    /// The Karp–Miller tree of a program as a graph for Graphviz. `line` tells the line of a place in the source.
    ///
    /// # Errors
    /// The program has no template, or a limit was reached, or the tree is too large to be drawn.
    pub fn dot(
        self,
        program: &Program,
        line: impl Fn(Span) -> usize,
        run: Run<'_>,
    ) -> Result<String, Reason> {
        let template = Template::new(program, run.limits)?;
        let levels = Levels::new(&template);
        let manager = bdd::create(self.back_end, levels.count, run.limits)?;
        let locals = Locals::new(&template, levels, manager, run.limits);
        let query = Query { properties: Vec::new(), threads: Threads::Unbounded };
        let mut tree = Tree::new(program, locals, &query, run).within(dot::LARGEST);
        tree.grow()?;
        dot::draw(program, &mut tree, &line).map_err(Reason::from)
    }
}

impl Engine for KarpMiller {
    fn name(&self) -> &'static str {
        "karp_miller"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let template = match Template::new(program, run.limits) {
            Ok(template) => template,
            Err(Refusal::Stopped(stop)) => return Err(stop),
            Err(refusal) => return Ok(refused(query, refusal)),
        };
        if let Threads::AtMost(bound) = query.threads
            && template.starts_threads()
        {
            return Ok(bounded(query, bound));
        }
        run.observer.event(Event::Phase("Karp–Miller".into()));
        let levels = Levels::new(&template);
        let manager = bdd::create(self.back_end, levels.count, run.limits)?;
        let locals = Locals::new(&template, levels, manager, run.limits);
        Tree::new(program, locals, query, run).answers()
    }
}

/// The answers to a question about a bounded number of threads, at which starting one does nothing: a run that no
/// unbounded program has.
fn bounded(query: &Query, bound: usize) -> Answers {
    let text = format!("karp_miller decides for any number of threads, not for at most {bound}");
    Answers {
        answers: vec![Answer::Unknown(Reason::Unsupported(text)); query.properties.len()],
        assurance: Assurance { sound: false, ..Assurance::exact() },
        statistics: Statistics::default(),
    }
}
