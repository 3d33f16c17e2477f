//! Calls of functions without a body: those that are known by name, and those that nobody knows.

use crate::checks::Event;
use crate::ir::analysis::points_to::Origin;
use crate::ir::strings::text_of;
use crate::ir::{Callee, Function, Global, Initialiser, Operand, Type, ValueId};
use crate::library::functions::Known;
use crate::lower::Undefined;
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::program::{Action, Assumption, PropertyKind, Role, Scope, Variable};
use crate::term::Term;

/// Functions that end the process without looking after it.
const ENDS_AT_ONCE: [&str; 5] = ["abort", "_exit", "_Exit", "__VERIFIER_silent_exit", "quick_exit"];

impl<'m> Body<'_, 'm> {
    pub fn call_undefined(
        &mut self,
        result: Option<ValueId>,
        callee: &'m Function,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let name = &callee.name;
        let assumption = match self.lowering.settings.undefined {
            Undefined::Unknown => return self.unsupported(format!("a call of {name}, which is not defined")),
            Undefined::Pure => Assumption::Pure(name.clone()),
            Undefined::Havoc => Assumption::Havoc(name.clone()),
        };
        self.lowering.assume(assumption);
        self.gives(arguments);
        if self.lowering.settings.undefined == Undefined::Havoc {
            if !self.lowering.points.callbacks().is_empty() {
                return self.unsupported(format!("a call of {name}, which may call back"));
            }
            self.scramble_outside(name);
            self.offer(&Event::OutsideCode)?;
        }
        if callee.never_returns {
            return self.end(Action::End);
        }
        Ok(self.any_result(result, name))
    }

    /// All that functions without a body get at holds anything.
    fn scramble_outside(&mut self, name: &str) {
        for (region, content) in self.lowering.points.regions().enumerate() {
            if !content.origins.contains(&Origin::Outside) {
                continue;
            }
            let symbol = self.lowering.regions[region].symbol;
            let sort = self.lowering.store.sort_of_symbol(symbol);
            let variable = Variable { scope: Scope::Input, ty: None, role: Role::Input(name.into()) };
            let input = self.lowering.variable(name, sort, variable);
            self.pending().input(input);
            let value = self.lowering.store.symbol(input);
            // Shadows stay: nobody knows what is really written.
            self.write(symbol, value);
        }
    }

    fn any_result(&mut self, result: Option<ValueId>, name: &str) -> Option<Value> {
        let ty = self.result_type(result);
        result.map(|_| self.arbitrary(ty, name))
    }

    pub fn call_known(
        &mut self,
        result: Option<ValueId>,
        known: Known,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        self.gives(arguments);
        if self.observation().is_some() {
            return self.unsupported("as many bytes as the number of an address");
        }
        match known {
            Known::Arbitrary => Ok(self.any_result(result, self.callee_name())),
            Known::Harmless => {
                self.reads_unseen(arguments);
                Ok(self.any_result(result, self.callee_name()))
            }
            Known::Random => Ok(self.random(result)),
            Known::Assume => {
                self.let_others_see();
                let condition = self.is_true(&arguments[0].0);
                self.assume(condition);
                Ok(self.any_result(result, "assume"))
            }
            Known::End => {
                // A call through a pointer may be one of `exit`.
                if !ENDS_AT_ONCE.contains(&self.callee_name()) {
                    self.offer(&Event::Exit)?;
                }
                self.end(Action::End)
            }
            Known::AssertionFailed => {
                let text = arguments.first().and_then(|(operand, _)| self.string(operand));
                self.property(PropertyKind::Assertion, text.unwrap_or_else(|| "assertion".into()), None);
                Err(crate::lower::body::Dead)
            }
            Known::Assert => self.assert(result, arguments),
            Known::Error | Known::Unmodelled => unreachable!("handled before"),
            Known::AtomicBegin => {
                self.begin_section();
                Ok(self.any_result(result, "atomic section"))
            }
            Known::AtomicEnd => {
                self.end_section();
                Ok(self.any_result(result, "atomic section"))
            }
            Known::Allocate | Known::AllocateLocally => self.malloc(arguments).map(Some),
            Known::AllocateZeroed => self.calloc(arguments).map(Some),
            Known::Free => {
                self.free(arguments);
                Ok(None)
            }
            // Calls by name were made intrinsics before.
            Known::Copy | Known::Move | Known::Set => {
                self.unsupported(format!("a call of {} through a pointer", self.callee_name()))
            }
            Known::Reallocate => self.realloc(arguments).map(Some),
            Known::StartThread => self.start_thread(result, arguments),
            Known::JoinThread => self.join_thread(result, arguments),
            Known::EndThread => self.end_thread(arguments),
            Known::OwnThread => Ok(self.this_thread(result)),
            Known::Lock(step) => {
                self.lock_step(step, arguments)?;
                Ok(None)
            }
            Known::Wait => {
                self.waits(arguments)?;
                Ok(None)
            }
            Known::Unsupported => {
                let what = arguments.first().and_then(|(operand, _)| self.string(operand));
                self.unsupported(what.unwrap_or_default())
            }
        }
    }

    /// Whether a format may have the conversion `%n`, which writes: a constant says so, and of a computed one all that it may
    /// point to must be constants.
    pub fn writes_by_format(&mut self, position: usize, arguments: &'m [(Operand, Type)]) -> bool {
        let Some((operand, _)) = arguments.get(position) else { return true };
        if let Some(text) = self.string(operand) {
            return has_count(text.replace("%%", "").as_bytes());
        }
        let module = self.lowering.module;
        let harmless = |origin: &Origin| match origin {
            Origin::Global(global) => never_counts(&module.globals[*global]),
            _ => false,
        };
        !self.lowering.points.argument(self.site, position).iter().all(harmless)
    }

    /// A function that reads memory, and whose reads are not checked: strings that are no constants.
    fn reads_unseen(&mut self, arguments: &'m [(Operand, Type)]) {
        if arguments.iter().any(|(operand, ty)| *ty == Type::Pointer && self.string(operand).is_none()) {
            self.tell(&Event::ReadsUnseen);
        }
    }

    /// `rand`: from zero to the largest `int`.
    fn random(&mut self, result: Option<ValueId>) -> Option<Value> {
        let width = self.width(self.result_type(result));
        let value = self.input("rand", 31.min(width));
        result.map(|_| Value::Term(self.lowering.store.zero_extend(width, value)))
    }

    fn callee_name(&self) -> &'m str {
        let instruction = &self.function.blocks[self.site.block].instructions[self.site.number];
        match &instruction.operation {
            crate::ir::Operation::Call { callee: Callee::Function(function), .. } => {
                &self.lowering.module.functions[*function].name
            }
            _ => "a function",
        }
    }

    /// An operand that is not zero.
    pub fn is_true(&mut self, operand: &'m Operand) -> Term {
        let term = self.term(operand);
        let width = self.lowering.store.width(term);
        let zero = self.lowering.store.bits(width, 0);
        let is_zero = self.lowering.store.equal(term, zero);
        self.lowering.store.not(is_zero)
    }

    fn assert(&mut self, result: Option<ValueId>, arguments: &'m [(Operand, Type)]) -> Step<Option<Value>> {
        // `__CPROVER_assert` has a text.
        let text = arguments.get(1).and_then(|(operand, _)| self.string(operand));
        // The condition must be known at the location where the property sits.
        let holds = self.is_true(&arguments[0].0);
        let violated = self.lowering.store.not(holds);
        let violated = self.bit(violated);
        let violated = self.keep_terms(vec![violated])[0];
        let violated = self.is_one(violated);
        self.property(PropertyKind::Assertion, text.unwrap_or_else(|| "assertion".into()), Some(violated));
        let fine = self.lowering.store.not(violated);
        self.assume(fine);
        Ok(self.any_result(result, "assert"))
    }

    /// A string that an operand points to.
    pub fn string(&self, operand: &Operand) -> Option<String> {
        text_of(self.lowering.module, operand)
    }
}

/// Whether a string has the conversion `%n`.
fn has_count(format: &[u8]) -> bool {
    format.split(|&byte| byte == b'%').skip(1).any(|conversion| {
        let mut rest = conversion.iter().skip_while(|byte| !byte.is_ascii_alphabetic());
        rest.find(|byte| !b"hljztqL".contains(byte)) == Some(&b'n')
    })
}

/// Whether no string within a global variable has the conversion `%n`, and nobody writes one there.
fn never_counts(global: &Global) -> bool {
    let known = |initialiser: &Initialiser| {
        let counts = |(_, bytes): &(u64, Vec<u8>)| has_count(bytes);
        initialiser.addresses.is_empty()
            && initialiser.unsupported.is_none()
            && !initialiser.bytes.iter().any(counts)
    };
    global.constant && global.initialiser.as_ref().is_some_and(known)
}
