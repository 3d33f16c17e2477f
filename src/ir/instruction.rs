//! Instructions, operands, constants.

use super::{BlockId, FunctionId, GlobalId, Place, Type, ValueId};
use crate::term::float::{FloatFunction, Rounding};
use serde::{Deserialize, Serialize};

/// An instruction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Instruction {
    /// The value that it defines.
    pub result: Option<ValueId>,
    /// What it does.
    pub operation: Operation,
    /// Where it stands in C.
    pub place: Option<Place>,
}

/// What an instruction takes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Operand {
    /// A parameter or an earlier result.
    Value(ValueId),
    /// A constant.
    Constant(Constant),
}

/// A constant. Constant expressions are folded to these, or become instructions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Constant {
    /// An integer: its width in bits, and its value, zero-extended.
    Integer {
        /// Width in bits.
        bits: u32,
        /// Value below `2^bits`.
        value: u128,
    },
    /// A `float`, by its bits.
    Float(u32),
    /// A `double`, by its bits.
    Double(u64),
    /// The null pointer.
    Null,
    /// The address of a global variable, so many bytes on.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FunctionId),
    /// Zero of any type.
    Zero(Type),
    /// A struct or array.
    Aggregate(Type, Vec<Constant>),
    /// `undef`: any value, chosen at every use.
    Undefined(Type),
    /// `poison`.
    Poison(Type),
    /// What is not modelled, by name.
    Unsupported(Type, String),
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Operation {
    /// Arithmetic on integers of one width.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
        /// Which overflows are undefined.
        wrap: Wrap,
    },
    /// Comparison of integers or addresses; the result has one bit.
    Compare {
        /// The relation.
        comparison: Comparison,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// Arithmetic on floating-point numbers.
    FloatBinary {
        /// The operator.
        operator: FloatOperator,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// Comparison of floating-point numbers.
    FloatCompare {
        /// The relation.
        comparison: FloatComparison,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// Minus.
    FloatNegate(Operand),
    /// A conversion to the type of the result.
    Cast {
        /// Which one.
        cast: Cast,
        /// What is converted.
        value: Operand,
    },
    /// `condition ? yes : no`.
    Select {
        /// One bit.
        condition: Operand,
        /// If it is 1.
        yes: Operand,
        /// If it is 0.
        no: Operand,
    },
    /// The value that belongs to the block we come from.
    Phi(Vec<(BlockId, Operand)>),
    /// A local object: `size` times `count` bytes, until the function returns.
    Allocate {
        /// Bytes of one element.
        size: u64,
        /// How many.
        count: Operand,
        /// Alignment in bytes.
        align: u64,
    },
    /// Reads a value of the result's type.
    Load {
        /// Where.
        address: Operand,
        /// Alignment that the compiler relies on.
        align: u64,
        /// `volatile`.
        volatile: bool,
        /// Whether it is an atomic access (C11, GCC).
        atomic: bool,
    },
    /// Writes a value.
    Store {
        /// Where.
        address: Operand,
        /// What.
        value: Operand,
        /// The type of what is written.
        ty: Type,
        /// Alignment that the compiler relies on.
        align: u64,
        /// `volatile`.
        volatile: bool,
        /// Whether it is an atomic access.
        atomic: bool,
    },
    /// An address: base + constant + the sum of operand · scale, in bytes. Operands are sign-extended or truncated to
    /// the width of a pointer first.
    Offset {
        /// An address.
        base: Operand,
        /// Bytes.
        constant: i64,
        /// Operands (of any integer width), each with its type's width in bits, and their scales.
        terms: Vec<(Operand, u32, i64)>,
        /// Whether leaving the object is undefined.
        in_bounds: bool,
        /// The size in bytes of the array that begins at the base and that the only operand indexes, if C says so.
        array: Option<u64>,
    },
    /// Reads, combines, writes, in one step; the result is what was read.
    AtomicUpdate {
        /// How the new value is made.
        exchange: Exchange,
        /// Where.
        address: Operand,
        /// The operand.
        value: Operand,
    },
    /// Compares and, if equal, writes, in one step. The result is an aggregate: what was read, and one bit: success.
    CompareExchange {
        /// Where.
        address: Operand,
        /// What must be there.
        expected: Operand,
        /// What is written.
        new: Operand,
        /// The type of both.
        ty: Type,
        /// Whether it may fail without a reason.
        weak: bool,
    },
    /// A memory barrier.
    Fence,
    /// A member of an aggregate.
    Extract {
        /// The aggregate.
        aggregate: Operand,
        /// Its type.
        ty: Type,
        /// Which member, of which member, …
        path: Vec<u32>,
    },
    /// An aggregate with one member replaced.
    Insert {
        /// The aggregate; its type is the result's.
        aggregate: Operand,
        /// The new member.
        value: Operand,
        /// Which member, of which member, …
        path: Vec<u32>,
    },
    /// A call.
    Call {
        /// What is called.
        callee: Callee,
        /// Arguments, and their types.
        arguments: Vec<(Operand, Type)>,
        /// For arguments behind `...` that are structs passed by value: their sizes. For operands of assembly in memory: how
        /// large they are. Empty if there is none, otherwise as long as `arguments`.
        copied: Vec<Option<u64>>,
    },
    /// Something that LLVM provides.
    Intrinsic {
        /// Which one.
        intrinsic: Intrinsic,
        /// Arguments, and their types.
        arguments: Vec<(Operand, Type)>,
    },
    /// One arbitrary value where the operand is undefined, else the operand.
    Freeze(Operand),
    /// What is not modelled; the text completes "unsupported: …".
    Unsupported(String),
}

/// Which overflows of an operation are undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Wrap {
    /// `nsw`.
    pub signed: bool,
    /// `nuw`.
    pub unsigned: bool,
    /// `exact`.
    pub exact: bool,
    /// A left shift of a signed integer of C: a negative number must not be shifted, nor a one into the sign or beyond.
    pub base: bool,
}

/// Operators on integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    SignedDivide,
    UnsignedRemainder,
    SignedRemainder,
    ShiftLeft,
    /// Fills with zeros.
    ShiftRight,
    /// Fills with the sign.
    ShiftRightSigned,
    And,
    Or,
    Xor,
}

