//! Edges as flat code: what a run executes instead of walking over terms.
//!
//! The terms of an edge become a list of instructions, operands before users and each shared node once; instruction
//! *k* writes register *k*. Arrays are never computed as a whole: an array term is a small graph of stores, choices
//! and variables ([`ArrayNode`]) through which a `select` looks for the last store to its index. Zero extension
//! costs nothing: a register holds a value below `2^width`.

use super::inputs::Classes;
use super::layout::{Layout, Slot, number};
use crate::ground::index::IndexVec;
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId, Program};
use crate::term::float::{FloatFunction, FloatOperator, FloatRelation};
use crate::term::{Node, Operator, Sort, Store, Symbol, Term};
use rustc_hash::FxHashMap;

/// The number of a register.
pub(super) type Register = u32;
/// The number of an array node.
pub(super) type ArrayId = u32;

/// Computes the value of one register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Load(Slot),
    Input(u32),
    Value(u128),
    Not(Register),
    And(Register, Register),
    Or(Register, Register),
    Equal(Register, Register),
    UnsignedLess(Register, Register),
    SignedLess { width: u32, left: Register, right: Register },
    Choose(Register, Register, Register),
    Binary { operator: Operator, width: u32, left: Register, right: Register },
    FloatBinary { operator: FloatOperator, width: u32, left: Register, right: Register },
    FloatCompare { relation: FloatRelation, width: u32, left: Register, right: Register },
    FloatUnary { function: FloatFunction, width: u32, of: Register },
    Extract { low: u32, width: u32, of: Register },
    Concatenate { low_width: u32, high: Register, low: Register },
    SignExtend { from: u32, to: u32, of: Register },
    Select { array: ArrayId, index: Register },
    ArraysEqual { index_width: u32, left: ArrayId, right: ArrayId },
}

/// The top of an array term; indices and elements are in registers.
#[derive(Clone, Copy, Debug)]
pub(super) enum ArrayNode {
    Variable(Slot),
    Input(u32),
    Store { array: ArrayId, index: Register, element: Register },
    Choose { condition: Register, yes: ArrayId, no: ArrayId },
    Constant(Register),
}

/// An input of an edge: its class, and how many inputs of that class the edge asks for before.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputCode {
    pub symbol: Symbol,
    pub class: usize,
    pub occurrence: usize,
}

/// What taking the edge does besides assignments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Nothing,
    /// Pushes an activation. Assignments are to its parameters.
    Call(ProcedureId),
    /// Adds a thread. Assignments are to its parameters.
    Start(ProcedureId),
    AtomicBegin,
    AtomicEnd,
    End,
    Unsupported,
}

/// An edge.
#[derive(Clone, Debug)]
pub(super) struct EdgeCode {
    pub to: LocationId,
    pub effect: Effect,
    pub instructions: Vec<Instruction>,
    pub arrays: Vec<ArrayNode>,
    /// So many instructions compute the guard.
    pub guard_end: usize,
    /// The guard; nothing if the edge can always be taken.
    pub guard: Option<Register>,
    pub inputs: Vec<InputCode>,
    /// So many inputs must be known before the guard.
    pub guard_inputs: usize,
    pub scalars: Vec<(Slot, Register)>,
    pub array_updates: Vec<(Slot, ArrayId)>,
    /// Where registers and inputs of this edge start when all edges of its location are looked at.
    pub first_register: usize,
    pub first_input: usize,
}

/// A procedure.
#[derive(Clone, Debug)]
pub(super) struct ProcedureCode {
    pub edges: IndexVec<EdgeId, EdgeCode>,
    /// Edges that leave each location, in order.
    pub outgoing: IndexVec<LocationId, Vec<EdgeId>>,
}

/// Translates one procedure; returns how many registers and inputs its busiest location needs, too.
pub(super) fn compile(
    program: &Program,
    layout: &Layout,
    classes: &mut Classes,
    id: ProcedureId,
) -> (ProcedureCode, (usize, usize)) {
    let procedure = &program.procedures[id];
    let mut outgoing = IndexVec::filled(Vec::new(), procedure.locations.len());
    let mut sizes: IndexVec<LocationId, (usize, usize)> = IndexVec::filled((0, 0), procedure.locations.len());
    let mut edges = IndexVec::new();
    for (edge_id, edge) in procedure.edges.enumerate() {
        outgoing[edge.from].push(edge_id);
        let mut code = Compiler::new(program, layout).edge(edge, classes);
        let (registers, inputs) = &mut sizes[edge.from];
        (code.first_register, code.first_input) = (*registers, *inputs);
        *registers += code.instructions.len();
        *inputs += code.inputs.len();
        edges.push(code);
    }
    let most = sizes.iter().fold((0, 0), |most, size| (most.0.max(size.0), most.1.max(size.1)));
    (ProcedureCode { edges, outgoing }, most)
}

