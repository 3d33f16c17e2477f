//! Types of C as people write them, their sizes, and the way from an offset to the member that lies there.

use super::Program;
use crate::ir::debug::resolve;
use crate::ir::{DebugType, DebugTypeId, Field};
use crate::term::Term;

/// Chains of types are followed no further than this: debug information may be wrong, and circular.
const DEPTH: usize = 32;

/// A step from an object to a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A member of a struct or union.
    Field(String),
    /// An element of an array: a number, and a term that is added to it.
    Element(i128, Option<Term>),
}

/// Where an offset leads inside a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The steps; none for the object itself.
    pub path: Vec<Part>,
    /// The type of what lies there, if known.
    pub ty: Option<DebugTypeId>,
}

/// An offset in bits: a number, and terms times numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Offset {
    /// The number.
    pub bits: u64,
    /// Terms and how many bits each counts for.
    pub scaled: Vec<(Term, u64)>,
}

impl Program {
    /// The type behind typedefs and qualifiers.
    #[must_use]
    pub fn resolved(&self, ty: DebugTypeId) -> &DebugType {
        &self.types[resolve(&self.types, ty)]
    }

    /// What a pointer of this type points to.
    #[must_use]
    pub fn pointee(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        match self.resolved(ty) {
            DebugType::Pointer(of) => *of,
            DebugType::Array { element, .. } => *element,
            _ => None,
        }
    }

    /// Size of a type in bits.
    #[must_use]
    pub fn size_in_bits(&self, mut ty: DebugTypeId) -> Option<u64> {
        let mut count: u64 = 1;
        for _ in 0..DEPTH {
            match self.resolved(ty) {
                DebugType::Basic { bits, .. } | DebugType::Enumeration { bits, .. } => {
                    return count.checked_mul(*bits);
                }
                DebugType::Pointer(_) => return count.checked_mul(u64::from(self.pointer_bits)),
                DebugType::Record { size, .. } => return count.checked_mul(size.checked_mul(8)?),
                DebugType::Array { element, lengths } => {
                    count = lengths.iter().try_fold(count, |product, &length| product.checked_mul(length))?;
                    ty = (*element)?;
                }
                _ => return None,
            }
        }
        None
    }

    /// Size of a type in bytes.
    #[must_use]
    pub fn size_in_bytes(&self, ty: DebugTypeId) -> Option<u64> {
        self.size_in_bits(ty).map(|bits| bits.div_ceil(8))
    }

    /// The member at an offset: the outermost one of so many bits, or the outermost one if nothing is said. Every term
    /// of the offset must step through an array whose elements have the size that it counts for.
    #[must_use]
    pub fn member(&self, mut ty: DebugTypeId, mut offset: Offset, bits: Option<u64>) -> Option<Member> {
        let mut path = Vec::new();
        for _ in 0..DEPTH {
            let fits = bits.is_none_or(|bits| self.size_in_bits(ty) == Some(bits));
            if offset == Offset::default() && fits {
                return Some(Member { path, ty: Some(ty) });
            }
            match self.resolved(ty) {
                DebugType::Record { fields, .. } => {
                    let field = self.field(fields, offset.bits, bits)?;
                    if !field.name.is_empty() {
                        path.push(Part::Field(field.name.clone()));
                    }
                    offset.bits -= field.offset;
                    ty = field.ty?;
                }
                DebugType::Array { element, lengths } => {
                    ty = (*element)?;
                    self.subscripts(ty, lengths, &mut offset, &mut path)?;
                }
                _ => return None,
            }
        }
        None
    }

    /// The field at an offset; of those of a union, one of the size that is asked for.
    fn field<'f>(&self, fields: &'f [Field], offset: u64, bits: Option<u64>) -> Option<&'f Field> {
        let covers =
            |field: &&Field| field.offset <= offset && offset < field.offset.saturating_add(field.bits);
        let exact = |field: &&Field| field.offset == offset && Some(field.bits) == bits;
        fields.iter().find(exact).or_else(|| fields.iter().find(covers))
    }

    /// Appends the subscripts of an element of an array, and takes them off the offset.
    fn subscripts(
        &self,
        element: DebugTypeId,
        lengths: &[u64],
        offset: &mut Offset,
        path: &mut Vec<Part>,
    ) -> Option<()> {
        let size = self.size_in_bits(element).filter(|&size| size > 0)?;
        for dimension in 0..lengths.len().max(1) {
            let inner = lengths.get(dimension + 1..).unwrap_or_default();
            let stride = inner.iter().try_fold(size, |product, &length| product.checked_mul(length))?;
            let index = offset.bits.checked_div(stride)?;
            offset.bits -= index * stride;
            let term = offset.scaled.iter().position(|&(_, scale)| scale == stride);
            let term = term.map(|position| offset.scaled.remove(position).0);
            path.push(Part::Element(i128::from(index), term));
        }
        Some(())
    }

    /// A type as C writes it before a name: `unsigned int`, `struct device *`, `char [10]`.
    #[must_use]
    pub fn type_name(&self, ty: Option<DebugTypeId>) -> String {
        let mut suffix = String::new();
        let mut current = ty;
        for _ in 0..DEPTH {
            let Some(id) = current else { return format!("void{suffix}") };
            let name = match &self.types[id] {
                DebugType::Basic { name, .. } | DebugType::Alias { name, .. } => name.clone(),
                DebugType::Record { name, .. } | DebugType::Enumeration { name, .. } => or_anonymous(name),
                DebugType::Pointer(of) => {
                    suffix = format!(" *{}", suffix.strip_prefix(' ').unwrap_or_default());
                    current = *of;
                    continue;
                }
                DebugType::Array { element, lengths } => {
                    let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
                    suffix = format!(" {lengths}{suffix}");
                    current = *element;
                    continue;
                }
                DebugType::Qualified { qualifier, of } => {
                    suffix = format!(" {qualifier}{suffix}");
                    current = *of;
                    continue;
                }
                DebugType::Function => "function".into(),
                DebugType::Other => "…".into(),
            };
            return format!("{name}{suffix}");
        }
        "…".into()
    }
}

fn or_anonymous(name: &str) -> String {
    if name.is_empty() { "struct".into() } else { name.into() }
}
