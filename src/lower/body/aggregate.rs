//! Values: one term, or the members of an aggregate.

use crate::ir::Type;
use crate::term::Term;

/// A value of any type.
#[derive(Clone, Debug)]
pub(in crate::lower) enum Value {
    /// A bit vector: integers, addresses, floating-point numbers by their bits.
    Term(Term),
    /// A struct or array.
    Members(Vec<Value>),
}

impl Value {
    /// The terms, in order.
    pub fn leaves(&self) -> Vec<Term> {
        let mut out = Vec::new();
        let mut stack = vec![self];
        while let Some(value) = stack.pop() {
            match value {
                Self::Term(term) => out.push(*term),
                Self::Members(members) => stack.extend(members.iter().rev()),
            }
        }
        out
    }

    /// A member of a member of …
    pub fn at(&self, path: &[u32]) -> Option<&Self> {
        path.iter().try_fold(self, |value, &number| match value {
            Self::Members(members) => members.get(number as usize),
            Self::Term(_) => None,
        })
    }

    pub fn at_mut(&mut self, path: &[u32]) -> Option<&mut Self> {
        path.iter().try_fold(self, |value, &number| match value {
            Self::Members(members) => members.get_mut(number as usize),
            Self::Term(_) => None,
        })
    }
}

/// The scalars of a type, with their offsets in bytes.
pub(in crate::lower) fn scalars(ty: &Type) -> Vec<(u64, Type)> {
    let mut out = Vec::new();
    let mut stack = vec![(0, ty)];
    while let Some((offset, ty)) = stack.pop() {
        match ty {
            Type::Aggregate { members, .. } => {
                stack.extend(members.iter().rev().map(|(inner, ty)| (offset + inner, ty)));
            }
            other => out.push((offset, other.clone())),
        }
    }
    out
}

/// Terms in the shape of a type. Types nest as deep as C's: a few levels.
pub(in crate::lower) fn shaped(ty: &Type, terms: &mut dyn Iterator<Item = Term>) -> Value {
    match ty {
        Type::Aggregate { members, .. } => {
            Value::Members(members.iter().map(|(_, ty)| shaped(ty, terms)).collect())
        }
        _ => Value::Term(terms.next().expect("as many terms as scalars")),
    }
}
