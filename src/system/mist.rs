//! Petri nets and their relatives, in the format of mist (`.spec`).
//!
//! The file declares variables, gives rules `guard -> update;`, an initial set, targets, and perhaps invariants.
//! An update is read as what it says: `x' = x + y + 1, y' = 0` moves all tokens of `y` to `x` and adds one;
//! a variable that occurs in no sum of its rule loses its tokens; what is not assigned stays. A guard `x = k` is a
//! zero test behind the k tokens. The invariants are hints for mist's own algorithms and are not used.
//!
//! What a [`Net`] cannot say exactly (a variable that is copied, a target that is not upward-closed, …) is refused
//! by name: that is no fault of the file, and the answer is unknown. `grammar/mist.md` describes the format.

use super::net::{ControlId, Initial, Net, PlaceId, Target};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::Index;
use crate::ground::source::{SourceFile, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

mod rules;
mod syntax;
#[cfg(test)]
mod tests;
mod tokens;

use syntax::{Constraint, Specification};

/// Initial sets with ranges are written out, up to so many sets.
const MOST_INITIALS: usize = 1024;

/// Why there is no net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The file is malformed.
    Malformed(Diagnostic),
    /// The file is well-formed, and a net cannot say what it says.
    Unsupported(Unsupported),
}

/// What a net cannot say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Its name, such as "copying arc".
    pub name: &'static str,
    /// Where it stands.
    pub span: Span,
}

impl From<Diagnostic> for Refusal {
    fn from(error: Diagnostic) -> Self {
        Self::Malformed(error)
    }
}

impl Unsupported {
    fn new(name: &'static str, span: Span) -> Self {
        Self { name, span }
    }
}

impl From<Unsupported> for Refusal {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

/// Reads a net.
///
/// # Errors
/// The file is malformed, or a net cannot say what it says.
pub fn parse(source: &SourceFile) -> Result<Net, Refusal> {
    let specification = syntax::parse(source)?;
    let mut transitions = Vec::new();
    for rule in &specification.rules {
        transitions.extend(rules::transition(rule)?);
    }
    let targets = specification.targets.iter().map(|target| self::target(target));
    let net = Net {
        controls: std::iter::once(Arc::from("net")).collect(),
        places: specification.variables.iter().cloned().collect(),
        transitions: transitions.into_iter().collect(),
        initial: initial(&specification)?,
        targets: targets.collect::<Result<_, _>>()?,
    };
    debug_assert_eq!(net.check(), Ok(()));
    Ok(net)
}

/// The one control state.
fn control() -> ControlId {
    ControlId::new(0)
}

/// What the constraints on a variable come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    low: u32,
    high: Option<u32>,
    span: Span,
}

impl Bounds {
    /// Whether no number satisfies them.
    fn are_empty(self) -> bool {
        self.high.is_some_and(|high| high < self.low)
    }

    /// Whether one number satisfies them.
    fn are_exact(self) -> bool {
        self.high == Some(self.low)
    }
}

/// The constraints of a conjunction, by variable.
fn bounds(conjunction: &[Constraint]) -> BTreeMap<PlaceId, Bounds> {
    let mut all: BTreeMap<PlaceId, Bounds> = BTreeMap::new();
    for constraint in conjunction {
        let free = Bounds { low: 0, high: None, span: constraint.span };
        let bounds = all.entry(constraint.place).or_insert(free);
        bounds.low = bounds.low.max(constraint.low);
        // `None` is the largest bound, not the smallest.
        bounds.high = bounds.high.into_iter().chain(constraint.high).min();
    }
    all
}

fn target(conjunction: &[Constraint]) -> Result<Target, Unsupported> {
    if let Some(bounded) = conjunction.iter().find(|constraint| constraint.high.is_some()) {
        return Err(Unsupported::new("target with an upper bound", bounded.span));
    }
    let bounds = bounds(conjunction).into_iter().filter(|(_, bounds)| bounds.low > 0);
    Ok(Target { control: control(), tokens: bounds.map(|(place, bounds)| (place, bounds.low)).collect() })
}

/// The initial sets: one, or one for each choice of numbers in the ranges. What is not constrained is unbounded.
fn initial(specification: &Specification) -> Result<Vec<Initial>, Refusal> {
    let bounds = bounds(&specification.initial);
    let mut sets = vec![Initial { control: control(), tokens: Vec::new(), unbounded: Vec::new() }];
    for place in (0..specification.variables.len()).map(PlaceId::new) {
        let Some(&bounds) = bounds.get(&place) else {
            sets.iter_mut().for_each(|set| set.unbounded.push(place));
            continue;
        };
        if bounds.are_empty() {
            let error = Diagnostic::error(bounds.span, "no number satisfies these constraints");
            return Err(error.help("there would be no initial configuration").into());
        }
        if bounds.high.is_none() {
            sets.iter_mut().for_each(|set| set.unbounded.push(place));
        }
        let high = bounds.high.unwrap_or(bounds.low);
        let choices = u64::from(high - bounds.low) + 1;
        if choices.saturating_mul(sets.len() as u64) > MOST_INITIALS as u64 {
            return Err(Unsupported::new("initial ranges with too many combinations", bounds.span).into());
        }
        let chosen = |set: &Initial, count: u32| {
            let mut set = set.clone();
            set.tokens.extend((count > 0).then_some((place, count)));
            set
        };
        sets = sets.iter().flat_map(|set| (bounds.low..=high).map(|count| chosen(set, count))).collect();
    }
    Ok(sets)
}
