//! The state of a running analysis: the graph, and where things of the program are in it.

use super::external::External;
use super::graph::{Cell, Graph, ObjectId};
use super::{Origin, Site};
use crate::ground::index::IndexVec;
use crate::ir::{Constant, Function, FunctionId, GlobalId, Module, Operand, Operation, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// An object.
pub(super) struct Object {
    pub origin: Origin,
    /// Size in bytes, if it is known.
    pub size: Option<u64>,
    /// Where it starts.
    pub cell: Cell,
    /// Whether several of it can come from one activation (or from one place of the heap).
    pub repeated: bool,
    /// Whether it is none of the program's own: its address is a number like any other from outside.
    pub invented: bool,
}

/// A part of an access, before regions are known.
pub(super) struct RawAccess {
    pub site: Site,
    /// The part's own address.
    pub cell: Cell,
    pub offset: u64,
    pub width: u32,
}

/// Who asks for a copy.
#[derive(Clone, Copy)]
pub(super) enum CopyKey {
    /// An instruction that copies, or sets.
    Site(Site),
    /// A call that passes a struct by value.
    Argument(Site, FunctionId, usize),
    /// Nobody: the arguments behind `...`.
    Silent,
}

/// Memory that is copied or set.
#[derive(Clone, Copy)]
pub(super) struct RawTransfer {
    pub key: CopyKey,
    pub to: Cell,
    /// Nothing if memory is set.
    pub from: Option<Cell>,
    /// In bytes, if it is constant.
    pub length: Option<u64>,
}

/// Why a function is entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// It is called.
    Call,
    /// A thread starts with it.
    Thread,
}

/// A call, by address or not.
#[derive(Clone)]
pub(super) struct RawCall {
    pub site: Site,
    pub entry: Entry,
    /// The address, if it is a call by address.
    pub address: Option<Cell>,
    /// Arguments: what they may point to, and their types.
    pub arguments: Vec<(Option<Cell>, Type)>,
    /// Sizes of arguments behind `...` that are structs passed by value.
    pub copied: Vec<Option<u64>>,
    pub result: Option<Cell>,
    /// The type that is expected; nothing if the result is not used.
    pub result_type: Option<Type>,
}

/// A running analysis.
pub(super) struct Analysis<'a> {
    pub module: &'a Module,
    pub externals: &'a dyn Fn(&str) -> External,
    pub graph: Graph,
    /// The node of all that is not known.
    pub outside: Cell,
    pub objects: IndexVec<ObjectId, Object>,
    pub by_origin: BTreeMap<Origin, ObjectId>,
    pub functions: FxHashMap<FunctionId, Cell>,
    pub values: FxHashMap<(FunctionId, ValueId), Cell>,
    pub results: FxHashMap<FunctionId, Cell>,
    /// What threads return.
    pub thread_result: Cell,
    pub accesses: Vec<RawAccess>,
    pub transfers: Vec<RawTransfer>,
    pub calls: Vec<RawCall>,
    pub bound: FxHashSet<(usize, FunctionId)>,
    /// Call graph: who enters whom, where and why, in the order of discovery.
    pub edges: Vec<(Site, FunctionId, Entry)>,
    /// Calls that may reach what is not known.
    pub incomplete: FxHashSet<Site>,
    /// Pairs of addresses whose difference is taken.
    pub differences: Vec<(Cell, Cell)>,
    /// Addresses made of numbers that are not followed.
    pub adopted: Vec<Cell>,
    /// Where that is done by an instruction.
    pub forging: BTreeSet<Site>,
    /// Casts of integers to addresses: where the integers were read, and how many bytes.
    pub becoming: Vec<(Site, Cell, u32)>,
    /// Whether such an address may be that of an object of the program.
    pub numbers_meet: bool,
    pub reachable: BTreeSet<FunctionId>,
    /// Functions that are called from outside.
    pub callbacks: BTreeSet<FunctionId>,
    /// Whether code is called of which nothing is known.
    pub unknown_code: bool,
    /// Whether such code is called by name: it is in another file.
    pub other_files: bool,
    /// Reachable, but not yet read.
    pub unread: Vec<FunctionId>,
    /// Places of initialisers and the globals that they point to, not yet linked.
    pub late_links: Vec<(Cell, GlobalId, i64)>,
    /// Indices of arrays in structs that are not kept apart from the struct; nothing if none are.
    pub together: Option<BTreeSet<Site>>,
}

