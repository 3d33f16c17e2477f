//! Proofs, and their certificates.
//!
//! A proof is kept for every iteration that proved something: what was abstracted, and the Boolean program. At the end
//! the engine tells what it reaches there, which becomes an invariant over predicates, and
//! [`certify::proof`](crate::certify::proof) judges that on the program itself. With threads the statements of the Boolean program
//! are the proof, and [`certify::threads`](crate::certify::threads) judges them. Nothing here has to be right: a proof that is none is
//! rejected.

#[cfg(test)]
mod tests;
mod threads;

use super::{Certificates, Certified, Loop, Phase, Proven, Verdict, Violation, Watcher};
use crate::abstraction::{Abstraction, Goal};
use crate::bdd::BackEnd;
use crate::boolean::cfg;
use crate::certify::proof::{Atom, Certificate, Claim, Invariant, Written, check_proof};
use crate::engine::summary::{Diagram, Moment, Reached, Summary};
use crate::ground::index::{Index as _, IndexVec};
use crate::ground::reason::{Defect, Stop};
use crate::ground::run::Run;
use crate::predicate::{Precision, PredicateId};
use crate::program::{LocationId, ProcedureId, Program, PropertyId};
use crate::term::Symbol;
use std::collections::BTreeSet;

/// What an iteration proved.
pub(super) struct Proof {
    /// What was tracked.
    pub precision: Precision,
    /// The Boolean program, as syntax
    pub abstraction: Abstraction,
    /// and as a graph.
    pub graph: cfg::Program,
}

/// Has the proofs of what holds checked again, if that was not done yet: at the end of each stage, on the program that they are
/// about. If that is a slice, what holds of it holds of the program ([`certify::slice`](crate::certify::slice)).
pub(super) fn certify(search: &mut Loop<'_>, watcher: &mut dyn Watcher) {
    let holds = |(&property, verdict): (&PropertyId, &Option<Verdict<Violation>>)| {
        (*verdict == Some(Verdict::Holds)).then_some(property)
    };
    let mut holding: BTreeSet<PropertyId> = search.verdicts.iter().filter_map(holds).collect();
    let record = &search.record;
    holding.retain(|property| !record.by_run.contains(property));
    if !record.certificates.is_empty() {
        holding.retain(|property| !record.certificates.iter().any(|(known, _)| known.contains(property)));
    } else if holding.is_empty() {
        let only = search.record.only_run.map(|steps| {
            Certified::Yes(format!("the program has no choices, and its only run was made, {steps} steps"))
        });
        let all = search.record.all_states.map(|seen| match seen.told() {
            Ok(text) => Certified::Yes(text),
            Err(text) => Certified::No(text),
        });
        search.record.certified = only.or(all).unwrap_or_default();
        return;
    }
    if search.options.certificate == Certificates::None {
        search.record.certified = Certified::No("--no-certificate".to_owned());
        return;
    }
    if !holding.is_empty() {
        let _ = search.timed(Phase::Certificate, |it| certify_these(it, holding, watcher));
    }
}

/// Has these properties' proofs checked again. A limit that is reached here stops nothing: the verdicts stand, without
/// a certificate.
fn certify_these(
    search: &mut Loop<'_>,
    holding: BTreeSet<PropertyId>,
    watcher: &mut dyn Watcher,
) -> Result<(), Stop> {
    let program = &*search.task.program;
    let threaded = program.starts_threads();
    let certificates = match threaded {
        true => threads::certificates(program, &search.proofs, holding, search.run),
        false => {
            certificates(program, &search.proofs, holding, search.run, &mut |proven| watcher.proven(proven))
        }
    };
    for (properties, why) in rejected(&certificates) {
        let unknown = Verdict::Unknown(Defect::CertificateRejected(why.to_owned()).into());
        properties.iter().for_each(|&property| _ = search.verdicts.insert(property, Some(unknown.clone())));
    }
    let what = if threaded { "steps and pairs of threads checked" } else { "invariant checked" };
    search.record.certificates.extend(certificates);
    search.record.certified = told(&search.record.certificates, what);
    Ok(())
}

