//! Newtype ids and the vectors they index.
//!
//! An id is a `u32` of its own type, so that a node cannot be taken for a variable. Ids are dense
//! and start at zero: an [`IndexVec`] is the map from them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index as Subscript, IndexMut};

/// A dense id.
pub trait Index: Copy + Eq + Ord + std::hash::Hash + fmt::Debug {
    /// The id with this number.
    fn new(number: usize) -> Self;
    /// The number of this id.
    fn index(self) -> usize;
}

/// Defines id types: `index_types! { /// doc  NodeId, … }`.
#[macro_export]
macro_rules! index_types {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
        pub struct $name(u32);

        impl $crate::ground::index::Index for $name {
            fn new(number: usize) -> Self {
                Self(u32::try_from(number).expect("more than 2^32 ids"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

/// A vector indexed by an id type.
#[derive(Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    #[serde(skip)]
    index: PhantomData<fn(I) -> I>,
}

impl<I: Index, T> IndexVec<I, T> {
    /// An empty vector.
    #[must_use]
    pub fn new() -> Self {
        Self::from_vec(Vec::new())
    }

    /// The vector with these items, in order.
    #[must_use]
    pub fn from_vec(items: Vec<T>) -> Self {
        Self { items, index: PhantomData }
    }

    /// `length` copies of one item.
    #[must_use]
    pub fn filled(item: T, length: usize) -> Self
    where
        T: Clone,
    {
        Self::from_vec(vec![item; length])
    }

    /// Appends an item and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = self.next_id();
        self.items.push(item);
        id
    }

    /// The id that the next [`push`](Self::push) returns.
    #[must_use]
    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items, without their ids.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }

    /// The items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The items in order, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Ids and items in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(number, item)| (I::new(number), item))
    }

    /// The item with this id, if there is one.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }
}

impl<I: Index, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Index, T> Subscript<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Index, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Index, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self::from_vec(items.into_iter().collect())
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}
