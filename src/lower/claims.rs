//! What properties say, in C.

use crate::program::names::ProgramNames;
use crate::program::{Program, PropertyId};
use crate::term::Term;
use rustc_hash::FxHashMap;

/// Longer claims say nothing to people.
const LONGEST_CLAIM: usize = 100;

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
