//! Parameters.
//!
//! clang stores every parameter in a local variable at once. If that is all that happens to it, parameter and variable
//! are one. Behind the parameters of C there may be others of ours: the shadows of those that may be undefined, where
//! further arguments are, and the number of the thread.

use crate::checks::Cut;
use crate::ground::index::Index;
use crate::ir::analysis::points_to::{RegionKind, Site};
use crate::ir::{BlockId, Operand, Operation, ValueId};
use crate::lower::body::Body;
use crate::lower::body::aggregate::Value;
use crate::program::{Action, Role, Scope, Variable};
use crate::term::{Sort, Symbol};

impl Body<'_, '_> {
    /// Sets up parameters, and the atomic section of a `__VERIFIER_atomic_…` function.
    pub fn parameters(&mut self) {
        for parameter in &self.function.parameters {
            let info = &self.function.values[parameter.value];
            let width = self.width(&info.ty);
            let symbol = self.variable_of(parameter.value, width).unwrap_or_else(|| {
                let variable =
                    Variable { scope: Scope::Local(self.procedure), ty: None, role: Role::Temporary };
                self.lowering.variable(&info.name, Sort::Bits(width), variable)
            });
            self.lowering.procedures[self.procedure].parameters.push(symbol);
            self.set_parameter(parameter.value, symbol);
        }
        self.receive_shadows();
        self.receive_further();
        self.receive_own_number();
        if self.is_atomic() {
            self.act(Action::AtomicBegin, Cut::Plain);
        }
    }

    /// Parameters that may be undefined have shadows, as further parameters.
    fn receive_shadows(&mut self) {
        for parameter in &self.function.parameters {
            if !self.may_be_undefined(parameter.value) {
                continue;
            }
            let info = &self.function.values[parameter.value];
            let width = self.width(&info.ty);
            let shadow = if self.lowering.passes_shadows(self.id) {
                let symbol = self.temporary(&format!("<undefined {}>", info.name), width);
                self.lowering.procedures[self.procedure].parameters.push(symbol);
                self.lowering.store.symbol(symbol)
            } else {
                self.lowering.store.bits(width, u128::MAX)
            };
            self.shadows[parameter.value] = Some(Value::Term(shadow));
        }
    }

    /// A parameter that C does not have: as wide as a pointer.
    pub fn hidden_parameter(&mut self, name: &str) -> Symbol {
        let width = self.lowering.pointer_bits();
        let symbol = self.temporary(name, width);
        self.lowering.procedures[self.procedure].parameters.push(symbol);
        symbol
    }

    fn is_atomic(&self) -> bool {
        self.function.name.starts_with("__VERIFIER_atomic_")
    }

    pub fn leave_atomic_function(&mut self) {
        if self.is_atomic() {
            self.act(Action::AtomicEnd, Cut::Plain);
        }
    }

    /// The variable that a parameter is stored in, if that is its only use and the first access to it.
    fn variable_of(&self, parameter: ValueId, width: u32) -> Option<Symbol> {
        if self.use_of(parameter).count != 1 {
            return None;
        }
        let block = BlockId::new(0);
        let stored = |operation: &Operation| matches!(operation, Operation::Store { value: Operand::Value(value), .. } if *value == parameter);
        let instructions = &self.function.blocks[block].instructions;
        let number = instructions.iter().position(|instruction| stored(&instruction.operation))?;
        let region = self.lowering.points.access(Site { function: self.id, block, number })?;
        let earlier = (0..number).any(|number| {
            let site = Site { function: self.id, block, number };
            self.lowering.touched(site).contains(&region)
        });
        let held = self.lowering.regions[region];
        let local = self.lowering.variables[held.symbol].scope == Scope::Local(self.procedure);
        let fits = matches!(held.kind, RegionKind::Scalar { bits, .. } if bits == width);
        (local && fits && !earlier).then_some(held.symbol)
    }
}