impl<'a> Analysis<'a> {
    pub fn new(
        module: &'a Module,
        externals: &'a dyn Fn(&str) -> External,
        together: Option<BTreeSet<Site>>,
    ) -> Self {
        let mut graph = Graph::default();
        let (outside, thread_result) = (graph.fresh(), graph.fresh());
        graph.make_periodic(outside, 1);
        graph.inhabit(outside, |body| body.outside = true);
        Self {
            module,
            externals,
            graph,
            outside,
            objects: IndexVec::new(),
            by_origin: BTreeMap::new(),
            functions: FxHashMap::default(),
            values: FxHashMap::default(),
            results: FxHashMap::default(),
            thread_result,
            accesses: Vec::new(),
            transfers: Vec::new(),
            calls: Vec::new(),
            bound: FxHashSet::default(),
            edges: Vec::new(),
            incomplete: FxHashSet::default(),
            differences: Vec::new(),
            adopted: Vec::new(),
            forging: BTreeSet::new(),
            becoming: Vec::new(),
            numbers_meet: false,
            reachable: BTreeSet::new(),
            callbacks: BTreeSet::new(),
            unknown_code: false,
            other_files: false,
            unread: Vec::new(),
            late_links: Vec::new(),
            together,
        }
    }

    /// Size of a pointer in bytes.
    pub fn pointer(&self) -> u32 {
        self.module.pointer_bytes
    }

    /// Whether a whole address fits into a value of this type.
    pub fn carries(&self, ty: &Type) -> bool {
        match ty {
            Type::Void => false,
            Type::Pointer | Type::Aggregate { .. } => true,
            Type::Integer(bits) => *bits >= self.module.pointer_bits(),
            _ => self.module.size_of(ty) >= u64::from(self.pointer()),
        }
    }

    /// Where an object starts; it comes into being if need be.
    pub fn object(&mut self, origin: Origin, size: Option<u64>) -> Cell {
        if let Some(&id) = self.by_origin.get(&origin) {
            return self.objects[id].cell;
        }
        let cell = self.graph.fresh();
        let repeated = matches!(origin, Origin::Heap(_) | Origin::Unset(_));
        let invented = matches!(origin, Origin::Unset(_));
        let id = self.objects.push(Object { origin, size, cell, repeated, invented });
        self.by_origin.insert(origin, id);
        self.graph.inhabit(cell, |body| body.objects.push(id));
        cell
    }

    /// Where a global variable starts. What its initialiser points to is linked when it is first mentioned.
    pub fn global(&mut self, id: GlobalId) -> Cell {
        let origin = Origin::Global(id);
        if let Some(&object) = self.by_origin.get(&origin) {
            return self.objects[object].cell;
        }
        let global = &self.module.globals[id];
        let known = global.initialiser.is_some() || global.size > 0;
        let cell = self.object(origin, known.then_some(global.size));
        if global.exported && !global.constant {
            self.graph.inhabit(cell, |body| body.exported = true);
        }
        match &global.initialiser {
            None => self.graph.inhabit(cell, |body| body.foreign = true),
            Some(initialiser) => self.initialise(cell, &initialiser.addresses),
        }
        cell
    }

    /// Stores addresses. The globals they mention are met later (`link_globals`), so that chains of globals need no
    /// recursion.
    fn initialise(&mut self, cell: Cell, addresses: &[(u64, Constant)]) {
        let width = self.pointer();
        for (offset, constant) in addresses {
            let place = cell.plus(i64::try_from(*offset).unwrap_or(0));
            let link = self.graph.link(place, width);
            match constant {
                Constant::Global(target, by) => self.initial_link(link, *target, *by),
                Constant::Function(function) => {
                    let target = self.function(*function);
                    self.graph.assign(link, target);
                }
                _ => {}
            }
        }
    }

    fn initial_link(&mut self, link: Cell, target: GlobalId, by: i64) {
        match self.by_origin.get(&Origin::Global(target)) {
            Some(&object) => {
                let cell = self.objects[object].cell.plus(by);
                self.graph.assign(link, cell);
            }
            None => self.late_links.push((link, target, by)),
        }
    }

    /// Links what initialisers point to, chains of globals included.
    pub fn link_globals(&mut self) {
        while let Some((link, target, by)) = self.late_links.pop() {
            let cell = self.global(target).plus(by);
            self.graph.assign(link, cell);
        }
    }

