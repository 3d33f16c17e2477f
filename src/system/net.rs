//! Nets with control: vector addition systems with states, transfers, resets and zero tests.
//!
//! A configuration is a control state and a number of tokens for every place. A transition is taken from one
//! control state to another: it takes tokens, then sweeps places (every token that is left on a swept place moves,
//! is lost, or forbids the step), then gives tokens. A Petri net has one control state; a thread transition system
//! has its shared states as control and its local states as places \[KKW14\].
//!
//! Without [`Sweep::Forbid`] such nets are well-structured: more tokens never disable a step, and coverability is
//! decidable. With it they are not. The *monotone closure* of a net lets forbidding tokens die instead: it has more
//! behaviour, so what it cannot cover the net cannot cover either, and what it covers must be replayed on the net.

use super::names::Names;
use crate::ground::index::IndexVec;
use crate::index_types;

index_types! {
    /// A control state: a valuation of what is shared.
    ControlId,
    /// A place: a local state of threads, or a place of a Petri net.
    PlaceId,
    /// A transition.
    TransitionId,
}

/// A net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// The control states.
    pub controls: Names<ControlId>,
    /// The places.
    pub places: Names<PlaceId>,
    /// The transitions.
    pub transitions: IndexVec<TransitionId, Transition>,
    /// Where runs may start: in any of these.
    pub initial: Vec<Initial>,
    /// What must not be covered: any of these.
    pub targets: Vec<Target>,
}

/// A set of configurations where runs may start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Initial {
    /// The control state.
    pub control: ControlId,
    /// The tokens, by place; sorted, each place once, none zero.
    pub tokens: Vec<(PlaceId, u32)>,
    /// Places that hold any number of tokens more than that; sorted, each once.
    pub unbounded: Vec<PlaceId>,
}

/// An upward-closed set of configurations: this control state and at least these tokens.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// The control state.
    pub control: ControlId,
    /// The tokens, by place; sorted, each place once, none zero.
    pub tokens: Vec<(PlaceId, u32)>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The control state before.
    pub from: ControlId,
    /// The control state after.
    pub to: ControlId,
    /// The tokens it needs and takes; sorted, each place once, none zero.
    pub take: Vec<(PlaceId, u32)>,
    /// What happens to the tokens that are left on these places; sorted, each place once. Places that are not
    /// named keep theirs.
    pub sweep: Vec<(PlaceId, Sweep)>,
    /// The tokens it gives at the end; sorted, each place once, none zero.
    pub give: Vec<(PlaceId, u32)>,
    /// Where it comes from: a line of the file, for people.
    pub line: u32,
}

/// What happens to every token on a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sweep {
    /// It moves to one of these places, each token by its own choice; at least one place, sorted. The place itself
    /// may be among them.
    Move(Vec<PlaceId>),
    /// It is lost: a reset.
    Lose,
    /// The step is impossible while there is one: a zero test. In the monotone closure it is lost.
    Forbid,
}

/// A configuration.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Configuration {
    /// The control state.
    pub control: ControlId,
    /// The tokens, by place; sorted, each place once, none zero.
    pub tokens: Vec<(PlaceId, u32)>,
}

/// A run of a net that covers a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetTrace {
    /// Which of the targets it covers.
    pub target: usize,
    /// Where it starts.
    pub initial: Configuration,
    /// Each transition and the configuration it leads to.
    pub steps: Vec<(TransitionId, Configuration)>,
}

impl Net {
    /// Whether some step forbids tokens: coverability is then not decidable in general.
    #[must_use]
    pub fn has_zero_tests(&self) -> bool {
        self.sweeps().any(|sweep| *sweep == Sweep::Forbid)
    }

    /// Whether some step sweeps a place: transfers, resets or zero tests.
    #[must_use]
    pub fn has_sweeps(&self) -> bool {
        self.sweeps().next().is_some()
    }

    fn sweeps(&self) -> impl Iterator<Item = &Sweep> {
        self.transitions.iter().flat_map(|transition| transition.sweep.iter().map(|(_, sweep)| sweep))
    }
}
