//! The global variables of the sequential program, and expressions over them.
//!
//! First come the *shared* variables: the globals of the source with their values in the context at hand and, if the
//! number of threads is bounded, how many threads are alive. Then, for every context but the first, a guess of
//! the shared variables at its beginning. Then what the scheduler knows.

use crate::boolean::cfg::{Copy, Expression, Read, Target, VariableId};
use crate::boolean::expression::Binary;
use crate::engine::Threads;
use crate::ground::index::Index;

/// Where which variable is.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// How many globals the source has.
    pub globals: usize,
    /// How many threads may be alive; none if any number may.
    pub most: Option<usize>,
    /// How many contexts there are: one more than context switches.
    pub contexts: usize,
    /// How many properties are asked about.
    pub properties: usize,
}

/// How many bits tell the numbers up to the largest.
fn width(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()) as usize
}

/// Groups of variables of the scheduler, in order.
#[derive(Clone, Copy)]
enum Group {
    Context,
    Failing,
    Used,
    Flags,
    Violated,
}

/// The flags of the scheduler.
#[derive(Clone, Copy)]
pub enum Flag {
    /// The running thread is in an atomic section.
    Atomic,
    /// The running thread does nothing any more: its frames are being left.
    Stopped,
    /// Some thread has violated a property.
    Failed,
}

impl Layout {
    /// How many bits count the threads that are alive.
    fn live(&self) -> usize {
        self.most.map_or(0, width)
    }

    /// How many variables are shared.
    pub fn shared(&self) -> usize {
        self.globals + self.live()
    }

    /// How many bits tell a context.
    fn context_width(&self) -> usize {
        width(self.contexts - 1)
    }

    /// The first variable of a group.
    fn start(&self, group: Group) -> usize {
        let context = self.shared() * self.contexts;
        let failing = context + self.context_width();
        let used = failing + self.context_width();
        let flags = used + self.contexts - 1;
        match group {
            Group::Context => context,
            Group::Failing => failing,
            Group::Used => used,
            Group::Flags => flags,
            Group::Violated => flags + 3,
        }
    }

    /// How many global variables there are.
    pub fn count(&self) -> usize {
        self.start(Group::Violated) + self.properties
    }

    /// The name of the variable at a position that is none of the source's.
    pub fn name(&self, position: usize) -> String {
        format!("<{position}>")
    }

    /// The shared variables, in the context at hand.
    pub fn now(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.shared()).map(VariableId::new)
    }

    /// What is guessed of the shared variables at the beginning of a context.
    pub fn guess(&self, context: usize) -> impl Iterator<Item = VariableId> + use<> {
        let start = self.shared() * context;
        (start..start + self.shared()).map(VariableId::new)
    }

    /// The bits of the context at hand, lowest first.
    pub fn context(&self) -> impl Iterator<Item = VariableId> + use<> {
        let start = self.start(Group::Context);
        (start..start + self.context_width()).map(VariableId::new)
    }

    /// The bits of the context in which a property was violated.
    pub fn failing(&self) -> impl Iterator<Item = VariableId> + use<> {
        let start = self.start(Group::Failing);
        (start..start + self.context_width()).map(VariableId::new)
    }

    /// Whether some thread runs in a context; the first one belongs to the first thread.
    pub fn used(&self, context: usize) -> VariableId {
        VariableId::new(self.start(Group::Used) + context - 1)
    }

    /// A flag.
    pub fn flag(&self, flag: Flag) -> VariableId {
        VariableId::new(self.start(Group::Flags) + flag as usize)
    }

    /// Whether the property at this place of the query was violated.
    pub fn violated(&self, place: usize) -> VariableId {
        VariableId::new(self.start(Group::Violated) + place)
    }

    /// Everything of the scheduler that has a value when the program starts.
    pub fn scheduler(&self) -> impl Iterator<Item = VariableId> + use<> {
        (self.start(Group::Context)..self.count()).map(VariableId::new)
    }

    /// The bits that count the threads that are alive, lowest first.
    pub fn alive(&self) -> impl Iterator<Item = VariableId> + use<> {
        (self.globals..self.shared()).map(VariableId::new)
    }

    /// The context in a state of the sequential program.
    pub fn context_in(&self, globals: &crate::ground::bits::Bits) -> usize {
        let bits = self.context().enumerate();
        bits.map(|(place, bit)| usize::from(globals.get(bit.index())) << place).sum()
    }
}

