//! What C says a pointer leads to, by debug information.
//!
//! A pointer is read from a variable, from a member, or is a parameter: each has a type in C. Offsets go on within what it leads to. Where a
//! cast is on the way the type is that of the variable which holds the result. Nothing is said where no type is known, or where it is `void`.

use crate::ground::index::IndexVec;
use crate::ir::debug::resolve;
use crate::ir::{Constant, DebugType, DebugTypeId, Field, Function, Module, Operand, Operation, ValueId};

/// At most so many steps are gone from an address to the variable that it comes from.
const STEPS: usize = 32;

/// Which operation defines each value of a function.
type Definitions<'m> = IndexVec<ValueId, Option<&'m Operation>>;

/// A type, and where in it.
type Within = (DebugTypeId, i64);

/// Looks at the pointers of one function.
pub struct Declared<'m> {
    /// Its module.
    pub module: &'m Module,
    /// The function.
    pub function: &'m Function,
    /// Which operation defines each of its values.
    pub definitions: &'m Definitions<'m>,
}

impl Declared<'_> {
    /// The type that the pointer behind an address is declared to lead to: that of `d` for the address of `d->ring[i].slot`.
    #[must_use]
    pub fn pointee(&self, address: &Operand) -> Option<DebugTypeId> {
        let mut operand = address;
        for _ in 0..STEPS {
            match self.definition(operand) {
                Some(Operation::Offset { base, .. }) => operand = base,
                _ => break,
            }
        }
        let (ty, _) = self.leads_to(operand, STEPS)?;
        Some(ty)
    }

    /// What an operand leads to, and where in it.
    fn leads_to(&self, operand: &Operand, steps: usize) -> Option<Within> {
        let steps = steps.checked_sub(1)?;
        if let Operand::Constant(Constant::Global(global, by)) = operand {
            return Some((self.module.globals[*global].variable.as_ref()?.ty?, *by));
        }
        match self.definition(operand) {
            Some(Operation::Load { address, .. }) => {
                let (ty, offset) = self.leads_to(address, steps)?;
                Some((self.behind(self.member(ty, offset)?)?, 0))
            }
            Some(Operation::Offset { base, constant, terms, .. }) if terms.is_empty() => {
                let (ty, offset) = self.leads_to(base, steps)?;
                Some((ty, offset.checked_add(*constant)?))
            }
            Some(Operation::Allocate { .. }) => Some((self.variable(operand)?, 0)),
            // A parameter.
            None => Some((self.behind(self.variable(operand)?)?, 0)),
            _ => None,
        }
    }

    fn definition(&self, operand: &Operand) -> Option<&Operation> {
        match operand {
            Operand::Value(value) => self.definitions[*value],
            Operand::Constant(_) => None,
        }
    }

    fn variable(&self, operand: &Operand) -> Option<DebugTypeId> {
        let Operand::Value(value) = operand else { return None };
        self.function.values[*value].variable.as_ref()?.ty
    }

    /// What a pointer leads to.
    fn behind(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        match self.module.types[resolve(&self.module.types, ty)] {
            DebugType::Pointer(to) => to,
            _ => None,
        }
    }

    /// The pointer that is a member there.
    fn member(&self, ty: DebugTypeId, offset: i64) -> Option<DebugTypeId> {
        let (mut ty, mut offset) = (ty, u64::try_from(offset).ok()?.checked_mul(8)?);
        for _ in 0..STEPS {
            match &self.module.types[resolve(&self.module.types, ty)] {
                DebugType::Record { fields, .. } => {
                    let mut at =
                        fields.iter().filter(|it| it.offset <= offset && offset < it.offset + it.bits);
                    // A union has several.
                    let (Some(field), None) = (at.next(), at.next()) else { return None };
                    (ty, offset) = (field.ty?, offset - field.offset);
                }
                DebugType::Pointer(_) if offset == 0 => return Some(ty),
                _ => return None,
            }
        }
        None
    }
}

/// Whether an object of a type may be, or have within it, what a pointer to the other type leads to. Characters may be anything, and so may be
/// what nobody knows.
#[must_use]
pub fn may_have(module: &Module, object: DebugTypeId, wanted: DebugTypeId) -> bool {
    let types = &module.types;
    let wanted = &types[resolve(types, wanted)];
    if is_open(wanted) {
        return true;
    }
    let mut waiting = vec![object];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(ty) = waiting.pop() {
        let ty = resolve(types, ty);
        if !seen.insert(ty) {
            continue;
        }
        let found = &types[ty];
        if is_open(found) || alike(found, wanted) {
            return true;
        }
        match found {
            DebugType::Record { fields, .. } => {
                if fields.iter().any(|field: &Field| field.ty.is_none()) {
                    return true;
                }
                waiting.extend(fields.iter().filter_map(|field| field.ty));
            }
            DebugType::Array { element: Some(element), .. } => waiting.push(*element),
            _ => {}
        }
    }
    false
}

/// What may hold anything, or is not known.
fn is_open(ty: &DebugType) -> bool {
    match ty {
        DebugType::Basic { bits, .. } => *bits <= 8,
        DebugType::Record { name, fields, .. } => name.is_empty() && fields.is_empty(),
        DebugType::Array { element, .. } => element.is_none(),
        DebugType::Function | DebugType::Other | DebugType::Alias { .. } | DebugType::Qualified { .. } => {
            true
        }
        DebugType::Pointer(_) | DebugType::Enumeration { .. } => false,
    }
}

/// Whether values of one type may be accessed as those of the other.
fn alike(one: &DebugType, other: &DebugType) -> bool {
    use DebugType as D;
    match (one, other) {
        (D::Basic { bits, .. } | D::Enumeration { bits, .. }, D::Basic { bits: others, .. })
        | (D::Basic { bits, .. } | D::Enumeration { bits, .. }, D::Enumeration { bits: others, .. }) => {
            bits == others
        }
        (D::Pointer(_), D::Pointer(_)) => true,
        // Records without a name are told apart by nothing.
        (D::Record { name, .. }, D::Record { name: other, .. }) => {
            name == other || name.is_empty() || other.is_empty()
        }
        (D::Array { .. }, D::Array { .. }) => true,
        _ => false,
    }
}
