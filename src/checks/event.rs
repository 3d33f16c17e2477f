//! What is offered to checks: all that can go wrong happens at one of these.

use crate::ir::analysis::points_to::{Access, Origin, RegionId};
use crate::ir::{BinaryOperator, Operand, Wrap};
use crate::library::functions::LockStep;
use crate::term::{Symbol, Term};

/// Something that happens in a program.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e, 'm> {
    /// An operation on two integers.
    Arithmetic {
        /// The operation.
        operator: BinaryOperator,
        /// Its operands.
        operands: [&'m Operand; 2],
        /// Which results C leaves undefined.
        wrap: Wrap,
    },
    /// The absolute value of an integer, where that of the least one is undefined.
    Absolute(&'m Operand),
    /// Signed arithmetic on the number of an address: the model puts any number in its place.
    SignedOnAddress,
    /// What happens next depends on a value: a branch, an address, a length, an argument of the environment.
    Use(&'m Operand),
    /// An address is used, unless the number of bytes at it is zero.
    UseUnlessEmpty {
        /// The address.
        address: &'m Operand,
        /// The number of bytes.
        bytes: &'m Operand,
    },
    /// A compare-and-exchange branches on what it finds.
    Compared {
        /// Whether the outcome depends on something undefined.
        open: Term,
        /// What it finds.
        found: Term,
    },
    /// An instruction accesses memory.
    Access {
        /// Where.
        address: &'m Operand,
        /// How many bytes.
        bytes: u64,
        /// How.
        manner: Manner,
        /// What it accesses there.
        parts: &'e [Access],
    },
    /// A block of memory is about to be read or written, unless it is empty.
    Block {
        /// Where it starts.
        at: Symbol,
        /// How many bytes it has.
        bytes: Symbol,
        /// What it may lie in.
        targets: &'e [Origin],
        /// Whether it is written.
        written: bool,
    },
    /// A part of a block, or of what a library function writes, is accessed: the whole was offered before.
    Part {
        /// Where.
        at: At<'m>,
        /// How.
        manner: Manner,
        /// What is accessed there.
        parts: &'e [Access],
    },
    /// Parts of a block are accessed in a loop, and not offered one by one.
    Loop(&'e [RegionId]),
    /// The instruction accesses memory, and nobody has offered that.
    UnofferedAccess,
    /// An access to what is no object.
    NoObject,
    /// An access through a pointer that is uninitialised, or null.
    UnsetPointer,
    /// A call through an address.
    CallThrough(Term),
    /// A call through a pointer to none of the functions that it can call.
    NoFunction {
        /// Whether it points to none of them.
        other: Term,
        /// The address.
        address: Term,
    },
    /// A thread is started that runs none of the functions that it can run.
    NoRoutine,
    /// A function without a body is called, which may change all that it gets at.
    OutsideCode,
    /// A library function reads memory, and the model does not say which.
    ReadsUnseen,
    /// An object of the heap is about to end: null, or an object.
    Free(Symbol),
    /// An object of the heap ends.
    Freed,
    /// An object is copied to another place, and freed: it was checked before.
    Reallocated,
    /// A local variable begins.
    Begins(Origin),
    /// A local variable ends.
    Ends(Origin),
    /// Nobody knows when a local variable begins or ends.
    UnknownLife {
        /// Whether somebody may have its address when it has ended.
        kept: bool,
        /// Whether it may begin again, with other contents.
        again: bool,
    },
    /// The program ends here.
    Exit,
    /// The first thread ends, and the program goes on.
    FirstThreadEnds,
    /// Something happens to a lock.
    Lock {
        /// What.
        step: LockStep,
        /// Which lock.
        lock: &'m Operand,
        /// Whether it is misused, if a model says so.
        misuse: Option<&'m Operand>,
    },
    /// The thread waits, and not for a lock: for what.
    Wait(&'e str),
    /// The thread waits for the end of another one.
    Join,
    /// Control gets where the program says it never does.
    NeverReached,
}

/// What an event is about: a check says which topics concern it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// An operation on numbers.
    Arithmetic,
    /// A value decides what happens next.
    Use,
    /// Memory is accessed.
    Access,
    /// A part of a block is accessed, which was offered as a whole.
    Part,
    /// A call of what is not part of the model.
    Call,
    /// An object begins or ends.
    Life,
    /// The program ends.
    End,
    /// A thread waits, or uses a lock.
    Wait,
    /// Control gets somewhere.
    Flow,
}

impl Event<'_, '_> {
    /// What it is about.
    #[must_use]
    pub fn topic(&self) -> Topic {
        match self {
            Self::Arithmetic { .. } | Self::Absolute(_) | Self::SignedOnAddress => Topic::Arithmetic,
            Self::Use(_) | Self::UseUnlessEmpty { .. } | Self::Compared { .. } => Topic::Use,
            Self::Access { .. }
            | Self::Block { .. }
            | Self::UnofferedAccess
            | Self::NoObject
            | Self::UnsetPointer => Topic::Access,
            Self::Part { .. } | Self::Loop(_) => Topic::Part,
            Self::CallThrough(_)
            | Self::NoFunction { .. }
            | Self::NoRoutine
            | Self::OutsideCode
            | Self::ReadsUnseen => Topic::Call,
            Self::Free(_)
            | Self::Freed
            | Self::Reallocated
            | Self::Begins(_)
            | Self::Ends(_)
            | Self::UnknownLife { .. } => Topic::Life,
            Self::Exit | Self::FirstThreadEnds => Topic::End,
            Self::Lock { .. } | Self::Wait(_) | Self::Join => Topic::Wait,
            Self::NeverReached => Topic::Flow,
        }
    }
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Read in one step.
    AtomicRead,
    /// Written in one step, and maybe read.
    AtomicWrite,
}

impl Manner {
    /// Whether it writes.
    #[must_use]
    pub fn writes(self) -> bool {
        matches!(self, Self::Write | Self::AtomicWrite)
    }

    /// Whether it is one step.
    #[must_use]
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::AtomicRead | Self::AtomicWrite)
    }
}

/// An address that can be asked for again after a cut.
#[derive(Clone, Copy, Debug)]
pub enum At<'m> {
    /// An operand of the instruction.
    Operand(&'m Operand),
    /// A variable of the model.
    Kept(Symbol),
}