/// Relations between integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    UnsignedLess,
    UnsignedLessEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
}

/// Operators on floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// A relation between floating-point numbers: in which of the four cases it holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FloatComparison {
    /// The left one is less.
    pub less: bool,
    /// They are equal.
    pub equal: bool,
    /// The left one is greater.
    pub greater: bool,
    /// One of them is not a number.
    pub unordered: bool,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Cast {
    /// Keeps the low bits.
    Truncate,
    /// Adds zeros.
    ZeroExtend,
    /// Repeats the sign.
    SignExtend,
    /// An address as an integer (truncated or zero-extended).
    PointerToInteger,
    /// An integer as an address (truncated or zero-extended).
    IntegerToPointer,
    /// The same bits.
    Bits,
    /// `double` to `float`.
    FloatTruncate,
    /// `float` to `double`.
    FloatExtend,
    /// To a signed integer.
    FloatToSigned,
    /// To an unsigned integer.
    FloatToUnsigned,
    /// From a signed integer.
    SignedToFloat,
    /// From an unsigned integer.
    UnsignedToFloat,
}

impl Cast {
    /// Whether it is from or to a floating-point number.
    #[must_use]
    pub fn is_of_floats(self) -> bool {
        match self {
            Self::FloatTruncate
            | Self::FloatExtend
            | Self::FloatToSigned
            | Self::FloatToUnsigned
            | Self::SignedToFloat
            | Self::UnsignedToFloat => true,
            Self::Truncate
            | Self::ZeroExtend
            | Self::SignExtend
            | Self::PointerToInteger
            | Self::IntegerToPointer
            | Self::Bits => false,
        }
    }
}

/// How an atomic update makes the new value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Exchange {
    /// The operand itself.
    Swap,
    Add,
    Subtract,
    And,
    /// Not and.
    Nand,
    Or,
    Xor,
    SignedMax,
    SignedMin,
    UnsignedMax,
    UnsignedMin,
}

/// What is called.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A function.
    Function(FunctionId),
    /// A function through its address.
    Address(Operand),
    /// Inline assembly.
    Assembly {
        /// The instructions, with `$0`, `$1`, … for operands.
        template: String,
        /// Where operands are, as LLVM writes it.
        constraints: String,
    },
}

