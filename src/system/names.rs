//! Names of things that are counted: written, or simply their numbers.
//!
//! The states of a thread transition system are numbers, and there may be a million of them; no name is kept for
//! those. The places of a Petri net have names.

use crate::ground::index::Index;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

/// The names of the things with ids of this type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names<I> {
    kind: Kind,
    index: PhantomData<fn(I) -> I>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// So many things; each is called by its number.
    Numbered(usize),
    Written(Vec<Arc<str>>),
}

impl<I: Index> Names<I> {
    /// So many things that are called 0, 1, 2, …
    #[must_use]
    pub fn numbered(length: usize) -> Self {
        Self { kind: Kind::Numbered(length), index: PhantomData }
    }

    /// How many things there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::Numbered(length) => *length,
            Kind::Written(names) => names.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I> {
        (0..self.len()).map(I::new)
    }

    /// The name of one.
    #[must_use]
    pub fn name(&self, id: I) -> Cow<'_, str> {
        match &self.kind {
            Kind::Numbered(_) => Cow::Owned(id.index().to_string()),
            Kind::Written(names) => Cow::Borrowed(&names[id.index()]),
        }
    }

    /// Whether the names are the numbers.
    #[must_use]
    pub fn are_numbers(&self) -> bool {
        matches!(self.kind, Kind::Numbered(_))
    }
}

impl<I: Index> FromIterator<Arc<str>> for Names<I> {
    fn from_iter<It: IntoIterator<Item = Arc<str>>>(names: It) -> Self {
        Self { kind: Kind::Written(names.into_iter().collect()), index: PhantomData }
    }
}
