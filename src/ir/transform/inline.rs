//! The models of pthread in place of calls, and small functions of the program ([`helpers`](crate::ir::transform::helpers)).
//!
//! One body for all mutexes of a program would make them one region of memory. In place of its calls, each call has a
//! body of its own: it accesses the object that is passed there, and its lines are those of the call. Parameters are
//! replaced by arguments, and what is decided by that is decided: `pthread_mutex_init(&m, 0)` sets no kind.

use super::Known;
use super::helpers::helpers;
use crate::ground::index::{Index, IndexVec};
use crate::ir::operands::operands;
use crate::ir::{
    Block, BlockId, Callee, Comparison, Constant, Function, FunctionId, Instruction, Module, Operand,
    Operation, Place, Terminator, Type, ValueId,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Puts bodies in place of calls, models that call each other included. Returns the blocks that came from models whose
/// accesses synchronise threads.
pub fn inline(module: &mut Module, known: Known<'_>) -> BTreeSet<(FunctionId, BlockId)> {
    let mut marked = synchronising(module, known);
    let helpers = helpers(module);
    let mut models: FxHashMap<FunctionId, Function> = module
        .functions
        .enumerate()
        .filter(|(_, function)| module.model_file(function).is_some_and(|file| known.inlined.contains(&file)))
        .map(|(id, function)| (id, without_parameter_variables(function.clone())))
        .collect();
    models.extend(helpers.clone());
    if models.is_empty() {
        return marked;
    }
    let synchronises: BTreeSet<FunctionId> = marked.iter().map(|(function, _)| *function).collect();
    for (id, function) in module.functions.ids().zip(module.functions.clone().iter()) {
        if models.contains_key(&id) || !function.is_defined() {
            continue;
        }
        let mut function = function.clone();
        // What is put in place may have calls itself: looked at in the next round.
        while let Some((block, number, callee)) = next_call(&function, &models) {
            let behind = function.blocks.next_id();
            let lines = if helpers.contains_key(&callee) { Lines::Own } else { Lines::OfCall };
            splice(&mut function, (block, number), &models[&callee], lines);
            let new = function.blocks.ids().skip(behind.index() + 1);
            marked.extend(new.filter(|_| synchronises.contains(&callee)).map(|block| (id, block)));
            if marked.contains(&(id, block)) {
                marked.insert((id, behind));
            }
        }
        module.functions[id] = function;
    }
    marked
}

/// The blocks of models whose accesses synchronise threads.
fn synchronising(module: &Module, known: Known<'_>) -> BTreeSet<(FunctionId, BlockId)> {
    let is_one = |function: &Function| {
        module.model_file(function).is_some_and(|file| known.synchronising.contains(&file))
    };
    let functions = module.functions.enumerate().filter(|(_, function)| is_one(function));
    functions.flat_map(|(id, function)| function.blocks.ids().map(move |block| (id, block))).collect()
}

/// The first call of a model that fits it.
fn next_call(
    function: &Function,
    models: &FxHashMap<FunctionId, Function>,
) -> Option<(BlockId, usize, FunctionId)> {
    for (id, block) in function.blocks.enumerate() {
        for (number, instruction) in block.instructions.iter().enumerate() {
            if let Operation::Call { callee: Callee::Function(callee), arguments, .. } =
                &instruction.operation
                && let Some(model) = models.get(callee)
                && fits(function, instruction, arguments, model)
            {
                return Some((id, number, *callee));
            }
        }
    }
    None
}

fn fits(
    function: &Function,
    instruction: &Instruction,
    arguments: &[(Operand, Type)],
    model: &Function,
) -> bool {
    let result = instruction.result.is_none_or(|value| function.values[value].ty == model.result);
    let mut pairs = arguments.iter().zip(&model.parameters);
    let same = pairs.all(|((_, ty), parameter)| *ty == model.values[parameter.value].ty);
    result && same && arguments.len() == model.parameters.len()
}

/// clang stores each parameter in a variable and reads it from there. Where that is all, the reads are the parameter.
pub fn without_parameter_variables(mut model: Function) -> Function {
    let parameters: Vec<ValueId> = model.parameters.iter().map(|parameter| parameter.value).collect();
    for parameter in parameters {
        let Some(variable) = only_variable(&model, parameter) else { continue };
        let mut read = FxHashMap::default();
        for block in model.blocks.iter_mut() {
            block.instructions.retain(|instruction| match &instruction.operation {
                Operation::Allocate { .. } => instruction.result != Some(variable),
                Operation::Store { address, .. } => *address != Operand::Value(variable),
                Operation::Load { address, .. } if *address == Operand::Value(variable) => {
                    read.extend(instruction.result.map(|result| (result, Operand::Value(parameter))));
                    false
                }
                _ => true,
            });
        }
        replace_all(&mut model, &read);
    }
    model
}

/// The variable that a parameter is stored in, in the entry, if nothing but reads happens to it besides.
fn only_variable(model: &Function, parameter: ValueId) -> Option<ValueId> {
    let stored = |instruction: &Instruction| match &instruction.operation {
        Operation::Store { value, address: Operand::Value(variable), .. }
            if *value == Operand::Value(parameter) =>
        {
            Some(*variable)
        }
        _ => None,
    };
    let variable = model.blocks[BlockId::FIRST].instructions.iter().find_map(stored)?;
    let uses = |instruction: &Instruction| {
        let mut operation = instruction.operation.clone();
        operands(&mut operation).iter().filter(|operand| ***operand == Operand::Value(variable)).count()
    };
    let reads = |instruction: &Instruction| {
        let whole =
            instruction.result.is_some_and(|result| model.values[result].ty == model.values[parameter].ty);
        matches!(instruction.operation, Operation::Load { .. }) && whole
    };
    let all = || model.blocks.iter().flat_map(|block| &block.instructions);
    let stores = all().filter(|instruction| uses(instruction) > 0 && !reads(instruction)).count();
    (stores == 1).then_some(variable)
}

/// Replaces values by operands, which are replaced in turn.
pub(super) fn replace_all(function: &mut Function, by: &FxHashMap<ValueId, Operand>) {
    let replace = |operand: &mut Operand| {
        while let Operand::Value(value) = operand
            && let Some(new) = by.get(value)
        {
            *operand = new.clone();
        }
    };
    for block in function.blocks.iter_mut() {
        for instruction in &mut block.instructions {
            operands(&mut instruction.operation).into_iter().for_each(replace);
        }
        terminator_operand(&mut block.terminator).into_iter().for_each(replace);
    }
}

fn terminator_operand(terminator: &mut Terminator) -> Option<&mut Operand> {
    match terminator {
        Terminator::Return(value) => value.as_mut(),
        Terminator::Branch { condition, .. } => Some(condition),
        Terminator::Switch { value, .. } => Some(value),
        Terminator::Jump(_) | Terminator::Unreachable | Terminator::Unsupported(_) => None,
    }
}

/// Puts a body in place of a call.
fn splice(function: &mut Function, (block, number): (BlockId, usize), model: &Function, lines: Lines) {
    let mut rest = function.blocks[block].instructions.split_off(number);
    let call = rest.remove(0);
    let behind = function.blocks.next_id();
    let end = std::mem::replace(&mut function.blocks[block].terminator, Terminator::Unreachable);
    let place = function.blocks[block].place;
    rename_in_phis(function, block, behind);
    function.blocks.push(Block { name: String::new(), instructions: rest, terminator: end, place });
    let body = Copied::new(function, model, &call, lines);
    function.blocks[block].terminator = Terminator::Jump(BlockId::new(behind.index() + 1));
    function.blocks[block].place = call.place;
    let result = body.enter(function, behind);
    if let (Some(value), Some(result)) = (call.result, result) {
        replace_all(function, &FxHashMap::from_iter([(value, result)]));
    }
    decide(function);
}

/// Where control came from one block, it comes from another.
fn rename_in_phis(function: &mut Function, old: BlockId, new: BlockId) {
    for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        if let Operation::Phi(incoming) = &mut instruction.operation {
            incoming.iter_mut().filter(|(from, _)| *from == old).for_each(|(from, _)| *from = new);
        }
    }
}

