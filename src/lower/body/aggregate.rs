//! Values: one term, or the members of an aggregate.

use crate::ir::analysis::points_to::Origin;
use crate::ir::{Constant, Type};
use crate::lower::body::Body;
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

impl<'m> Body<'_, 'm> {
    /// The width of a scalar as a value.
    pub fn width(&self, ty: &Type) -> u32 {
        self.lowering.scalar_width(ty)
    }

    /// A value of a type whose scalars are made one by one.
    pub fn fresh_value(&mut self, ty: &Type, make: &mut dyn FnMut(&mut Self, u32) -> Term) -> Value {
        let mut terms: Vec<Term> = Vec::new();
        for (_, scalar) in scalars(ty) {
            let width = self.width(&scalar);
            terms.push(make(self, width));
        }
        shaped(ty, &mut terms.into_iter())
    }

    pub fn constant(&mut self, constant: &'m Constant) -> Value {
        let pointer = self.lowering.pointer_bits();
        let store = &mut self.lowering.store;
        let term = match constant {
            Constant::Integer { bits, value } => store.bits(*bits, *value),
            Constant::Float(bits) => store.bits(32, u128::from(*bits)),
            Constant::Double(bits) => store.bits(64, u128::from(*bits)),
            Constant::Null => store.bits(pointer, 0),
            Constant::Global(global, offset) => {
                let base =
                    self.lowering.layout.base(Origin::Global(*global)).expect("globals have addresses");
                store.bits(pointer, u128::from(base.wrapping_add_signed(*offset)))
            }
            Constant::Function(function) => {
                store.bits(pointer, u128::from(self.lowering.layout.function(*function)))
            }
            Constant::Zero(ty) => {
                return self.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, 0));
            }
            Constant::Aggregate(_, members) => {
                return Value::Members(members.iter().map(|member| self.constant(member)).collect());
            }
            Constant::Undefined(ty) | Constant::Poison(ty) => return self.arbitrary(ty, "undefined value"),
            Constant::Unsupported(ty, what) => return self.arbitrary(ty, what),
        };
        Value::Term(term)
    }
}

/// Terms in the shape of a type. Types nest as deep as C's: a few levels.
fn shaped(ty: &Type, terms: &mut dyn Iterator<Item = Term>) -> Value {
    match ty {
        Type::Aggregate { members, .. } => {
            Value::Members(members.iter().map(|(_, ty)| shaped(ty, terms)).collect())
        }
        _ => Value::Term(terms.next().expect("as many terms as scalars")),
    }
}
