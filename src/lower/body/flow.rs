//! Control flow: how blocks end, and where they lead.

use crate::checks::{Cut, Event};
use crate::ir::{BlockId, Operand, Operation, Terminator};
use crate::lower::body::Body;
use crate::program::{NEVER_REACHED, PropertyKind};
use crate::term::{Symbol, Term};

impl<'m> Body<'_, 'm> {
    pub fn terminator(&mut self, block: BlockId, terminator: &'m Terminator) {
        match terminator {
            Terminator::Return(value) => self.returns(value.as_ref()),
            Terminator::Jump(to) => self.jump(block, *to, None),
            Terminator::Branch { condition, yes, no } => self.branch(block, condition, *yes, *no),
            Terminator::Switch { value, bits, cases, default } => {
                self.switch(block, value, *bits, cases, *default)
            }
            // C leaves open what happens then, and so does the machine.
            Terminator::Unreachable => {
                if self.offer(&Event::NeverReached).is_ok() {
                    let _ = self.unsupported::<()>(NEVER_REACHED);
                }
            }
            Terminator::Unsupported(what) => {
                let _ = self.unsupported::<()>(what.clone());
            }
        }
    }

    pub fn returns(&mut self, value: Option<&'m Operand>) {
        if let Some(value) = value {
            let term = self.term(value);
            let width = self.lowering.store.width(term);
            let symbol = self.result(width);
            self.write(symbol, term);
            if let Some(&shadow) = self.lowering.shadow_results.get(&self.id) {
                let undefined = self.shadow_term(value);
                self.write(shadow, undefined);
            }
        }
        self.leaves();
    }

    /// The function returns what is in the variable of its result.
    pub fn leaves(&mut self) {
        self.end_locals();
        self.leave_atomic_function();
        let exit = self.lowering.procedures[self.procedure].exit;
        self.leave(exit, None, &[]);
    }

    /// The variable of what the function returns.
    pub fn result(&mut self, width: u32) -> Symbol {
        crate::lower::calls::result_of(self.lowering, self.procedure, width)
    }

    fn jump(&mut self, from: BlockId, to: BlockId, condition: Option<Term>) {
        let phis = self.phis(from, to);
        self.leave(self.locations[to], condition, &phis);
    }

    /// The values of the phis of a block, if we come from another.
    fn phis(&mut self, from: BlockId, to: BlockId) -> Vec<(Symbol, Term)> {
        let mut updates = Vec::new();
        for instruction in &self.function.blocks[to].instructions {
            let (Operation::Phi(incoming), Some(result)) = (&instruction.operation, instruction.result)
            else {
                break;
            };
            let Some((_, operand)) = incoming.iter().find(|(block, _)| *block == from) else { continue };
            let (value, slot) = (self.operand(operand), self.slot(result));
            let pairs = slot.leaves().into_iter().zip(value.leaves());
            updates.extend(pairs.map(|(to, from)| (self.symbol_of(to), from)));
            if self.may_be_undefined(result) {
                let (shadow, slot) = (self.shadow(operand), self.shadow_slot(result));
                let pairs = slot.leaves().into_iter().zip(shadow.leaves());
                updates.extend(pairs.map(|(to, from)| (self.symbol_of(to), from)));
            }
        }
        updates
    }

    fn branch(&mut self, block: BlockId, condition: &'m Operand, yes: BlockId, no: BlockId) {
        self.depends_on(condition);
        if yes == no {
            return self.jump(block, yes, None);
        }
        self.settle_inputs();
        let condition = self.condition(condition);
        let negated = self.lowering.store.not(condition);
        self.jump(block, yes, Some(condition));
        self.jump(block, no, Some(negated));
    }

    /// Inputs belong to one edge: several edges cannot share them.
    fn settle_inputs(&mut self) {
        if self.pending().has_inputs() {
            self.cut(Cut::Plain);
        }
    }

    /// The number that a switch looks at, which several edges are to share.
    fn switched(&mut self, value: &'m Operand) -> Term {
        if self.observation().is_none() {
            self.settle_inputs();
            return self.term(value);
        }
        let number = self.term(value);
        let number = self.number(0, number);
        let symbol = self.kept("value", number);
        self.cut(Cut::Plain);
        self.read(symbol)
    }

    /// An operand of one bit as a truth value.
    pub fn condition(&mut self, operand: &'m Operand) -> Term {
        let term = self.term(operand);
        self.is_one(term)
    }

    pub fn is_one(&mut self, bit: Term) -> Term {
        let one = self.lowering.store.bits(1, 1);
        self.lowering.store.equal(bit, one)
    }

    fn switch(
        &mut self,
        block: BlockId,
        value: &'m Operand,
        bits: u32,
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) {
        self.depends_on(value);
        let value = self.switched(value);
        let mut targets: indexmap::IndexMap<BlockId, Term> = indexmap::IndexMap::new();
        let mut none = self.lowering.store.boolean(true);
        for &(case, to) in cases {
            let store = &mut self.lowering.store;
            let case = store.bits(bits, case);
            let equal = store.equal(value, case);
            let differs = store.not(equal);
            none = store.and(none, differs);
            let joined = targets.get(&to).map_or(equal, |&other| store.or(other, equal));
            targets.insert(to, joined);
        }
        let otherwise = targets.get(&default).map_or(none, |&other| self.lowering.store.or(other, none));
        targets.insert(default, otherwise);
        for (to, condition) in targets {
            self.jump(block, to, Some(condition));
        }
    }

    pub fn error_label(&mut self, block: BlockId) {
        let name = &self.function.blocks[block].name;
        if self.lowering.settings.error_labels.iter().any(|label| crate::ir::is_label(name, label)) {
            self.place = self.function.blocks[block].start();
            self.property(PropertyKind::ErrorReached, format!("label {name} is not reached"), None);
        }
    }
}