/// Where the value of a term is.
#[derive(Clone, Copy, Debug)]
enum Home {
    Register(Register),
    Array(ArrayId),
}

struct Compiler<'p> {
    program: &'p Program,
    layout: &'p Layout,
    homes: FxHashMap<Term, Home>,
    inputs: FxHashMap<Symbol, u32>,
    instructions: Vec<Instruction>,
    arrays: Vec<ArrayNode>,
    /// So many inputs were mentioned so far, counted to the last.
    mentioned: usize,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, layout: &'p Layout) -> Self {
        let (homes, inputs) = (FxHashMap::default(), FxHashMap::default());
        Self { program, layout, homes, inputs, instructions: Vec::new(), arrays: Vec::new(), mentioned: 0 }
    }

    fn edge(mut self, edge: &Edge, classes: &mut Classes) -> EdgeCode {
        let inputs = self.inputs(edge, classes);
        let guard = match &edge.action {
            Action::Block(block) => self.guard(block.guard),
            _ => None,
        };
        let (guard_end, guard_inputs) = (self.instructions.len(), self.mentioned);
        let (mut scalars, mut array_updates) = (Vec::new(), Vec::new());
        for (symbol, value) in assignments(self.program, edge) {
            let slot = self.layout.slot(symbol).expect("inputs are not assigned");
            match self.term(value) {
                Home::Register(register) => scalars.push((slot, register)),
                Home::Array(array) => array_updates.push((slot, array)),
            }
        }
        EdgeCode {
            to: edge.to,
            effect: effect(&edge.action),
            instructions: self.instructions,
            arrays: self.arrays,
            guard_end,
            guard,
            inputs,
            guard_inputs,
            scalars,
            array_updates,
            first_register: 0,
            first_input: 0,
        }
    }

    fn inputs(&mut self, edge: &Edge, classes: &mut Classes) -> Vec<InputCode> {
        let Action::Block(block) = &edge.action else { return Vec::new() };
        let mut codes: Vec<InputCode> = Vec::new();
        for &symbol in &block.inputs {
            let class = classes.of(self.program, symbol);
            let occurrence = codes.iter().filter(|code| code.class == class).count();
            self.inputs.insert(symbol, number(codes.len()));
            codes.push(InputCode { symbol, class, occurrence });
        }
        codes
    }

    fn guard(&mut self, guard: Term) -> Option<Register> {
        match (self.program.store.node(guard), self.term(guard)) {
            (Node::Boolean(true), _) | (_, Home::Array(_)) => None,
            (_, Home::Register(register)) => Some(register),
        }
    }

    /// Emits what computes the term, operands first.
    fn term(&mut self, root: Term) -> Home {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.homes.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let operands = self.program.store.node(term).operands();
            stack.extend(operands.filter(|operand| !self.homes.contains_key(operand)));
            if stack.len() == before {
                let home = self.emit(term);
                self.homes.insert(term, home);
                stack.pop();
            }
        }
        self.homes[&root]
    }

    fn register(&self, term: Term) -> Register {
        match self.homes[&term] {
            Home::Register(register) => register,
            Home::Array(_) => panic!("an array where a scalar was expected"),
        }
    }

    fn array(&self, term: Term) -> ArrayId {
        match self.homes[&term] {
            Home::Array(array) => array,
            Home::Register(_) => panic!("a scalar where an array was expected"),
        }
    }

    fn emit(&mut self, term: Term) -> Home {
        let store = &self.program.store;
        if let Sort::Array { .. } = store.sort(term) {
            let node = self.array_node(store.node(term));
            self.arrays.push(node);
            return Home::Array(number(self.arrays.len() - 1));
        }
        if let Node::ZeroExtend(_, of) = store.node(term) {
            return self.homes[&of];
        }
        let instruction = self.instruction(store, store.node(term));
        self.instructions.push(instruction);
        Home::Register(number(self.instructions.len() - 1))
    }

    fn input(&mut self, symbol: Symbol) -> u32 {
        let input = *self.inputs.get(&symbol).expect("an input of this edge");
        self.mentioned = self.mentioned.max(input as usize + 1);
        input
    }

    fn array_node(&mut self, node: Node) -> ArrayNode {
        match node {
            Node::Symbol(symbol) => match self.layout.slot(symbol) {
                Some(slot) => ArrayNode::Variable(slot),
                None => ArrayNode::Input(self.input(symbol)),
            },
            Node::Store(array, index, element) => ArrayNode::Store {
                array: self.array(array),
                index: self.register(index),
                element: self.register(element),
            },
            Node::Choose(condition, yes, no) => ArrayNode::Choose {
                condition: self.register(condition),
                yes: self.array(yes),
                no: self.array(no),
            },
            Node::Constant(_, element) => ArrayNode::Constant(self.register(element)),
            other => panic!("{other:?} is no array"),
        }
    }

    fn instruction(&mut self, store: &Store, node: Node) -> Instruction {
        let at = |term: Term| self.register(term);
        match node {
            Node::Symbol(symbol) => match self.layout.slot(symbol) {
                Some(slot) => Instruction::Load(slot),
                None => Instruction::Input(self.input(symbol)),
            },
            Node::Boolean(value) => Instruction::Value(u128::from(value)),
            Node::Bits(_, value) => Instruction::Value(value),
            Node::Not(a) => Instruction::Not(at(a)),
            Node::And(a, b) => Instruction::And(at(a), at(b)),
            Node::Or(a, b) => Instruction::Or(at(a), at(b)),
            Node::Equal(a, b) => self.equal(store, a, b),
            Node::UnsignedLess(a, b) => Instruction::UnsignedLess(at(a), at(b)),
            Node::SignedLess(a, b) => {
                Instruction::SignedLess { width: store.width(a), left: at(a), right: at(b) }
            }
            Node::Choose(a, b, c) => Instruction::Choose(at(a), at(b), at(c)),
            Node::Binary(operator, a, b) => {
                Instruction::Binary { operator, width: store.width(a), left: at(a), right: at(b) }
            }
            Node::FloatBinary(operator, a, b) => {
                Instruction::FloatBinary { operator, width: store.width(a), left: at(a), right: at(b) }
            }
            Node::FloatCompare(relation, a, b) => {
                Instruction::FloatCompare { relation, width: store.width(a), left: at(a), right: at(b) }
            }
            Node::FloatUnary(function, a) => {
                Instruction::FloatUnary { function, width: store.width(a), of: at(a) }
            }
            Node::Extract { low, width, of } => Instruction::Extract { low, width, of: at(of) },
            Node::Concatenate(a, b) => {
                Instruction::Concatenate { low_width: store.width(b), high: at(a), low: at(b) }
            }
            Node::SignExtend(to, a) => Instruction::SignExtend { from: store.width(a), to, of: at(a) },
            Node::Select(array, index) => Instruction::Select { array: self.array(array), index: at(index) },
            Node::ZeroExtend(..) | Node::Store(..) | Node::Constant(..) => unreachable!("handled before"),
        }
    }

    fn equal(&self, store: &Store, a: Term, b: Term) -> Instruction {
        match store.sort(a) {
            Sort::Array { index, .. } => {
                Instruction::ArraysEqual { index_width: index, left: self.array(a), right: self.array(b) }
            }
            _ => Instruction::Equal(self.register(a), self.register(b)),
        }
    }
}

/// What the edge assigns: its updates, or the parameters of what it calls.
fn assignments(program: &Program, edge: &Edge) -> Vec<(Symbol, Term)> {
    match &edge.action {
        Action::Block(block) => block.updates.clone(),
        Action::Call { procedure, arguments, .. } | Action::Start { procedure, arguments } => {
            let parameters = program.procedures[*procedure].parameters.iter().copied();
            parameters.zip(arguments.iter().copied()).collect()
        }
        _ => Vec::new(),
    }
}

fn effect(action: &Action) -> Effect {
    match action {
        Action::Block(_) => Effect::Nothing,
        Action::Call { procedure, .. } => Effect::Call(*procedure),
        Action::Start { procedure, .. } => Effect::Start(*procedure),
        Action::AtomicBegin => Effect::AtomicBegin,
        Action::AtomicEnd => Effect::AtomicEnd,
        Action::End => Effect::End,
        Action::Unsupported(_) => Effect::Unsupported,
    }
}
