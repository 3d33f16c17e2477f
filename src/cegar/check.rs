//! The Boolean program is checked: what holds, holds; the rest has counterexamples.
//!
//! What is not modelled is asked for along with the properties: as long as a run may get there, nothing holds. Its own
//! counterexamples are looked at only when there are no others.

use super::proof::Proof;
use super::{Loop, Verdict};
use crate::abstraction::{Abstraction, Goal};
use crate::boolean::cfg;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::trace::Trace;
use crate::checker;
use crate::ground::reason::{Defect, Reason};
use crate::predicate::PathStep;
use crate::program::PropertyId;
use indexmap::IndexMap;

/// So many counterexamples are learnt from in one iteration.
const AT_ONCE: usize = 8;

/// An abstract counterexample.
pub(super) struct Counterexample {
    /// What it violates.
    pub goal: Goal,
    /// Its way through the program.
    pub path: Vec<PathStep>,
}

/// The shortest trace to each goal, if there is any.
type Traces = IndexMap<Goal, Option<Box<Trace>>>;

impl Loop<'_> {
    /// Checks the Boolean program; tells the counterexamples to learn from.
    pub(super) fn checked(&mut self, abstraction: Abstraction) -> Result<Vec<Counterexample>, Reason> {
        let program = check(&abstraction.program, &CheckOptions::default());
        let (program, _) = program.map_err(|errors| Defect::MalformedAbstraction(format!("{errors:?}")))?;
        let asked = self.asked(&program, &abstraction);
        let outcome = checker::check_next(&program, &asked, &mut self.kept, self.run);
        let iteration = self.iteration();
        (iteration.engine, iteration.statements) = (outcome.engine, program.nodes.len());
        let sound = outcome.verdicts.iter().any(|(_, verdict)| *verdict == Verdict::Holds);
        let traces = traces(&abstraction, outcome.verdicts)?;
        let proven = self.prove(&traces);
        let found = self.counterexamples(&program, &abstraction, &traces);
        if proven {
            // Only a sound check says "holds"; one that found violations alone may have left out the rest.
            self.record.checks.extend(sound.then_some(outcome.assurance));
            self.proofs.push(Proof { precision: self.precision.clone(), abstraction, graph: program });
        }
        Ok(found)
    }

    /// The question: properties that are open, and what is not modelled.
    fn asked(&self, program: &cfg::Program, abstraction: &Abstraction) -> checker::Options {
        let open = |id: &cfg::PropertyId| match abstraction.property(*id) {
            Goal::Property(property) => self.is_at_work(property),
            Goal::Unsupported(..) => self.unsupported.is_none(),
        };
        let properties = program.properties.ids().filter(open).collect();
        checker::Options { properties: Some(properties), ..self.options.checker.clone() }
    }

    /// What has no trace holds, unless a run may get to what is not modelled. Tells whether anything does.
    fn prove(&mut self, traces: &Traces) -> bool {
        let unmodelled = |(goal, trace): (&Goal, &Option<Box<Trace>>)| {
            matches!(goal, Goal::Unsupported(..)) && trace.is_some()
        };
        if self.unsupported.is_some() || traces.iter().any(unmodelled) {
            return false;
        }
        // Of properties that are put off nothing was asked, and a slice for others may lack their edges.
        let untraced = |property: &PropertyId| {
            self.is_at_work(*property) && traces.get(&Goal::Property(*property)).is_none_or(Option::is_none)
        };
        let proven: Vec<PropertyId> = self.verdicts.keys().copied().filter(untraced).collect();
        for &property in &proven {
            self.verdicts.insert(property, Some(Verdict::Holds));
            self.tell_verdict(property, "holds");
        }
        !proven.is_empty()
    }

    /// The counterexamples to learn from: short ones.
    fn counterexamples(
        &mut self,
        program: &cfg::Program,
        abstraction: &Abstraction,
        traces: &Traces,
    ) -> Vec<Counterexample> {
        let path = |(&goal, trace): (&Goal, &Option<Box<Trace>>)| {
            Some(Counterexample { goal, path: abstraction.path(program, trace.as_deref()?) })
        };
        let mut found: Vec<Counterexample> = traces.iter().filter_map(path).collect();
        if found.iter().any(|one| matches!(one.goal, Goal::Property(_))) {
            found.retain(|one| matches!(one.goal, Goal::Property(_)));
        }
        found.sort_by_key(|one| one.path.len());
        found.truncate(AT_ONCE);
        self.iteration().steps = found.iter().map(|one| one.path.len()).collect();
        found
    }
}

/// The shortest trace to each goal.
fn traces(
    abstraction: &Abstraction,
    verdicts: Vec<(cfg::PropertyId, Verdict<Trace>)>,
) -> Result<Traces, Reason> {
    let mut traces = Traces::new();
    for (id, verdict) in verdicts {
        let known = traces.entry(abstraction.property(id)).or_insert(None);
        match verdict {
            Verdict::Holds => {}
            Verdict::Violated(trace) => {
                if known.as_ref().is_none_or(|known| trace.steps.len() < known.steps.len()) {
                    *known = Some(trace);
                }
            }
            Verdict::Unknown(reason) => return Err(reason),
        }
    }
    Ok(traces)
}