/// The lines of what is put in place of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// Those of the call: nobody has written the body.
    OfCall,
    /// Its own.
    Own,
}

/// The body of a model in the numbers of its caller.
struct Copied {
    blocks: Vec<Block>,
    variables: Vec<Instruction>,
    result: Type,
}

impl Copied {
    fn new(function: &mut Function, model: &Function, call: &Instruction, lines: Lines) -> Self {
        let Operation::Call { arguments, .. } = &call.operation else { unreachable!("a call") };
        let mut values: IndexVec<ValueId, Operand> = IndexVec::new();
        for (value, info) in model.values.enumerate() {
            let parameter = model.parameters.iter().position(|parameter| parameter.value == value);
            values.push(match parameter {
                Some(number) => arguments[number].0.clone(),
                None => Operand::Value(function.values.push(info.clone())),
            });
        }
        let first = function.blocks.len();
        let mut copied = Self { blocks: Vec::new(), variables: Vec::new(), result: model.result.clone() };
        for block in model.blocks.iter() {
            copied.block(block.clone(), &values, first, (call.place, lines));
        }
        copied
    }

    fn block(
        &mut self,
        mut block: Block,
        values: &IndexVec<ValueId, Operand>,
        first: usize,
        (place, lines): (Option<Place>, Lines),
    ) {
        let place_of = |own: Option<Place>| match lines {
            Lines::OfCall => place,
            Lines::Own => own.or(place),
        };
        let operand = |operand: &mut Operand| {
            if let Operand::Value(value) = operand {
                *operand = values[*value].clone();
            }
        };
        for instruction in &mut block.instructions {
            operands(&mut instruction.operation).into_iter().for_each(operand);
            instruction.result = instruction.result.map(|value| match &values[value] {
                Operand::Value(new) => *new,
                Operand::Constant(_) => unreachable!("only parameters become constants"),
            });
            instruction.place = place_of(instruction.place);
            if let Operation::Phi(incoming) = &mut instruction.operation {
                incoming.iter_mut().for_each(|(from, _)| *from = moved(*from, first));
            }
        }
        terminator_operand(&mut block.terminator).into_iter().for_each(operand);
        match &mut block.terminator {
            Terminator::Jump(to) => *to = moved(*to, first),
            Terminator::Branch { yes, no, .. } => (*yes, *no) = (moved(*yes, first), moved(*no, first)),
            Terminator::Switch { cases, default, .. } => {
                *default = moved(*default, first);
                cases.iter_mut().for_each(|(_, to)| *to = moved(*to, first));
            }
            Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => {}
        }
        (block.name, block.place) = (String::new(), place_of(block.place));
        let is_variable =
            |instruction: &Instruction| matches!(instruction.operation, Operation::Allocate { .. });
        let (variables, others) = block.instructions.into_iter().partition(is_variable);
        block.instructions = others;
        self.variables.extend::<Vec<Instruction>>(variables);
        self.blocks.push(block);
    }