/// The value of a variable.
pub fn read(variable: VariableId) -> Expression {
    Expression::variable(Read::now(variable))
}

/// The executing thread's own variable as a target.
pub fn own(variable: VariableId) -> Target {
    Target { variable, copy: Copy::Own }
}

/// Whether a variable has a value.
pub fn is(variable: VariableId, value: bool) -> Expression {
    if value { read(variable) } else { read(variable).negate() }
}

/// Whether some bits, lowest first, are this number.
pub fn equals(bits: impl Iterator<Item = VariableId>, number: usize) -> Expression {
    Expression::conjunction(bits.enumerate().map(|(place, bit)| is(bit, number >> place & 1 == 1)))
}

/// Whether two lists of variables have the same values.
pub fn same(left: impl Iterator<Item = VariableId>, right: impl Iterator<Item = VariableId>) -> Expression {
    Expression::conjunction(left.zip(right).map(|(left, right)| read(left).binary(Binary::Iff, read(right))))
}

/// The bits of a number, lowest first, changed by one.
fn changed(bits: &[VariableId], up: bool) -> Vec<Expression> {
    let carries = |place: usize| Expression::conjunction(bits[..place].iter().map(|&bit| is(bit, up)));
    let bit = |(place, &bit): (usize, &VariableId)| read(bit).binary(Binary::Xor, carries(place));
    bits.iter().enumerate().map(bit).collect()
}

/// Targets and values of an assignment.
#[derive(Default)]
pub struct Changes {
    /// What is written.
    pub targets: Vec<Target>,
    /// With which values.
    pub values: Vec<Expression>,
}

impl Changes {
    /// One more variable gets a value.
    pub fn set(&mut self, variable: VariableId, value: Expression) {
        self.targets.push(own(variable));
        self.values.push(value);
    }

    /// Variables get the values of others.
    pub fn copy(&mut self, to: impl Iterator<Item = VariableId>, from: impl Iterator<Item = VariableId>) {
        to.zip(from).for_each(|(to, from)| self.set(to, read(from)));
    }

    /// Bits, lowest first, become a number.
    pub fn number(&mut self, bits: impl Iterator<Item = VariableId>, number: usize) {
        let values = bits.enumerate().map(|(place, bit)| (bit, number >> place & 1 == 1));
        values.for_each(|(bit, value)| self.set(bit, Expression::constant(value)));
    }

    /// One thread more is alive, or one less.
    pub fn count(&mut self, layout: &Layout, up: bool) {
        let bits: Vec<VariableId> = layout.alive().collect();
        let values = changed(&bits, up);
        bits.into_iter().zip(values).for_each(|(bit, value)| self.set(bit, value));
    }
}

impl Layout {
    /// The layout for a bound on threads and on context switches.
    pub fn new(globals: usize, threads: Threads, switches: usize, properties: usize) -> Self {
        let most = match threads {
            Threads::AtMost(most) => Some(most),
            Threads::Unbounded => None,
        };
        Self { globals, most, contexts: switches + 1, properties }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_variables_share_a_place() {
        for (threads, switches) in [(Threads::Unbounded, 0), (Threads::Unbounded, 3), (Threads::AtMost(4), 2)]
        {
            let layout = Layout::new(5, threads, switches, 2);
            let mut all: Vec<VariableId> = layout.now().collect();
            (1..layout.contexts).for_each(|context| all.extend(layout.guess(context)));
            all.extend(layout.scheduler());
            let different: BTreeSet<VariableId> = all.iter().copied().collect();
            assert_eq!((all.len(), different.len()), (layout.count(), layout.count()));
            let scheduler: Vec<VariableId> = layout.scheduler().collect();
            let mut named: Vec<VariableId> = layout.context().chain(layout.failing()).collect();
            named.extend((1..layout.contexts).map(|context| layout.used(context)));
            named.extend([Flag::Atomic, Flag::Stopped, Flag::Failed].map(|flag| layout.flag(flag)));
            named.extend((0..2).map(|place| layout.violated(place)));
            assert_eq!(named, scheduler);
        }
    }
}