    /// The address of a function.
    pub fn function(&mut self, id: FunctionId) -> Cell {
        if let Some(&cell) = self.functions.get(&id) {
            return cell;
        }
        let cell = self.graph.fresh();
        self.functions.insert(id, cell);
        self.graph.inhabit(cell, |body| body.functions.push(id));
        cell
    }

    /// What a value may point to.
    pub fn value(&mut self, function: FunctionId, value: ValueId) -> Option<Cell> {
        if let Some(&cell) = self.values.get(&(function, value)) {
            return Some(cell);
        }
        if !self.carries(&self.module.functions[function].values[value].ty) {
            return None;
        }
        let cell = self.graph.fresh();
        self.values.insert((function, value), cell);
        Some(cell)
    }

    /// What a function may return.
    pub fn result(&mut self, function: FunctionId) -> Cell {
        if let Some(&cell) = self.results.get(&function) {
            return cell;
        }
        let cell = self.graph.fresh();
        self.results.insert(function, cell);
        cell
    }

    /// What an operand may point to; nothing if it is no address for sure.
    pub fn operand(&mut self, function: FunctionId, operand: &Operand) -> Option<Cell> {
        match operand {
            Operand::Value(value) => self.value(function, *value),
            Operand::Constant(constant) => self.constant(constant),
        }
    }

    fn constant(&mut self, constant: &Constant) -> Option<Cell> {
        let mut found: Option<Cell> = None;
        let mut stack = vec![constant];
        while let Some(constant) = stack.pop() {
            let cell = match constant {
                Constant::Global(id, by) => self.global(*id).plus(*by),
                Constant::Function(id) => self.function(*id),
                Constant::Aggregate(_, members) => {
                    stack.extend(members);
                    continue;
                }
                _ => continue,
            };
            match found {
                Some(first) => self.graph.unify(first, cell),
                None => found = Some(cell),
            }
        }
        found
    }

    /// Whether the node has an object or a function of the program itself.
    pub fn owns(&self, cell: Cell) -> bool {
        let body = self.graph.body(self.graph.resolve(cell).node);
        !body.functions.is_empty() || body.objects.iter().any(|&object| !self.objects[object].invented)
    }

    /// Whether the node has something that is none of the program's own.
    pub fn has_foreign(&self, cell: Cell) -> bool {
        let body = self.graph.body(self.graph.resolve(cell).node);
        body.outside || body.objects.iter().any(|&object| self.objects[object].invented)
    }

    /// What an operand may point to, as far as it was met.
    pub fn known(&self, id: FunctionId, operand: &Operand) -> Option<Cell> {
        match operand {
            Operand::Value(value) => self.values.get(&(id, *value)).copied(),
            Operand::Constant(Constant::Global(global, by)) => {
                let object = self.by_origin.get(&Origin::Global(*global))?;
                Some(self.objects[*object].cell.plus(*by))
            }
            Operand::Constant(Constant::Function(function)) => self.functions.get(function).copied(),
            Operand::Constant(_) => None,
        }
    }

    /// The node, as the cell where it starts.
    pub fn node_of(&self, id: FunctionId, operand: &Operand) -> Option<Cell> {
        let cell = self.graph.resolve(self.known(id, operand)?);
        Some(Cell { node: cell.node, offset: 0 })
    }

    /// Whether the node has an object of such an origin.
    pub fn holds(&self, cell: Cell, is_such: impl Fn(Origin) -> bool) -> bool {
        let body = self.graph.body(cell.node);
        body.objects.iter().any(|&object| is_such(self.objects[object].origin))
    }

    /// `to = from`.
    pub fn assign(&mut self, to: Option<Cell>, from: Option<Cell>) {
        if let (Some(to), Some(from)) = (to, from) {
            self.graph.assign(to, from);
        }
    }

    /// The function can be reached.
    pub fn reach(&mut self, function: FunctionId) {
        if self.module.functions[function].is_defined() && self.reachable.insert(function) {
            self.unread.push(function);
        }
    }
}

/// Which operation defines each value of a function.
pub(super) fn definitions(function: &Function) -> IndexVec<ValueId, Option<&Operation>> {
    let mut definitions = IndexVec::filled(None, function.values.len());
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if let Some(result) = instruction.result {
            definitions[result] = Some(&instruction.operation);
        }
    }
    definitions
}