/// What LLVM provides. Arguments are those of LLVM, without metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Intrinsic {
    /// `memcpy(to, from, bytes, volatile)`.
    CopyMemory,
    /// `memmove(to, from, bytes, volatile)`.
    MoveMemory,
    /// `memset(to, byte, bytes, volatile)`.
    SetMemory,
    /// Signed sum and whether it overflowed, as an aggregate.
    SignedAddOverflow,
    /// Unsigned sum, likewise.
    UnsignedAddOverflow,
    /// Signed difference, likewise.
    SignedSubtractOverflow,
    /// Unsigned difference, likewise.
    UnsignedSubtractOverflow,
    /// Signed product, likewise.
    SignedMultiplyOverflow,
    /// Unsigned product, likewise.
    UnsignedMultiplyOverflow,
    /// Its first argument (`llvm.expect`, `llvm.launder…`, annotations).
    First,
    /// Nothing happens (debug information, annotations, prefetch, `donothing`).
    Nothing,
    /// A local variable begins, given by the result of its `Allocate`: its contents are indeterminate. If it had ended, it is
    /// a new one, and addresses of the old one are not its addresses. A second argument says that the program writes all of
    /// it before it reads it.
    StartLife,
    /// A local variable ends: nobody may access it any more.
    EndLife,
    /// A local variable of which nobody knows when it begins and ends, but for the function as a whole. Nothing happens.
    /// A second argument says that at least its contents are known to be indeterminate where they are.
    UnknownLife,
    /// `llvm.assume`: undefined if the argument is 0.
    Assume,
    /// `llvm.trap`, `llvm.debugtrap`, `llvm.ubsantrap`: the run ends.
    Trap,
    /// Number of ones.
    CountOnes,
    /// Leading zeros; the second argument says whether zero is undefined.
    LeadingZeros,
    /// Trailing zeros; the second argument says whether zero is undefined.
    TrailingZeros,
    /// Bytes in opposite order.
    SwapBytes,
    /// Bits in opposite order.
    ReverseBits,
    /// Absolute value; the second argument says whether the least value is undefined.
    Absolute,
    /// Larger one, signed.
    SignedMax,
    /// Smaller one, signed.
    SignedMin,
    /// Larger one, unsigned.
    UnsignedMax,
    /// Smaller one, unsigned.
    UnsignedMin,
    /// `fshl(high, low, by)`.
    FunnelShiftLeft,
    /// `fshr(high, low, by)`.
    FunnelShiftRight,
    /// `va_start(list)`.
    StartArguments,
    /// `va_end(list)`.
    EndArguments,
    /// `va_copy(to, from)`.
    CopyArguments,
    /// `llvm.stacksave`: some address.
    SaveStack,
    /// `llvm.stackrestore(address)`: what was allocated since then ends.
    RestoreStack,
    /// `llvm.objectsize`: the size of the object, or "unknown" as the second argument asks.
    ObjectSize,
    /// `llvm.is.constant`.
    IsConstant,
    /// `llvm.threadlocal.address(global)`: the address for this thread.
    ThreadLocalAddress,
    /// `fabs`.
    FloatAbsolute,
    /// `fmuladd`: first · second + third, rounded once or twice.
    FloatMultiplyAdd,
    /// `sqrt`.
    SquareRoot,
    /// `floor`.
    Floor,
    /// `ceil`.
    Ceiling,
    /// `trunc`.
    RoundTowardsZero,
    /// `round`: ties away from zero.
    Round,
    /// `rint`, `nearbyint`, `roundeven`: ties to even.
    RoundEven,
    /// `copysign(magnitude, sign)`.
    CopySign,
    /// `is.fpclass(number, classes)`: whether it is of one of them.
    IsOfClass,
}

/// The end of a block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Terminator {
    /// The function returns.
    Return(Option<Operand>),
    /// To a block.
    Jump(BlockId),
    /// To one of two blocks.
    Branch {
        /// One bit.
        condition: Operand,
        /// If it is 1.
        yes: BlockId,
        /// If it is 0.
        no: BlockId,
    },
    /// To the block of a value.
    Switch {
        /// The value.
        value: Operand,
        /// Its width in bits.
        bits: u32,
        /// Values and blocks.
        cases: Vec<(u128, BlockId)>,
        /// If none fits.
        default: BlockId,
    },
    /// Control never gets here.
    Unreachable,
    /// What is not modelled.
    Unsupported(String),
}

/// The same operation on bit vectors.
impl From<BinaryOperator> for crate::term::Operator {
    fn from(operator: BinaryOperator) -> Self {
        match operator {
            BinaryOperator::Add => Self::Add,
            BinaryOperator::Subtract => Self::Subtract,
            BinaryOperator::Multiply => Self::Multiply,
            BinaryOperator::UnsignedDivide => Self::UnsignedDivide,
            BinaryOperator::SignedDivide => Self::SignedDivide,
            BinaryOperator::UnsignedRemainder => Self::UnsignedRemainder,
            BinaryOperator::SignedRemainder => Self::SignedRemainder,
            BinaryOperator::ShiftLeft => Self::ShiftLeft,
            BinaryOperator::ShiftRight => Self::ShiftRight,
            BinaryOperator::ShiftRightSigned => Self::ShiftRightSigned,
            BinaryOperator::And => Self::And,
            BinaryOperator::Or => Self::Or,
            BinaryOperator::Xor => Self::Xor,
        }
    }
}

impl Intrinsic {
    /// The function of one floating-point number that it is.
    #[must_use]
    pub fn float_function(self) -> Option<FloatFunction> {
        Some(match self {
            Self::SquareRoot => FloatFunction::SquareRoot,
            Self::Floor => FloatFunction::Integral(Rounding::Down),
            Self::Ceiling => FloatFunction::Integral(Rounding::Up),
            Self::RoundTowardsZero => FloatFunction::Integral(Rounding::TowardsZero),
            Self::Round => FloatFunction::Integral(Rounding::TiesAway),
            Self::RoundEven => FloatFunction::Integral(Rounding::TiesToEven),
            _ => return None,
        })
    }
}
