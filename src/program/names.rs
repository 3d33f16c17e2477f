//! Names of C for the symbols, addresses and cells of memory of a program.
//!
//! A global variable has the name that C gives it; so has a local one, unless a global variable or an earlier local
//! variable of its procedure has that name: then a number tells them apart (`i`, `i#2`). Inputs of one edge are told
//! apart likewise.

use super::lvalue::{Lvalue, Piece};
use super::types::{Offset, Part};
use super::{Action, Procedure, ProcedureId, Program, Role, Scope};
use crate::ground::index::IndexVec;
use crate::ir::{DebugType, DebugTypeId};
use crate::term::c::{Names, print};
use crate::term::{Node, Sort, Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Cells within cells are named to this depth.
const DEPTH: u32 = 8;
/// Longer terms are cut, at about so many characters.
const BUDGET: usize = 2_000;
/// Constants below this are no addresses.
const LEAST_ADDRESS: u128 = 4096;

/// Names for a program.
#[derive(Clone, Debug)]
pub struct ProgramNames<'p> {
    program: &'p Program,
    /// How many cells the one that is being named is inside of.
    depth: Cell<u32>,
    names: IndexVec<Symbol, String>,
    procedures: IndexVec<ProcedureId, String>,
}

/// How often each name was given, and what has to be undone to forget the last ones: a copy for every scope would take
/// time quadratic in the size of the program.
#[derive(Default)]
struct Taken {
    counts: FxHashMap<String, usize>,
    log: Vec<(String, Option<usize>)>,
}

impl Taken {
    fn give(&mut self, name: &str, count: usize) {
        let before = self.counts.insert(name.into(), count);
        self.log.push((name.into(), before));
    }

    /// Forgets all names but the first so many.
    fn forget(&mut self, kept: usize) {
        for (name, before) in self.log.drain(kept..).rev() {
            match before {
                Some(count) => self.counts.insert(name, count),
                None => self.counts.remove(&name),
            };
        }
    }

    /// The name, with a number if it was given before.
    fn distinct(&mut self, name: &str) -> String {
        let mut count = self.counts.get(name).copied().unwrap_or(0) + 1;
        self.give(name, count);
        let mut result = name.to_string();
        // A numbered name may be somebody's own.
        while count > 1 && self.counts.contains_key(&result) {
            result = format!("{name}#{count}");
            count += 1;
        }
        if result != name {
            self.give(&result, 1);
        }
        result
    }
}

/// What calls return and no variable of C keeps is named after the callee: `f()`.
fn results(program: &Program, procedure: &Procedure) -> FxHashMap<Symbol, String> {
    let mut found = FxHashMap::default();
    for edge in procedure.edges.iter() {
        if let Action::Call { procedure: callee, result: Some(result), .. } = edge.action
            && program.variables[result].role == Role::Temporary
        {
            found.insert(result, format!("{}()", program.procedures[callee].name));
        }
    }
    found
}

