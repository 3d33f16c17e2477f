//! Calls.

pub(in crate::lower) mod known;
pub(in crate::lower) mod parameters;
pub(in crate::lower) mod varargs;

use crate::checks::{Cut, Event};
use crate::ir::analysis::points_to::{Multiplicity, Origin, Transfer};
use crate::ir::{Callee, FunctionId, Operand, Type, ValueId};
use crate::library::functions::{Known, format_of, known};
use crate::lower::Lowering;
use crate::lower::body::aggregate::{Value, scalars};
use crate::lower::body::{Body, Step};
use crate::lower::memory::transfer::Direction;
use crate::program::{Action, ProcedureId, PropertyKind, Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};

/// The width of a value whose scalars are joined; nothing if that is more than a term can have.
pub(in crate::lower) fn joined_width(lowering: &Lowering<'_>, ty: &Type) -> Option<u32> {
    let mut sum = 0;
    for (_, scalar) in scalars(ty) {
        sum += match scalar {
            Type::Integer(bits) => bits,
            Type::Pointer => lowering.pointer_bits(),
            Type::Float => 32,
            Type::Double => 64,
            Type::Void => return None,
            Type::Other { .. } | Type::Aggregate { .. } => return None,
        };
    }
    (1..=128).contains(&sum).then_some(sum)
}

/// The variable of what a procedure returns.
pub(in crate::lower) fn result_of(lowering: &mut Lowering<'_>, procedure: ProcedureId, width: u32) -> Symbol {
    if let Some(symbol) = lowering.procedures[procedure].result {
        return symbol;
    }
    let variable = Variable { scope: Scope::Local(procedure), ty: None, role: Role::Temporary };
    let symbol = lowering.variable("<result>", Sort::Bits(width), variable);
    lowering.procedures[procedure].result = Some(symbol);
    symbol
}

