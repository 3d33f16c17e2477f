//! Our own copy of an LLVM module: what is left of it once types are laid out and names are known.
//!
//! `llvm` writes it, `vm` runs it, and the lowering to [`program`](crate::program) reads it; none of them sees a
//! foreign type. It is smaller than LLVM's: addresses are a base and scaled offsets in bytes, initialisers are bytes
//! and the addresses among them, constants are folded, and intrinsics are named one by one. What has no place here is
//! [`Operation::Unsupported`], harmless unless it is reached.

pub mod analysis;
pub mod check;
pub mod debug;
pub mod instruction;
pub mod operands;
pub mod scan;
pub mod strings;
pub mod text;
mod text_operation;
pub mod transform;
pub mod undefined;

pub use debug::{DebugType, DebugTypeId, Field, FileId, Place, Variable};
pub use instruction::{
    BinaryOperator, Callee, Cast, Comparison, Constant, Exchange, FloatComparison, FloatOperator,
    Instruction, Intrinsic, Operand, Operation, Terminator, Wrap,
};

use crate::ground::index::IndexVec;
use serde::{Deserialize, Serialize};

crate::index_types! {
    /// A function, defined or only declared.
    FunctionId,
    /// A global variable.
    GlobalId,
    /// A basic block of a function.
    BlockId,
    /// A parameter or the result of an instruction, within a function.
    ValueId,
}

impl BlockId {
    /// The entry of a function.
    pub const FIRST: Self = Self(0);
}

/// What the names of files with our models of library functions begin with.
pub const MODELS: &str = "<boolero>/";

/// Functions that must not be called, unless others are named.
pub const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// A program: all translation units, linked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Module {
    /// Size of a pointer in bytes: 4 or 8. Byte order is always little-endian.
    pub pointer_bytes: u32,
    /// Source files.
    pub files: IndexVec<FileId, String>,
    /// Types of C, for names only.
    pub types: IndexVec<DebugTypeId, DebugType>,
    /// Global variables.
    pub globals: IndexVec<GlobalId, Global>,
    /// Functions.
    pub functions: IndexVec<FunctionId, Function>,
}

impl Module {
    /// The function with this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.ids().find(|&id| self.functions[id].name == name)
    }

    /// The file of models that the body of a function comes from.
    #[must_use]
    pub fn model_file(&self, function: &Function) -> Option<&str> {
        let file = function.place.and_then(|place| self.files.get(place.file))?;
        file.strip_prefix(MODELS).filter(|_| function.is_defined())
    }

    /// A function without a body of this name and result, which takes any arguments.
    pub fn declare(&mut self, name: &str, result: Type) -> FunctionId {
        let same = |function: &Function| {
            function.name == name && function.result == result && !function.is_defined()
        };
        if let Some((id, _)) = self.functions.enumerate().find(|(_, function)| same(function)) {
            return id;
        }
        self.functions.push(Function {
            name: name.to_owned(),
            parameters: Vec::new(),
            result,
            variadic: true,
            never_returns: false,
            blocks: IndexVec::new(),
            values: IndexVec::new(),
            place: None,
            variable: None,
        })
    }

    /// Size of a pointer in bits.
    #[must_use]
    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bytes * 8
    }

    /// How many bytes a value of this type takes in memory.
    #[must_use]
    pub fn size_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void => 0,
            Type::Integer(bits) => u64::from(bits.div_ceil(8)),
            Type::Pointer => u64::from(self.pointer_bytes),
            Type::Float => 4,
            Type::Double => 8,
            Type::Aggregate { size, .. } => *size,
            Type::Other { size, .. } => *size,
        }
    }
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of so many bits (1 to 128).
    Integer(u32),
    /// An address.
    Pointer,
    /// A 32-bit floating-point number.
    Float,
    /// A 64-bit floating-point number.
    Double,
    /// A struct or array as a value: members with their offsets in bytes.
    Aggregate {
        /// Members and their offsets.
        members: Vec<(u64, Type)>,
        /// Size in bytes, padding included.
        size: u64,
    },
    /// A type that is not modelled (vectors, 80-bit floats, …), by its name in LLVM.
    Other {
        /// As LLVM writes it.
        name: String,
        /// Size in bytes.
        size: u64,
    },
}

/// A global variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its name in LLVM (`counter`, `main.cache`, `.str.1`).
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether it is never written (`const`, string literals).
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Whether other files may use it by its name: it is not `static`.
    pub exported: bool,
    /// What it starts with; nothing if it is defined elsewhere.
    pub initialiser: Option<Initialiser>,
    /// What C calls it; nothing for string literals and the like.
    pub variable: Option<Variable>,
}

/// What a global variable starts with: zeros, but for the pieces.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Initialiser {
    /// Bytes at offsets, in order, not overlapping.
    pub bytes: Vec<(u64, Vec<u8>)>,
    /// Addresses (or integers made of addresses) at offsets, in order: constants of type pointer.
    pub addresses: Vec<(u64, Constant)>,
    /// Something that is not modelled was left out (as zeros); it is named here.
    pub unsupported: Option<String>,
}

/// A function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Parameters: the first values.
    pub parameters: Vec<Parameter>,
    /// What it returns.
    pub result: Type,
    /// Whether it takes further arguments (`...`).
    pub variadic: bool,
    /// Basic blocks, the entry first; none if the function is only declared.
    pub blocks: IndexVec<BlockId, Block>,
    /// Parameters and results of instructions.
    pub values: IndexVec<ValueId, Value>,
    /// Whether it never comes back (`noreturn`), as the program says.
    pub never_returns: bool,
    /// Where it is defined.
    pub place: Option<Place>,
    /// The type that C gives it.
    pub variable: Option<Variable>,
}

impl Function {
    /// Whether it has a body.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// The value in the body.
    pub value: ValueId,
    /// A struct passed by value: the argument is an address, and the callee gets the address of a copy of so many
    /// bytes, which ends with the call.
    pub copied: Option<u64>,
}

/// What is known of a parameter or a result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// Its name in LLVM, if it has one: a hint only.
    pub name: String,
    /// For the result of an [`Operation::Allocate`], or a parameter that is copied: the variable of C that it is.
    pub variable: Option<Variable>,
}

/// Whether a block is that of a label of C: LLVM adds numbers to names that are taken.
#[must_use]
pub fn is_label(block: &str, label: &str) -> bool {
    block.strip_prefix(label).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A basic block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// Its name in LLVM: a label of C, or `for.cond3`.
    pub name: String,
    /// Instructions, phis first.
    pub instructions: Vec<Instruction>,
    /// The end.
    pub terminator: Terminator,
    /// Where the end stands in C.
    pub place: Option<Place>,
}

impl Block {
    /// Where it starts in C.
    #[must_use]
    pub fn start(&self) -> Option<Place> {
        self.instructions.first().and_then(|instruction| instruction.place).or(self.place)
    }
}
