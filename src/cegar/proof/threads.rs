//! Certificates for programs with threads.

#[cfg(test)]
mod tests;

use super::Proof;
use crate::abstraction;
use crate::certify::proof::Certificate;
use crate::certify::threads::{Claim, Flag, MORE, check_threads};
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::program::{Program, PropertyId};
use std::collections::{BTreeMap, BTreeSet};

/// The certificates of properties that hold, each with the properties that it is about. The latest proof is asked
/// first: mostly it proves everything.
pub(super) fn certificates(
    program: &Program,
    proofs: &[Proof],
    properties: BTreeSet<PropertyId>,
    run: Run<'_>,
) -> Vec<(BTreeSet<PropertyId>, Certificate)> {
    let mut open = properties;
    let mut found = Vec::new();
    for proof in proofs.iter().rev() {
        if open.is_empty() {
            return found;
        }
        let (about, certificate) = proof.check_threads(program, &open, run);
        open.retain(|property| !about.contains(property));
        if !about.is_empty() {
            found.push((about, certificate));
        }
    }
    if !open.is_empty() {
        found.push((open, Certificate::Stopped(Stop::Bound(MORE.to_owned()))));
    }
    found
}

impl Proof {
    /// Has the proof checked, for some properties; tells which of them it is about.
    fn check_threads(
        &self,
        program: &Program,
        properties: &BTreeSet<PropertyId>,
        run: Run<'_>,
    ) -> (BTreeSet<PropertyId>, Certificate) {
        let abstraction = &self.abstraction;
        let mut variables = BTreeMap::new();
        for variable in self.graph.variables.iter() {
            if let Some(predicate) = abstraction.predicate(&variable.name) {
                variables.insert(variable.name.clone(), predicate);
            }
        }
        let flag = |flag: &abstraction::Flag| Flag {
            name: flag.name.clone(),
            template: flag.template,
            places: flag.places.clone(),
        };
        let flags: Vec<Flag> = abstraction.flags().iter().map(flag).collect();
        let claim = Claim {
            program,
            precision: &self.precision,
            statements: &abstraction.statements(),
            variables: &variables,
            tracked: abstraction.tracked(),
            flags: &flags,
            given: abstraction.given(),
        };
        check_threads(claim, properties, run.limits)
    }
}
