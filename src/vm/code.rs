//! The machine's own code: `ir` with operands resolved to registers and constants, blocks to positions, and types to
//! widths, so that nothing is looked up while it runs.

use super::builtin::Handler;
use super::memory::Memory;
use super::value::Slot;
use crate::ground::index::IndexVec;
use crate::ir::{
    BinaryOperator, Cast, Comparison, Exchange, FloatComparison, FloatOperator, FunctionId, Intrinsic, Place,
    ValueId, Wrap,
};
use std::collections::BTreeSet;

/// A register of a frame.
pub type Register = u32;

/// An operand: a register, or a constant of the pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ref(pub u32);

/// The bit that marks a constant.
const CONSTANT: u32 = 1 << 31;

impl Ref {
    /// A constant by its number in the pool.
    #[must_use]
    pub fn constant(number: usize) -> Self {
        Self(u32::try_from(number).expect("fewer constants than 2^31") | CONSTANT)
    }

    /// The number in the pool, for a constant.
    #[must_use]
    #[inline(always)]
    pub fn as_constant(self) -> Option<usize> {
        (self.0 & CONSTANT != 0).then_some((self.0 & !CONSTANT) as usize)
    }

    /// The operand `by` slots further, for values of several slots.
    #[must_use]
    pub fn plus(self, by: u32) -> Self {
        Self(self.0 + by)
    }
}

/// A part of a value that fits a slot: where it lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Offset in bytes.
    pub offset: u64,
    /// How many bytes.
    pub bytes: u8,
    /// How many bits.
    pub bits: u8,
}

pub use crate::term::float::Format as Precision;

/// Whether an access is a write; the other threads care, and constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// An instruction.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Code {
    Binary {
        operator: BinaryOperator,
        wrap: Wrap,
        bits: u8,
        into: Register,
        left: Ref,
        right: Ref,
    },
    Compare {
        comparison: Comparison,
        bits: u8,
        into: Register,
        left: Ref,
        right: Ref,
    },
    /// Integers of more than 64 bits, in two slots.
    WideBinary {
        operator: BinaryOperator,
        wrap: Wrap,
        bits: u8,
        into: Register,
        left: Ref,
        right: Ref,
    },
    WideCompare {
        comparison: Comparison,
        bits: u8,
        into: Register,
        left: Ref,
        right: Ref,
    },
    FloatBinary {
        operator: FloatOperator,
        precision: Precision,
        into: Register,
        left: Ref,
        right: Ref,
    },
    FloatCompare {
        comparison: FloatComparison,
        precision: Precision,
        into: Register,
        left: Ref,
        right: Ref,
    },
    FloatNegate {
        precision: Precision,
        into: Register,
        value: Ref,
    },
    /// Widths of at most 64 bits.
    Cast {
        cast: Cast,
        from: u8,
        to: u8,
        into: Register,
        value: Ref,
    },
    /// A conversion from or to more than 64 bits.
    WideCast {
        cast: Cast,
        from: u8,
        to: u8,
        into: Register,
        value: Ref,
    },
    Select {
        condition: Ref,
        yes: Ref,
        no: Ref,
        into: Register,
        slots: u32,
    },
    Move {
        from: Ref,
        into: Register,
        slots: u32,
    },
    /// One arbitrary value for what is not chosen.
    Freeze {
        from: Ref,
        into: Register,
        bits: u8,
    },
    /// A local variable in a register starts.
    FreshLocal {
        local: Register,
    },
    /// A local variable begins again.
    StartLocal {
        local: Register,
        /// Whether it lives in a register.
        promoted: bool,
        /// Whether the program may read it before it writes it.
        read: bool,
    },
    /// A local variable ends.
    EndLocal {
        local: Register,
    },
    LoadLocal {
        local: Register,
        into: Register,
        bits: u8,
    },
    StoreLocal {
        local: Register,
        value: Ref,
        bits: u8,
    },
    Allocate {
        value: ValueId,
        size: u64,
        count: Ref,
        count_bits: u8,
        align: u32,
        into: Register,
    },
    Load {
        address: Ref,
        into: Register,
        bytes: u8,
        bits: u8,
    },
    Store {
        address: Ref,
        value: Ref,
        bytes: u8,
        bits: u8,
    },
    LoadPieces {
        address: Ref,
        into: Register,
        pieces: Box<[Piece]>,
    },
    StorePieces {
        address: Ref,
        value: Ref,
        pieces: Box<[Piece]>,
    },
    /// base + constant.
    OffsetConstant {
        base: Ref,
        constant: i64,
        into: Register,
    },
    /// base + constant + term · scale.
    OffsetOne {
        base: Ref,
        term: Ref,
        bits: u8,
        scale: i64,
        into: Register,
    },
    Offset {
        base: Ref,
        constant: i64,
        terms: Box<[(Ref, u8, i64)]>,
        into: Register,
    },
    AtomicUpdate {
        exchange: Exchange,
        address: Ref,
        value: Ref,
        piece: Piece,
        into: Register,
    },
    CompareExchange(Box<ExchangeCode>),
    Call(Box<CallCode>),
    Intrinsic(Box<IntrinsicCode>),
    Return {
        value: Ref,
        slots: u32,
    },
    Jump(u32),
    Branch {
        condition: Ref,
        yes: u32,
        no: u32,
    },
    Switch(Box<SwitchCode>),
    /// `--error-label`.
    ErrorLabel(Box<str>),
    Unreachable,
    Unsupported(Box<str>),
}

