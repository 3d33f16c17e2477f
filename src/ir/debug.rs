//! Names of C: what `-g` tells about files, variables and types.

use crate::ground::index::IndexVec;
use serde::{Deserialize, Serialize};

crate::index_types! {
    /// A source file.
    FileId,
    /// A type of C.
    DebugTypeId,
}

/// An instruction, in C: two of one function never have the same line, column and number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// Which of the instructions there, in order, from 0: `n++` reads, adds and writes in one column.
    pub number: u32,
}

/// A variable of C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type, if known.
    pub ty: Option<DebugTypeId>,
    /// Where it is declared.
    pub place: Option<Place>,
    /// The number of the parameter that it is, from 1.
    pub parameter: Option<u32>,
    /// Of a local variable: the blocks of C that it is in, from the outermost to its own, by number within the function;
    /// none if the function as a whole is its block.
    pub scope: Vec<u32>,
}

/// A type of C. Chains of typedefs and qualifiers are kept, because people read them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum DebugType {
    /// `int`, `unsigned char`, `_Bool`, …
    Basic {
        /// As C writes it.
        name: String,
        /// Size in bits.
        bits: u64,
        /// Whether it is a signed integer.
        signed: bool,
    },
    /// A pointer; to `void` if nothing is said.
    Pointer(Option<DebugTypeId>),
    /// A struct or a union.
    Record {
        /// `struct device`, `union u`; empty if it has no name.
        name: String,
        /// Size in bytes.
        size: u64,
        /// Members.
        fields: Vec<Field>,
    },
    /// An array: element and length in each dimension (0 if unknown).
    Array {
        /// The element.
        element: Option<DebugTypeId>,
        /// Lengths, outermost first.
        lengths: Vec<u64>,
    },
    /// An enumeration.
    Enumeration {
        /// `enum colour`.
        name: String,
        /// Size in bits.
        bits: u64,
        /// Names and values.
        values: Vec<(String, i64)>,
    },
    /// `typedef`.
    Alias {
        /// The new name.
        name: String,
        /// What it stands for.
        of: Option<DebugTypeId>,
    },
    /// `const`, `volatile`, …
    Qualified {
        /// The qualifier.
        qualifier: String,
        /// What it qualifies.
        of: Option<DebugTypeId>,
    },
    /// A function.
    Function,
    /// Anything else.
    Other,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Its name; empty for anonymous members.
    pub name: String,
    /// Offset in bits.
    pub offset: u64,
    /// Size in bits.
    pub bits: u64,
    /// Its type.
    pub ty: Option<DebugTypeId>,
}

/// The type behind typedefs and qualifiers.
#[must_use]
pub fn resolve(types: &IndexVec<DebugTypeId, DebugType>, mut ty: DebugTypeId) -> DebugTypeId {
    // A chain cannot be longer than there are types.
    for _ in 0..types.len() {
        match &types[ty] {
            DebugType::Alias { of: Some(of), .. } | DebugType::Qualified { of: Some(of), .. } => ty = *of,
            _ => break,
        }
    }
    ty
}
