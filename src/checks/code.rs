//! What a check may ask of the lowering, and what it may add to the program.

use super::Answer;
use super::held::Held;
use crate::ground::fault::Fault;
use crate::ir::analysis::points_to::{Origin, PointsTo, RegionId, RegionKind, Site};
use crate::ir::{FunctionId, Module, Operand, Place};
use crate::program::Role;
use crate::term::{Sort, Store, Symbol, Term};
use std::collections::BTreeSet;

/// The program as a whole.
pub trait Whole {
    /// The module.
    fn module(&self) -> &Module;
    /// What pointers point to.
    fn points(&self) -> &PointsTo;
    /// Terms.
    fn store(&mut self) -> &mut Store;
    /// The width of an address.
    fn pointer_bits(&self) -> u32;
    /// Whether the program starts threads.
    fn threaded(&self) -> bool;
    /// Whether the user asked for a fault.
    fn asks(&self, fault: Fault) -> bool;
    /// A new global variable of the check's own.
    fn ghost(&mut self, name: &str, sort: Sort, role: Role) -> Symbol;
    /// Nobody looks for a fault at a place; what is not looked at.
    fn uncovered(&mut self, fault: Fault, place: Option<Place>, what: &'static str);

    /// An object with a fixed address: where it starts, and its size.
    fn fixed(&self, origin: Origin) -> Option<(u64, u64)>;
    /// What C calls an object with a fixed address.
    fn name_of(&self, origin: Origin) -> Option<String>;
    /// The first address after all objects with fixed addresses.
    fn end_of_fixed(&self) -> u64;
    /// Whether an object is made by a function that allocates memory, or is a local variable: its size and life are kept.
    fn is_tracked(&self, origin: Origin) -> bool;
    /// Where sizes and lives of objects are kept that come into being at run time.
    fn tracking(&self) -> Option<Tracking>;
    /// One bit: whether an object with a fixed address lives, if that is in question.
    fn life(&self, origin: Origin) -> Option<Symbol>;
    /// Whether an access of a function to an object that has ended may go unnoticed.
    fn may_be_missed(&self, origin: Origin, function: FunctionId) -> bool;
    /// The variables that are all zero if nothing of the heap lives.
    fn what_lives(&self) -> Vec<Symbol>;

    /// The variable of a region, and how it is held.
    fn region(&self, region: RegionId) -> (Symbol, RegionKind);
    /// Whether several threads may access a region, and something changes there.
    fn is_shared(&self, region: RegionId) -> bool;
    /// How an instruction accesses memory, if it does.
    fn accessed(&self, site: Site) -> Vec<(RegionId, super::Manner)>;
    /// Whether an instruction belongs to a model of pthread.
    fn is_of_pthread(&self, site: Site) -> bool;
    /// The instructions that are always within an atomic section, and those that are sometimes.
    fn atomicity(&self) -> (&BTreeSet<Site>, &BTreeSet<Site>);
    /// All instructions that may be executed.
    fn sites(&self) -> Vec<Site>;
    /// What an instruction does to a lock, if it is a call of one of our models that says so.
    fn lock_step(&self, site: Site) -> Option<super::LockStep>;
    /// Whether threads besides the first may run a function.
    fn may_run_in_thread(&self, function: FunctionId) -> bool;
    /// Who holds which lock, as far as that is noted.
    fn held(&mut self) -> &mut Held;
}

/// What is known of objects that come into being at run time.
#[derive(Clone, Copy, Debug)]
pub struct Tracking {
    /// The size of each, by its address.
    pub size: Symbol,
    /// One bit for each, by its address: whether it lives.
    pub alive: Symbol,
    /// How many live on the heap.
    pub count: Symbol,
    /// Addresses of objects are multiples of this, and no object is larger.
    pub slot: u64,
}

/// Which values survive a cut as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Those whose variables the edge leaves alone.
    Plain,
    /// Of these, those that mention local variables only: others may change what is global.
    Call,
}

/// The place in the program where something is about to happen.
pub trait Code<'m>: Whole {
    /// The instruction.
    fn site(&self) -> Site;
    /// The value of an operand, in the state here.
    fn term(&mut self, operand: &'m Operand) -> Term;
    /// Two operands of an operation, with any number in place of an address whose number is observed.
    fn numbers(&mut self, operands: [&'m Operand; 2]) -> [Term; 2];
    /// A variable, in the state here.
    fn read(&mut self, symbol: Symbol) -> Term;
    /// Changes a variable.
    fn write(&mut self, symbol: Symbol, value: Term);
    /// Other threads may run here; terms from before mean something else afterwards.
    fn cut_here(&mut self, cut: Cut);
    /// Where the condition holds, the run has no verdict, and goes on where it does not.
    fn no_verdict_if(&mut self, condition: Term, what: &str);
    /// Where the condition holds, what follows is not all that may happen.
    fn no_verdict_beside(&mut self, condition: Term, what: &str);
    /// What becomes of an answer: a check that has several of them gives all but the last here.
    fn decide(&mut self, fault: Fault, answer: Answer);
    /// A property that is violated if one of these conditions holds, in the state here.
    fn claim(&mut self, fault: Fault, violated: &[Term], subject: Term, accessed: Option<u32>);
    /// Another way from here: if the guard holds, the thread changes these variables and goes no further.
    fn stop_aside(&mut self, guard: Term, updates: Vec<(Symbol, Term)>);

    /// The objects that the instruction may access.
    fn targets(&self) -> Vec<Origin>;
    /// The object that the program calls by its name in an address.
    fn named(&self, address: &Operand) -> Option<Origin>;
    /// Which bits of an operand are undefined, if any may be.
    fn undefined_bits(&mut self, operand: &'m Operand) -> Option<Term>;
    /// Whether the object that a free of this address would end lives, and is of the heap.
    fn heap_lives(&mut self, address: Term) -> Option<Term>;
}

/// What follows from the others.
impl<'c, 'm> dyn Code<'m> + 'c {
    /// Whether a bit is set.
    pub fn is_one(&mut self, bit: Term) -> Term {
        let one = self.store().bits(1, 1);
        self.store().equal(bit, one)
    }

    /// Whether a number is not zero.
    pub fn is_something(&mut self, number: Term) -> Term {
        let width = self.store().width(number);
        let zero = self.store().bits(width, 0);
        let nothing = self.store().equal(number, zero);
        self.store().not(nothing)
    }

    /// A number as wide as an address.
    pub fn address(&mut self, number: u128) -> Term {
        let bits = self.pointer_bits();
        self.store().bits(bits, number)
    }

    /// An address so many bytes on.
    pub fn plus(&mut self, address: Term, bytes: u64) -> Term {
        let bytes = self.address(bytes.into());
        self.store().binary(crate::term::Operator::Add, address, bytes)
    }

    /// The address of something.
    pub fn at(&mut self, at: super::At<'m>) -> Term {
        match at {
            super::At::Operand(operand) => self.term(operand),
            super::At::Kept(symbol) => self.read(symbol),
        }
    }
}