/// The certificates of properties that hold, each with the properties that it is about. The latest proof is asked
/// first: mostly it proves everything. What stands is told.
fn certificates(
    program: &Program,
    proofs: &[Proof],
    properties: BTreeSet<PropertyId>,
    run: Run<'_>,
    tell: &mut dyn FnMut(&Proven<'_>),
) -> Vec<(BTreeSet<PropertyId>, Certificate)> {
    let mut open = properties;
    let mut found = Vec::new();
    for proof in proofs.iter().rev().take_while(|_| run.limits.raised().is_none()) {
        if open.is_empty() {
            break;
        }
        match proof.invariant(program, &open, run) {
            Ok((proven, _)) if proven.is_empty() => {}
            Ok((proven, invariant)) => {
                let precision = &proof.precision;
                let claim = Claim { program, precision, invariant: &invariant, properties: &proven };
                let certificate = check_proof(claim, run.limits);
                if matches!(certificate, Certificate::Certified { .. }) {
                    tell(&Proven { program, precision, invariant: &invariant, properties: &proven });
                }
                open.retain(|property| !proven.contains(property));
                found.push((proven, certificate));
            }
            Err(stop) => {
                found.push((std::mem::take(&mut open), Certificate::Stopped(stop)));
            }
        }
    }
    if let Some(stop) = run.limits.raised().filter(|_| !open.is_empty()) {
        found.push((open, Certificate::Stopped(stop)));
    } else if !open.is_empty() {
        found.push((open, Certificate::Rejected("the engine reaches a violation after all".to_owned())));
    }
    found
}

/// The properties whose proofs do not stand, and why.
fn rejected(
    certificates: &[(BTreeSet<PropertyId>, Certificate)],
) -> impl Iterator<Item = (&BTreeSet<PropertyId>, &str)> {
    certificates.iter().filter_map(|(properties, certificate)| match certificate {
        Certificate::Rejected(why) => Some((properties, &**why)),
        _ => None,
    })
}

/// The certificates in words: the first that is none counts.
fn told(certificates: &[(BTreeSet<PropertyId>, Certificate)], what: &str) -> Certified {
    let (mut all_steps, mut all_queries) = (0, 0);
    for (_, certificate) in certificates {
        match certificate {
            Certificate::Certified { steps, queries } => {
                (all_steps, all_queries) = (all_steps + steps, all_queries + queries);
            }
            Certificate::Rejected(why) => return Certified::Rejected(why.clone()),
            Certificate::Stopped(stop) => return Certified::No(stop.to_string()),
        }
    }
    Certified::Yes(format!("{what}, {all_steps} steps, {all_queries} queries"))
}

impl Proof {
    /// What the engine reaches, and which of the properties it does not violate there.
    fn invariant(
        &self,
        program: &Program,
        open: &BTreeSet<PropertyId>,
        run: Run<'_>,
    ) -> Result<(BTreeSet<PropertyId>, Invariant), Stop> {
        let asked = |id: &cfg::PropertyId| match self.abstraction.property(*id) {
            Goal::Property(property) => open.contains(&property),
            Goal::Unsupported(..) => true,
        };
        let asked: Vec<cfg::PropertyId> = self.graph.properties.ids().filter(asked).collect();
        let mut reached = Summary::new(BackEnd::Biodivine).reached(&self.graph, &asked, run)?;
        let mut proven = open.clone();
        for &id in asked.iter().filter(|&&id| reached.is_reached(self.graph.properties[id].node)) {
            match self.abstraction.property(id) {
                Goal::Property(property) => _ = proven.remove(&property),
                Goal::Unsupported(..) => proven.clear(),
            }
        }
        let telling = Telling { proof: self, program, changed: self.changed(program) };
        let invariant = telling.invariant(&mut reached)?;
        Ok((proven, invariant))
    }

    /// For each procedure the predicates over what it may write.
    fn changed(&self, program: &Program) -> IndexVec<ProcedureId, BTreeSet<PredicateId>> {
        let written = Written::of(program);
        let predicates = self.precision.predicates.enumerate();
        let symbols: Vec<(PredicateId, BTreeSet<Symbol>)> =
            predicates.map(|(id, predicate)| (id, program.store.free_symbols(predicate.term))).collect();
        let changed = |procedure: ProcedureId| {
            let (globals, locals) = (written.globals(procedure), written.locals(procedure));
            let writes = |symbols: &BTreeSet<Symbol>| {
                symbols.iter().any(|symbol| globals.contains(symbol) || locals.contains(symbol))
            };
            symbols.iter().filter(|(_, symbols)| writes(symbols)).map(|&(id, _)| id).collect()
        };
        program.procedures.ids().map(changed).collect()
    }
}

/// Makes an invariant of what is reached.
struct Telling<'a> {
    proof: &'a Proof,
    program: &'a Program,
    /// For each procedure the predicates over what it may write.
    changed: IndexVec<ProcedureId, BTreeSet<PredicateId>>,
}

impl Telling<'_> {
    fn invariant(&self, reached: &mut Reached<'_>) -> Result<Invariant, Stop> {
        let mut invariant = Invariant::nowhere(self.program);
        for (id, node) in self.proof.graph.nodes.enumerate() {
            let procedure = ProcedureId::new(node.procedure.index());
            for location in node.labels.iter().filter_map(|label| location(label)) {
                let told = |variable| self.is_tracked(variable, location);
                let related = |variable| !told(variable) || self.may_change(variable, procedure);
                let diagram = reached.at(id, &told, &related)?;
                self.add(&mut invariant, procedure, location, &diagram);
            }
        }
        Ok(invariant)
    }

    /// The predicate that a variable of the Boolean program stands for.
    fn predicate(&self, variable: cfg::VariableId) -> Option<PredicateId> {
        self.proof.abstraction.predicate(&self.proof.graph.variables[variable].name)
    }

    fn is_tracked(&self, variable: cfg::VariableId, location: LocationId) -> bool {
        let tracked = |predicate| self.proof.abstraction.is_tracked(predicate, location);
        self.predicate(variable).is_some_and(tracked)
    }

    /// Whether a procedure may write what a predicate mentions.
    fn may_change(&self, variable: cfg::VariableId, procedure: ProcedureId) -> bool {
        self.predicate(variable).is_some_and(|predicate| self.changed[procedure].contains(&predicate))
    }

    fn add(
        &self,
        invariant: &mut Invariant,
        procedure: ProcedureId,
        location: LocationId,
        diagram: &Diagram,
    ) {
        let mut sets = vec![invariant.constant(false), invariant.constant(true)];
        for decision in &diagram.decisions {
            let Some(predicate) = self.predicate(decision.variable) else { return };
            let atom = match decision.moment {
                Moment::Entry => Atom::Entry(predicate),
                Moment::Now => Atom::Now(predicate),
            };
            sets.push(invariant.choice(atom, sets[decision.low], sets[decision.high]));
        }
        invariant.set(procedure, location, sets[diagram.root]);
    }
}

/// The location that a label stands for.
fn location(label: &str) -> Option<LocationId> {
    label.strip_prefix('L')?.parse().ok().map(LocationId::new)
}