impl<'m> Body<'_, 'm> {
    pub fn call(
        &mut self,
        result: Option<ValueId>,
        callee: &'m Callee,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        match callee {
            Callee::Function(function) => self.call_function(result, *function, arguments),
            Callee::Address(address) => self.call_address(result, address, arguments),
            Callee::Assembly { .. } => self.unsupported("inline assembly"),
        }
    }

    fn call_function(
        &mut self,
        result: Option<ValueId>,
        function: FunctionId,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let callee = &self.lowering.module.functions[function];
        let known = known(&callee.name, &self.lowering.settings.error_functions);
        if known == Some(Known::Error) {
            return self.error(&callee.name);
        }
        let of_library = !callee.is_defined() || self.lowering.module.model_file(callee).is_some();
        if let Some(format) = format_of(&callee.name).filter(|_| of_library)
            && self.writes_by_format(format, arguments)
        {
            return self.unsupported("a format with %n, or one that is computed and may have it");
        }
        if callee.is_defined() {
            return self.call_procedure(result, function, arguments);
        }
        match known {
            Some(Known::Unmodelled) => {
                self.unsupported(format!("a call of {}, which is not modelled", callee.name))
            }
            // Nobody knows what such a function does with its arguments, or what it is for.
            Some(Known::Arbitrary) if !arguments.is_empty() || callee.result == Type::Void => {
                self.unsupported(format!("a call of {}, which is more than an input", callee.name))
            }
            Some(known) => self.call_known(result, known, arguments),
            None => self.call_undefined(result, callee, arguments),
        }
    }

    fn error<T>(&mut self, name: &str) -> Step<T> {
        self.property(PropertyKind::ErrorReached, format!("{name} is not called"), None);
        Err(crate::lower::body::Dead)
    }

    pub fn result_type(&self, result: Option<ValueId>) -> &'m Type {
        result.map_or(&Type::Void, |value| &self.function.values[value].ty)
    }

    fn call_procedure(
        &mut self,
        result: Option<ValueId>,
        function: FunctionId,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let procedure = self.lowering.of_function[&function];
        let callee = &self.lowering.module.functions[function];
        // Copies first: they may cut the block.
        let mut copies = rustc_hash::FxHashMap::default();
        for (number, parameter) in callee.parameters.iter().enumerate() {
            if let (Some(size), Some((operand, _))) = (parameter.copied, arguments.get(number)) {
                self.depends_on(operand);
                let from = self.term(operand);
                copies.insert(number, self.copy_argument(function, number, size, from)?);
            }
        }
        let further = self.pass_further(function, arguments)?;
        self.cut(Cut::Call);
        let mut terms = Vec::new();
        for (number, parameter) in callee.parameters.iter().enumerate() {
            let width = self.width(&callee.values[parameter.value].ty);
            let term = match (copies.get(&number), arguments.get(number)) {
                (Some(&copy), _) => self.read(copy),
                (None, Some((operand, _))) => self.term(operand),
                (None, None) => self.input("missing argument", width),
            };
            if self.lowering.store.width(term) != width {
                return self
                    .unsupported(format!("a call of {} with an argument of another type", callee.name));
            }
            terms.push(term);
        }
        terms.extend(self.shadows_for(function, arguments));
        terms.extend(further.map(|further| self.read(further)));
        terms.extend(self.own_number_for(function));
        let arguments = self.keep_terms(terms);
        let ty = self.result_type(result);
        let (target, value) = self.call_result(result, procedure, ty)?;
        self.act(Action::Call { procedure, arguments, result: target }, Cut::Call);
        if self.result_is_shadowed() && value.is_some() {
            self.shadow = Some(self.shadow_of_call(function, ty));
        }
        Ok(value)
    }

    /// The shadows of arguments that may be undefined.
    fn shadows_for(&mut self, function: FunctionId, arguments: &'m [(Operand, Type)]) -> Vec<Term> {
        let callee = &self.lowering.module.functions[function];
        let mut out = Vec::new();
        for (number, parameter) in callee.parameters.iter().enumerate() {
            let open = self.lowering.definedness.value(function, parameter.value);
            if open && self.lowering.passes_shadows(function) {
                let width = self.width(&callee.values[parameter.value].ty);
                out.push(match arguments.get(number) {
                    Some((operand, _)) => self.shadow_term(operand),
                    None => self.lowering.store.bits(width, u128::MAX),
                });
            }
        }
        out
    }

    /// The shadow of what a function has just returned.
    fn shadow_of_call(&mut self, function: FunctionId, ty: &Type) -> Value {
        if !self.lowering.definedness.results().contains(&function) {
            return self.zeros(ty);
        }
        match self.lowering.shadow_results.get(&function) {
            Some(&shadow) => {
                let joined = self.read(shadow);
                self.split(joined, ty)
            }
            None => self.ones(ty),
        }
    }

    /// Arguments, over the state behind a cut.
    pub fn keep_terms(&mut self, terms: Vec<Term>) -> Vec<Term> {
        // What depends on the pending edge goes through variables.
        let mut out = Vec::new();
        for term in terms {
            if self.needs_keeping(term) {
                let width = self.lowering.store.width(term);
                let symbol = self.temporary("argument", width);
                self.write(symbol, term);
                out.push(self.lowering.store.symbol(symbol));
            } else {
                out.push(term);
            }
        }
        out
    }

    /// Where the result of a call goes.
    fn call_result(
        &mut self,
        result: Option<ValueId>,
        procedure: ProcedureId,
        ty: &Type,
    ) -> Step<(Option<Symbol>, Option<Value>)> {
        let Some(value) = result else { return Ok((None, None)) };
        let returned = self.lowering.procedures[procedure].result;
        let width = joined_width(self.lowering, ty);
        let (Some(returned), Some(width)) = (returned, width) else {
            return self.unsupported("a call whose result is not modelled");
        };
        if self.lowering.store.sort_of_symbol(returned) != Sort::Bits(width) {
            return self.unsupported("a call with a result of another type");
        }
        let name = self.function.values[value].name.clone();
        let symbol = self.temporary(&name, width);
        let joined = self.lowering.store.symbol(symbol);
        Ok((Some(symbol), Some(self.split(joined, ty))))
    }

    /// Scalars that were joined.
    fn split(&mut self, joined: Term, ty: &Type) -> Value {
        let mut low = 0;
        self.fresh_value(ty, &mut |body, width| {
            let part = body.lowering.store.extract(low, width, joined);
            low += width;
            part
        })
    }

    /// The copy of a struct that is passed by value.
    fn copy_argument(&mut self, callee: FunctionId, number: usize, size: u64, from: Term) -> Step<Symbol> {
        let from = self.kept("original", from);
        let origin = Origin::Copy(callee, number);
        let bits = self.lowering.pointer_bits();
        let several = self.lowering.points.multiplicity(callee) == Multiplicity::Several;
        let to = if several {
            let bytes = self.lowering.store.bits(bits, size.into());
            self.take_memory(origin, bytes, 16)?
        } else {
            let base = self.lowering.layout.base(origin).expect("copies have addresses");
            self.lowering.store.bits(bits, base.into())
        };
        // What follows may cut the block.
        let to = self.kept("copy", to);
        let transfer = self.lowering.points.argument_copy(self.site, callee, number);
        if !matches!(transfer, Transfer::Nowhere) {
            let bytes = self.lowering.store.bits(bits, size.into());
            let bytes = self.kept("bytes", bytes);
            let sides = self.lowering.points.argument_sides(self.site, callee, number);
            self.offer(&Event::Block { at: from, bytes, targets: &sides.from, written: false })?;
            self.transfer(&transfer, to, from, bytes, Direction::Forward)?;
        }
        Ok(to)
    }

    fn call_address(
        &mut self,
        result: Option<ValueId>,
        address: &'m Operand,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let callees = self.lowering.points.callees(self.site);
        self.depends_on(address);
        let address = self.term(address);
        let slot = result.map(|value| self.slot(value));
        let address = self.keep_terms(vec![address])[0];
        self.cut(Cut::Call);
        self.offer(&Event::CallThrough(address))?;
        let (start, behind) = (self.pending().from, self.new_location());
        let mut other = self.lowering.store.boolean(true);
        // What a branch keeps in variables is not kept on the others.
        let values = self.snapshot();
        for &function in &callees.functions {
            self.restore(values.clone());
            let target = self.lowering.layout.function(function);
            let target = self.lowering.store.bits(self.lowering.pointer_bits(), target.into());
            let same = self.lowering.store.equal(address, target);
            let differs = self.lowering.store.not(same);
            other = self.lowering.store.and(other, differs);
            self.one_callee(result, slot.as_ref(), (function, same), arguments, (start, behind));
        }
        self.restore(values);
        self.restart(start);
        if callees.complete {
            // It points to no function that can be called like this.
            self.tell(&Event::NoFunction { other, address });
        } else if self.lowering.store.node(other) != crate::term::Node::Boolean(false) {
            self.assume(other);
            let _ = self.unsupported::<()>("a call through a pointer to an unknown function");
        }
        self.restart(behind);
        if let Some(value) = result.filter(|&value| self.may_be_undefined(value)) {
            self.shadow = Some(self.shadow_slot(value));
        }
        Ok(slot)
    }

    fn one_callee(
        &mut self,
        result: Option<ValueId>,
        slot: Option<&Value>,
        (function, condition): (FunctionId, Term),
        arguments: &'m [(Operand, Type)],
        (start, behind): (crate::program::LocationId, crate::program::LocationId),
    ) {
        self.restart(start);
        self.assume(condition);
        self.shadow = None;
        let Ok(value) = self.call_function(result, function, arguments) else { return };
        let mut updates: Vec<(Symbol, Term)> = Vec::new();
        if let (Some(slot), Some(value)) = (slot, value) {
            let pairs = slot.leaves().into_iter().zip(value.leaves());
            updates.extend(pairs.map(|(to, from)| (self.symbol_of(to), from)));
        }
        if let Some(value) = result.filter(|&value| self.may_be_undefined(value)) {
            let ty = self.result_type(result);
            let shadow = self.shadow.take().unwrap_or_else(|| self.zeros(ty));
            let pairs = self.shadow_slot(value).leaves().into_iter().zip(shadow.leaves());
            updates.extend(pairs.map(|(to, from)| (self.symbol_of(to), from)));
        }
        self.leave(behind, None, &updates);
    }
}
