//! What a function without a body does to memory, as far as addresses are concerned.

/// The name under which the effect of inline assembly is asked for.
pub const ASSEMBLY: &str = "asm";

/// What a declared function does. Arguments are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum External {
    /// No effect on memory; the result is no address.
    Nothing,
    /// Prints: no effect on memory, but it is asked what the arguments point to.
    Prints,
    /// Returns a new object. The product of these arguments is its size; if there are none, its size is not known.
    Allocates(&'static [usize]),
    /// Returns any number, or the address of an object that is none of the program's.
    Invents,
    /// Returns a new object with the contents of the one that the first of these arguments points to, or that one; the second
    /// is its size.
    Reallocates(usize, usize),
    /// Ends an object.
    Frees,
    /// Returns this argument.
    ReturnsArgument(usize),
    /// Copies memory to what the first points to, from what the second points to; the length is not known. Returns the
    /// first.
    CopiesMemory(usize, usize),
    /// Starts a thread (`pthread_create`).
    StartsThread {
        /// The argument that points to where the number of the thread is written.
        handle: usize,
        /// The argument that is the address of the function to run.
        routine: usize,
        /// The argument that is passed to it.
        argument: usize,
    },
    /// Writes what a thread returned to where this argument points (`pthread_join`).
    JoinsThread {
        /// The argument.
        result: usize,
    },
    /// Ends the thread; this argument is what it returns (`pthread_exit`).
    EndsThread {
        /// The argument.
        result: usize,
    },
    /// Anything: all that is reachable from the arguments may be changed, kept and returned, later calls included.
    Anything,
}