impl<'p> ProgramNames<'p> {
    /// Names for this program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let mut taken = Taken::default();
        let mut names = IndexVec::filled(String::new(), program.store.symbol_count());
        for (symbol, variable) in program.variables.enumerate() {
            if variable.scope == Scope::Global {
                names[symbol] = taken.distinct(program.store.name(symbol));
            }
        }
        let mut procedures = IndexVec::new();
        let mut taken_procedures = Taken::default();
        let global = taken.log.len();
        for procedure in program.procedures.iter() {
            procedures.push(taken_procedures.distinct(&procedure.name));
            let results = results(program, procedure);
            for &local in &procedure.locals {
                let name = results.get(&local).map_or(program.store.name(local), String::as_str);
                names[local] = taken.distinct(name);
            }
            let local = taken.log.len();
            for edge in procedure.edges.iter() {
                let Action::Block(block) = &edge.action else { continue };
                for &input in &block.inputs {
                    names[input] = taken.distinct(program.store.name(input));
                }
                taken.forget(local);
            }
            taken.forget(global);
        }
        Self { program, depth: Cell::new(0), names, procedures }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The name of a symbol, distinct from all others that can be seen where it can.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        match self.names[symbol].as_str() {
            // An input that no edge uses any more.
            "" => self.program.store.name(symbol),
            name => name,
        }
    }

    /// The name of a procedure, distinct from all others.
    #[must_use]
    pub fn procedure(&self, id: ProcedureId) -> &str {
        &self.procedures[id]
    }

    /// Whether a term is simply true.
    #[must_use]
    pub fn is_true(&self, term: Term) -> bool {
        self.program.store.node(term) == Node::Boolean(true)
    }

    /// An update, as C would write it: one assignment, or one for each cell of memory, the earliest first.
    #[must_use]
    pub fn update(&self, symbol: Symbol, value: Term) -> Vec<String> {
        let store = &self.program.store;
        let mut writes = Vec::new();
        let mut array = value;
        while let Node::Store(below, address, element) = store.node(array) {
            let left = self.cell(below, address);
            writes.push(format!("{left} := {}", self.term(element)));
            array = below;
        }
        if store.node(array) != Node::Symbol(symbol) || writes.is_empty() {
            return vec![format!("{} := {}", self.name(symbol), self.term(value))];
        }
        writes.reverse();
        writes
    }

    /// A cell of memory: as C writes what lies there, or the region and the address.
    fn cell(&self, region: Term, address: Term) -> String {
        self.named_cell(address, self.cell_width(region)).unwrap_or_else(|| {
            let mut region = region;
            while let Node::Store(below, ..) = self.program.store.node(region) {
                region = below;
            }
            format!("{}[{}]", self.term(region), self.term(address))
        })
    }

    fn cell_width(&self, region: Term) -> u32 {
        match self.program.store.sort(region) {
            Sort::Array { element, .. } => element,
            other => panic!("memory is an array, not {other:?}"),
        }
    }

    /// What lies at an address of memory whose cells are so wide.
    fn lvalue(&self, address: Term, cell: u32) -> Option<Lvalue> {
        let addresses = self.program.store.width(address) == self.program.pointer_bits;
        addresses.then(|| self.program.lvalue(address, Some(u64::from(cell))))?
    }

    /// What lies at an address of memory, so many bits wide, as C writes it: `p->next`.
    #[must_use]
    pub fn at(&self, address: Term, bits: u32) -> Option<String> {
        self.named_cell(address, bits)
    }

    fn named_cell(&self, address: Term, cell: u32) -> Option<String> {
        if self.depth.get() == DEPTH {
            return None;
        }
        let lvalue = self.lvalue(address, cell)?;
        self.depth.set(self.depth.get() + 1);
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Term(term) => self.term(*term),
        };
        let text = lvalue.pieces.iter().map(piece).collect();
        self.depth.set(self.depth.get() - 1);
        Some(text)
    }

    /// A term as C.
    #[must_use]
    pub fn term(&self, term: Term) -> String {
        print(&self.program.store, term, self, BUDGET)
    }

    /// An address as C: `&g`, `&s.lock`, `a` for an array, `f` for a function.
    fn address(&self, value: u128) -> Option<String> {
        let (object, offset) = self.program.object_at(value)?;
        let decays = |ty: DebugTypeId| {
            matches!(self.program.resolved(ty), DebugType::Array { .. } | DebugType::Function)
        };
        if offset == 0 {
            let and = if object.ty.is_some_and(decays) { "" } else { "&" };
            return Some(format!("{and}{}", object.name));
        }
        let ty = object.ty.filter(|_| offset < object.size)?;
        let member = self.program.member(ty, Offset { bits: offset * 8, scaled: Vec::new() }, None)?;
        let path: String = member.path.iter().map(constant_part).collect();
        Some(format!("&{}{path}", object.name))
    }

    /// The type of a symbol or an element of memory, if it is known.
    fn type_of(&self, term: Term) -> Option<DebugTypeId> {
        match self.program.store.node(term) {
            Node::Symbol(symbol) => self.program.variables[symbol].ty,
            Node::Select(_, address) => self.lvalue(address, self.program.store.width(term))?.ty,
            _ => None,
        }
    }

    fn is_signed(&self, ty: DebugTypeId) -> Option<bool> {
        match self.program.resolved(ty) {
            DebugType::Basic { signed, .. } => Some(*signed),
            DebugType::Enumeration { values, .. } => Some(values.iter().any(|&(_, value)| value < 0)),
            DebugType::Pointer(_) => Some(false),
            _ => None,
        }
    }
}

fn constant_part(part: &Part) -> String {
    match part {
        Part::Field(name) => format!(".{name}"),
        Part::Element(number, _) => format!("[{number}]"),
    }
}

impl Names for ProgramNames<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        self.name(symbol).into()
    }

    fn constant(&self, width: u32, value: u128) -> Option<String> {
        // Small numbers are numbers.
        (width == self.program.pointer_bits && value >= LEAST_ADDRESS).then(|| self.address(value))?
    }

    fn memory(&self, array: Symbol, index: Term, _: &Store) -> Option<String> {
        let Sort::Array { element, .. } = self.program.store.sort_of_symbol(array) else { return None };
        self.named_cell(index, element)
    }

    fn signed(&self, term: Term) -> Option<bool> {
        self.is_signed(self.type_of(term)?)
    }

    fn is_float(&self, term: Term) -> bool {
        let ty = self.type_of(term).map(|ty| self.program.resolved(ty));
        matches!(ty, Some(DebugType::Basic { name, .. }) if name == "float" || name == "double")
    }
}