/// Compare and exchange.
#[derive(Clone, Debug)]
pub struct ExchangeCode {
    /// Where.
    pub address: Ref,
    /// What must be there.
    pub expected: Ref,
    /// What is written.
    pub new: Ref,
    /// How wide.
    pub piece: Piece,
    /// Whether it may fail.
    pub weak: bool,
    /// Where the old value goes, and behind it whether it succeeded.
    pub into: Register,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct ArgumentCode {
    /// The value.
    pub from: Ref,
    /// Its parts.
    pub pieces: Box<[Piece]>,
    /// Its size in memory, behind `...`.
    pub bytes: u64,
    /// For a struct passed by value behind `...`: its size.
    pub copied: Option<u64>,
}

/// What is called.
#[derive(Clone, Copy, Debug)]
pub enum CalleeCode {
    /// A function.
    Known(FunctionId),
    /// What an address points to.
    Address(Ref),
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallCode {
    /// What is called.
    pub callee: CalleeCode,
    /// Arguments.
    pub arguments: Box<[ArgumentCode]>,
    /// Where the result goes.
    pub into: Register,
    /// Parts of the result; empty if there is none or nobody asks for it.
    pub result: Box<[Piece]>,
}

/// An intrinsic.
#[derive(Clone, Debug)]
pub struct IntrinsicCode {
    /// Which one.
    pub intrinsic: Intrinsic,
    /// Arguments and their widths in bits.
    pub arguments: Box<[(Ref, u32)]>,
    /// Where the result goes.
    pub into: Register,
    /// Width of the result (of its first member).
    pub bits: u32,
}

/// A switch.
#[derive(Clone, Debug)]
pub struct SwitchCode {
    /// The value.
    pub value: Ref,
    /// Its width.
    pub bits: u8,
    /// Values in order, and where they lead.
    pub cases: Box<[(u64, u32)]>,
    /// If none fits.
    pub default: u32,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct ParameterCode {
    /// How many slots.
    pub slots: u32,
    /// A struct passed by value: its size.
    pub copied: Option<u64>,
}

/// What the machine does when a function is called.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// Runs its code.
    Code,
    /// Does it itself.
    Builtin(Handler),
    /// The property is violated.
    Error,
    /// Nobody defined it.
    Undefined,
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionCode {
    /// What happens when it is called.
    pub body: Body,
    /// Its code.
    pub code: Vec<Code>,
    /// Where each instruction stands in C.
    pub places: Vec<Option<Place>>,
    /// How many registers.
    pub registers: u32,
    /// Its parameters, the first registers.
    pub parameters: Box<[ParameterCode]>,
    /// Slots of all parameters.
    pub parameter_slots: u32,
    /// Whether it takes further arguments.
    pub variadic: bool,
    /// Whether it runs without interruption.
    pub atomic: bool,
    /// Variables that live in registers.
    pub locals: Vec<(Register, ValueId)>,
    /// Reads and writes that are atomic, by their numbers in the code.
    pub atomics: BTreeSet<usize>,
}

/// A program, decoded.
#[derive(Clone, Debug)]
pub struct Image {
    /// Functions.
    pub functions: IndexVec<FunctionId, FunctionCode>,
    /// Constants.
    pub constants: Vec<Slot>,
    /// Memory at the start.
    pub memory: Memory,
    /// Size of a pointer in bytes.
    pub word: u32,
}
