//! Properties, what they say in C, and what a proof of them rests on.

use crate::ground::index::IndexVec;
use crate::program::names::ProgramNames;
use crate::program::{Assumption, Gap, ProcedureId, Program, Property, PropertyId};
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Longer claims say nothing to people.
const LONGEST_CLAIM: usize = 100;

/// Properties, and what a proof of them rests on.
#[derive(Default)]
pub(in crate::lower) struct Claims {
    pub properties: IndexVec<PropertyId, Property>,
    /// How many of a kind a procedure has.
    counts: BTreeMap<(ProcedureId, &'static str), usize>,
    /// What properties are about.
    pub subjects: FxHashMap<PropertyId, Claim>,
    pub assumptions: BTreeSet<Assumption>,
    pub gaps: BTreeSet<Gap>,
}

impl Claims {
    /// The next number of a kind of property in a procedure.
    pub fn count(&mut self, procedure: ProcedureId, kind: &'static str) -> usize {
        let count = self.counts.entry((procedure, kind)).or_default();
        *count += 1;
        *count
    }

    pub fn assume(&mut self, assumption: Assumption) {
        self.assumptions.insert(assumption);
    }
}

/// What a property is about.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Claim {
    pub subject: Term,
    /// If it is the address of an access: how many bits are accessed.
    pub accessed: Option<u32>,
}

/// What a property says, in C, behind what kind of fault it is about.
pub(in crate::lower) fn tell_claims(program: &mut Program, claims: &FxHashMap<PropertyId, Claim>) {
    let names = ProgramNames::new(program);
    let texts: Vec<(PropertyId, String)> = program
        .properties
        .ids()
        .filter_map(|id| {
            let claim = claims.get(&id)?;
            let cell = claim.accessed.and_then(|bits| names.at(claim.subject, bits));
            Some((id, cell.unwrap_or_else(|| names.term(claim.subject))))
        })
        .filter(|(_, text)| text.chars().count() <= LONGEST_CLAIM)
        .collect();
    for (id, text) in texts {
        let property = &mut program.properties[id];
        property.text = format!("{}: {text}", property.text);
    }
}
