//! Instructions, one by one.

use crate::checks::Event;
use crate::ir::analysis::points_to::in_loops;
use crate::ir::{BinaryOperator, Cast, Comparison, Exchange, Intrinsic, Operand, Operation, Type, ValueId};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::memory::Prepared;
use crate::lower::shadow::Shadowed;
use crate::term::overflow::Signed;
use crate::term::{Node, Operator, Term};

impl<'m> Body<'_, 'm> {
    /// Executes an operation; gives its result.
    pub fn operation(&mut self, result: Option<ValueId>, operation: &'m Operation) -> Step<Option<Value>> {
        let function = self.function;
        let ty = result.map_or(&Type::Void, |value| &function.values[value].ty);
        if let Some(what) = unmodelled(operation, ty) {
            return self.unsupported(what);
        }
        let term = match operation {
            Operation::Binary { operator, left, right, wrap } => {
                self.check_moved(*operator, (left, right), *wrap);
                self.offer(&Event::Arithmetic { operator: *operator, operands: [left, right], wrap: *wrap })?;
                let operands = [self.term(left), self.term(right)];
                let [left, right] = self.numbers(operands);
                self.binary(*operator, left, right)
            }
            Operation::Compare { comparison, left, right } => self.looked(&mut |body| {
                let operands = [body.term(left), body.term(right)];
                let [left, right] = body.numbers(operands);
                let holds = body.compare(*comparison, left, right);
                body.bit(holds)
            }),
            Operation::Cast { cast, value } => {
                self.check_made(value);
                let value = self.term(value);
                let value = self.number(0, value);
                self.cast(*cast, value, ty)
            }
            Operation::Select { condition, yes, no } => return Ok(Some(self.select(condition, yes, no))),
            Operation::Allocate { .. } if self.allocates_in_loop() => {
                return self.unsupported("an allocation on the stack in a loop");
            }
            Operation::Allocate { .. } if self.observation().is_some() => {
                return self.unsupported("an object as large as the number of an address");
            }
            Operation::Allocate { size, count, align } => {
                return self.allocate(*size, count, *align).map(Some);
            }
            Operation::Load { address, .. } => {
                let value = self.load(address, ty)?;
                return self.loaded(value, ty).map(Some);
            }
            Operation::Store { address, value, ty, .. } => {
                return self.store(address, value, ty).map(|()| None);
            }
            Operation::Offset { base, constant, terms, .. } => self.offset(base, *constant, terms),
            Operation::AtomicUpdate { exchange, address, value } => {
                return self.update(*exchange, address, value, ty).map(Some);
            }
            Operation::CompareExchange { address, expected, new, ty, weak } => {
                return self.compare_exchange(address, (expected, new), ty, *weak).map(Some);
            }
            Operation::Extract { aggregate, path, .. } => {
                let aggregate = self.operand(aggregate);
                return Ok(aggregate.at(path).cloned());
            }
            Operation::Insert { aggregate, value, path } => {
                let (mut aggregate, value) = (self.operand(aggregate), self.operand(value));
                if let Some(member) = aggregate.at_mut(path) {
                    *member = value;
                }
                return Ok(Some(aggregate));
            }
            Operation::Call { callee, arguments, .. } => return self.call(result, callee, arguments),
            Operation::Intrinsic { intrinsic, arguments } => {
                return self.intrinsic(*intrinsic, arguments, ty);
            }
            Operation::Freeze(value) => return Ok(Some(self.operand(value))),
            Operation::Fence => return Ok(None),
            Operation::Phi(_) => unreachable!("phis are set by the edges to their block"),
            Operation::FloatBinary { .. } | Operation::FloatCompare { .. } | Operation::FloatNegate(_) => {
                return self.unsupported("floating-point arithmetic");
            }
            Operation::Unsupported(what) => return self.unsupported(what.clone()),
        };
        Ok(Some(Value::Term(term)))
    }

    /// A truth value as one bit.
    pub fn bit(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.lowering.store.bits(1, 1), self.lowering.store.bits(1, 0));
        self.lowering.store.choose(condition, one, zero)
    }

    fn binary(&mut self, operator: BinaryOperator, left: Term, right: Term) -> Term {
        let result = self.lowering.store.binary(operator.into(), left, right);
        match operator {
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight | BinaryOperator::ShiftRightSigned => {
                self.arbitrary_if_too_wide(result, right)
            }
            _ => result,
        }
    }

    /// A shift by too much gives anything, unless that was checked.
    fn arbitrary_if_too_wide(&mut self, result: Term, by: Term) -> Term {
        let wide = self.lowering.store.shifts_too_far(by);
        let excluded = crate::checks::shift::excluded(&self.lowering.settings.checks);
        if excluded || self.lowering.store.node(wide) == Node::Boolean(false) {
            return result;
        }
        let width = self.lowering.store.width(result);
        let any = self.input("result of too wide a shift", width);
        self.lowering.store.choose(wide, any, result)
    }

    /// A relation between two bit vectors.
    pub fn compare(&mut self, comparison: Comparison, a: Term, b: Term) -> Term {
        use Comparison as C;
        let store = &mut self.lowering.store;
        match comparison {
            C::Equal => store.equal(a, b),
            C::NotEqual => {
                let equal = store.equal(a, b);
                store.not(equal)
            }
            C::UnsignedLess => store.unsigned_less(a, b),
            C::UnsignedGreater => store.unsigned_less(b, a),
            C::UnsignedLessEqual => {
                let greater = store.unsigned_less(b, a);
                store.not(greater)
            }
            C::UnsignedGreaterEqual => {
                let less = store.unsigned_less(a, b);
                store.not(less)
            }
            C::SignedLess => store.signed_less(a, b),
            C::SignedGreater => store.signed_less(b, a),
            C::SignedLessEqual => {
                let greater = store.signed_less(b, a);
                store.not(greater)
            }
            C::SignedGreaterEqual => {
                let less = store.signed_less(a, b);
                store.not(less)
            }
        }
    }

    pub fn cast(&mut self, cast: Cast, value: Term, ty: &Type) -> Term {
        let width = self.width(ty);
        let from = self.lowering.store.width(value);
        let store = &mut self.lowering.store;
        match cast {
            Cast::SignExtend => store.sign_extend(width, value),
            _ if from > width => store.extract(0, width, value),
            _ => store.zero_extend(width, value),
        }
    }

    fn select(&mut self, condition: &'m Operand, yes: &'m Operand, no: &'m Operand) -> Value {
        let condition = self.condition(condition);
        // An arm that is never taken needs no value: it may be `poison`, and would be an input.
        match self.lowering.store.node(condition) {
            Node::Boolean(true) => self.operand(yes),
            Node::Boolean(false) => self.operand(no),
            _ => {
                let (yes, no) = (self.operand(yes), self.operand(no));
                self.choose(condition, &yes, &no)
            }
        }
    }

    pub fn choose(&mut self, condition: Term, yes: &Value, no: &Value) -> Value {
        match (yes, no) {
            (Value::Members(yes), Value::Members(no)) => {
                Value::Members(yes.iter().zip(no).map(|(yes, no)| self.choose(condition, yes, no)).collect())
            }
            (Value::Term(yes), Value::Term(no)) => {
                Value::Term(self.lowering.store.choose(condition, *yes, *no))
            }
            _ => unreachable!("both arms have one type"),
        }
    }

    fn offset(&mut self, base: &'m Operand, constant: i64, terms: &'m [(Operand, u32, i64)]) -> Term {
        let bits = self.lowering.pointer_bits();
        let mut sum = self.term(base);
        for (position, (operand, _, scale)) in terms.iter().enumerate() {
            let index = self.term(operand);
            let index = self.number(position, index);
            let width = self.lowering.store.width(index);
            let store = &mut self.lowering.store;
            let index =
                if width < bits { store.sign_extend(bits, index) } else { store.extract(0, bits, index) };
            let scale = store.bits(bits, i128::from(*scale).cast_unsigned());
            let scaled = store.binary(Operator::Multiply, index, scale);
            sum = store.binary(Operator::Add, sum, scaled);
        }
        let constant = self.lowering.store.bits(bits, i128::from(constant).cast_unsigned());
        self.lowering.store.binary(Operator::Add, sum, constant)
    }

    fn update(
        &mut self,
        exchange: Exchange,
        address: &'m Operand,
        value: &'m Operand,
        ty: &Type,
    ) -> Step<Value> {
        self.depends_on(address);
        // Both accesses are one step.
        let access = self.prepare(address, ty)?;
        let old = self.read_at(&access, ty)?;
        let operand = self.shadowed(value);
        let [before] = old.leaves()[..] else { return self.unsupported("an atomic update of an aggregate") };
        let numbers = self.numbers([before, operand.value]);
        let new = self.exchanged(exchange, numbers[0], numbers[1]);
        let shadow = self.lowering.needs.shadows.then(|| {
            let known = self.read_shadow_at(&access, ty);
            let before = Shadowed { value: before, shadow: Some(self.joined_term(&known)) };
            self.shadow = Some(known);
            Value::Term(self.undefined_exchange(exchange, before, operand))
        });
        self.write_at(&access, &Value::Term(new), shadow.as_ref(), ty)?;
        Ok(old)
    }

    fn exchanged(&mut self, exchange: Exchange, old: Term, operand: Term) -> Term {
        let plain = |operator| Some((operator, false));
        let simple = match exchange {
            Exchange::Swap => return operand,
            Exchange::Add => plain(Operator::Add),
            Exchange::Subtract => plain(Operator::Subtract),
            Exchange::And => plain(Operator::And),
            Exchange::Nand => Some((Operator::And, true)),
            Exchange::Or => plain(Operator::Or),
            Exchange::Xor => plain(Operator::Xor),
            Exchange::SignedMax | Exchange::SignedMin | Exchange::UnsignedMax | Exchange::UnsignedMin => None,
        };
        let Some((operator, negated)) = simple else {
            let signed = matches!(exchange, Exchange::SignedMax | Exchange::SignedMin);
            let max = matches!(exchange, Exchange::SignedMax | Exchange::UnsignedMax);
            return self.extreme(old, operand, if signed { Signed::Yes } else { Signed::No }, max);
        };
        let result = self.lowering.store.binary(operator, old, operand);
        if negated { self.complement(result) } else { result }
    }

    /// All bits the other way round.
    pub fn complement(&mut self, term: Term) -> Term {
        let width = self.lowering.store.width(term);
        let ones = self.lowering.store.bits(width, u128::MAX);
        self.lowering.store.binary(Operator::Xor, term, ones)
    }

    /// The larger or the smaller one.
    pub fn extreme(&mut self, a: Term, b: Term, signed: Signed, max: bool) -> Term {
        let store = &mut self.lowering.store;
        let less = if signed == Signed::Yes { store.signed_less(a, b) } else { store.unsigned_less(a, b) };
        if max { store.choose(less, b, a) } else { store.choose(less, a, b) }
    }

    fn compare_exchange(
        &mut self,
        address: &'m Operand,
        (expected, new): (&'m Operand, &'m Operand),
        ty: &Type,
        weak: bool,
    ) -> Step<Value> {
        self.depends_on(address);
        let mut access = self.prepare(address, ty)?;
        if self.lowering.needs.shadows {
            self.branches_on(&access, expected, ty)?;
            // Again: a check cuts the block.
            access.at = self.term(address);
        }
        let old = self.read_at(&access, ty)?;
        let shadow = self.lowering.needs.shadows.then(|| self.read_shadow_at(&access, ty));
        let expected = self.term(expected);
        let new = self.shadowed(new);
        let [before] = old.leaves()[..] else {
            return self.unsupported("a compare-and-exchange of an aggregate");
        };
        let compared = self.numbers([before, expected]);
        let mut success = self.lowering.store.equal(compared[0], compared[1]);
        if weak {
            let may = self.input("success of a weak compare-and-exchange", 1);
            let may = self.is_one(may);
            success = self.lowering.store.and(success, may);
        }
        let after = self.lowering.store.choose(success, new.value, before);
        let undefined = shadow.as_ref().map(|shadow| {
            let before = self.joined_term(shadow);
            let added = self.shadow_or_zero(new);
            Value::Term(self.lowering.store.choose(success, added, before))
        });
        self.write_at(&access, &Value::Term(after), undefined.as_ref(), ty)?;
        let (bit, known) = (self.bit(success), self.lowering.store.bits(1, 0));
        self.shadow = shadow.map(|shadow| Value::Members(vec![shadow, Value::Term(known)]));
        Ok(Value::Members(vec![old, Value::Term(bit)]))
    }

    /// A compare-and-exchange branches on what it finds.
    fn branches_on(&mut self, access: &Prepared, expected: &'m Operand, ty: &Type) -> Step {
        let (known, expected) = (self.read_shadow_at(access, ty), self.shadowed(expected));
        let old = self.read_at(access, ty)?;
        let old = Shadowed { value: self.joined_term(&old), shadow: Some(self.joined_term(&known)) };
        let open = self.undefined_comparison(Comparison::Equal, old, expected);
        let open = self.is_one(open);
        self.offer(&Event::Compared { open, found: old.value })
    }

    fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &'m [(Operand, Type)],
        ty: &Type,
    ) -> Step<Option<Value>> {
        crate::lower::body::intrinsics::lower(self, intrinsic, arguments, ty)
    }
}

/// What an operation does that is not modelled.
fn unmodelled(operation: &Operation, ty: &Type) -> Option<String> {
    let floating = |cast: &Cast| {
        use Cast as C;
        matches!(
            cast,
            C::FloatTruncate
                | C::FloatExtend
                | C::FloatToSigned
                | C::FloatToUnsigned
                | C::SignedToFloat
                | C::UnsignedToFloat
        )
    };
    match (operation, ty) {
        (_, Type::Other { name, .. }) => Some(format!("values of type {name}")),
        (Operation::Store { ty: Type::Other { name, .. }, .. }, _) => Some(format!("values of type {name}")),
        (Operation::Cast { cast, .. }, _) if floating(cast) => Some("floating-point arithmetic".into()),
        _ => None,
    }
}

impl Body<'_, '_> {
    /// Whether this instruction may be executed several times in one activation: its object would be several.
    fn allocates_in_loop(&self) -> bool {
        let function = &self.lowering.module.functions[self.site.function];
        in_loops(function)[self.site.block]
    }
}