    /// Adds the blocks; what it returns is an operand behind it.
    fn enter(mut self, function: &mut Function, behind: BlockId) -> Option<Operand> {
        let mut returned = Vec::new();
        for block in &mut self.blocks {
            let id = function.blocks.next_id();
            if let Terminator::Return(value) = &mut block.terminator {
                returned.extend(value.take().map(|value| (id, value)));
                block.terminator = Terminator::Jump(behind);
            }
            function.blocks.push(block.clone());
        }
        let variables = std::mem::take(&mut self.variables);
        function.blocks[BlockId::FIRST].instructions.splice(0..0, variables);
        match &returned[..] {
            [] => None,
            [(_, only)] => Some(only.clone()),
            _ => Some(self.chosen(function, behind, returned)),
        }
    }

    fn chosen(&self, function: &mut Function, behind: BlockId, returned: Vec<(BlockId, Operand)>) -> Operand {
        let info = crate::ir::Value { ty: self.result.clone(), name: String::new(), variable: None };
        let value = function.values.push(info);
        let place = function.blocks[behind].place;
        let phi = Instruction { result: Some(value), operation: Operation::Phi(returned), place };
        function.blocks[behind].instructions.insert(0, phi);
        Operand::Value(value)
    }
}

fn moved(block: BlockId, by: usize) -> BlockId {
    BlockId::new(block.index() + by)
}

/// Comparisons of constants are decided, and blocks that nobody gets to become empty.
fn decide(function: &mut Function) {
    let mut known = FxHashMap::default();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if let (Some(result), Operation::Compare { comparison, left, right }) =
            (instruction.result, &instruction.operation)
            && let Some(holds) = decided(*comparison, left, right)
        {
            let bit = Constant::Integer { bits: 1, value: holds.into() };
            known.insert(result, Operand::Constant(bit));
        }
    }
    replace_all(function, &known);
    for block in function.blocks.iter_mut() {
        block.instructions.retain(|i| i.result.is_none_or(|result| !known.contains_key(&result)));
        if let Terminator::Branch { condition: Operand::Constant(Constant::Integer { value, .. }), yes, no } =
            block.terminator
        {
            block.terminator = Terminator::Jump(if value == 1 { yes } else { no });
        }
    }
    empty_unreachable(function);
}

/// Whether constants are equal, if that is asked and known.
fn decided(comparison: Comparison, left: &Operand, right: &Operand) -> Option<bool> {
    let (Operand::Constant(left), Operand::Constant(right)) = (left, right) else { return None };
    let equal = match (left, right) {
        (Constant::Null, Constant::Null) => true,
        (Constant::Null, Constant::Global(_, 0) | Constant::Function(_)) => false,
        (Constant::Global(_, 0) | Constant::Function(_), Constant::Null) => false,
        (Constant::Integer { value: left, .. }, Constant::Integer { value: right, .. }) => left == right,
        _ => return None,
    };
    match comparison {
        Comparison::Equal => Some(equal),
        Comparison::NotEqual => Some(!equal),
        _ => None,
    }
}

fn empty_unreachable(function: &mut Function) {
    let (mut reached, mut stack) = (BTreeSet::new(), vec![BlockId::FIRST]);
    while let Some(block) = stack.pop() {
        if reached.insert(block) {
            stack.extend(crate::ir::check::successors(&function.blocks[block].terminator));
        }
    }
    for id in function.blocks.ids() {
        if !reached.contains(&id) {
            function.blocks[id].instructions.clear();
            function.blocks[id].terminator = Terminator::Unreachable;
        } else if let Some(first) = function.blocks[id].instructions.first()
            && matches!(first.operation, Operation::Phi(_))
        {
            let phis =
                function.blocks[id].instructions.iter_mut().map(|instruction| &mut instruction.operation);
            for phi in phis {
                if let Operation::Phi(incoming) = phi {
                    incoming.retain(|(from, _)| reached.contains(from));
                }
            }
        }
    }
}
