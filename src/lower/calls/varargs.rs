//! Arguments behind `...`.
//!
//! The caller puts them side by side into an object of their own, whose address is one more parameter of the callee.
//! clang reads them through a `va_list`: on i386 that is the address of the next argument; on x86-64 it has counters
//! for registers, which we set as if all registers were used up, and the address of the arguments in memory.

use crate::ir::analysis::points_to::{Access, Origin};
use crate::ir::{FunctionId, Operand, Type};
use crate::lower::body::{Body, Step};
use crate::lower::memory::parts;
use crate::lower::shadow::Shadowed;
use crate::term::{Symbol, Term};

impl<'m> Body<'_, 'm> {
    /// Puts the arguments behind the parameters of a function into memory; a variable holds the address.
    pub fn pass_further(
        &mut self,
        callee: FunctionId,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Symbol>> {
        let function = &self.lowering.module.functions[callee];
        let further = arguments.get(function.parameters.len()..).unwrap_or(&[]);
        if !function.variadic {
            return Ok(None);
        }
        let word = u64::from(self.lowering.module.pointer_bytes);
        let sizes: Vec<u64> = further
            .iter()
            .map(|(_, ty)| self.lowering.module.size_of(ty).next_multiple_of(word).max(word))
            .collect();
        let origin = Origin::Arguments(callee);
        let bits = self.lowering.pointer_bits();
        let bytes = self.lowering.store.bits(bits, sizes.iter().sum::<u64>().into());
        let base = self.take_memory(origin, bytes, 16)?;
        let base = self.kept("arguments", base);
        let region = self.lowering.points.cells(origin).first().map(|cell| cell.region);
        let mut offset = 0;
        for ((operand, ty), size) in further.iter().zip(sizes) {
            if matches!(ty, Type::Aggregate { .. } | Type::Other { .. }) {
                return self.unsupported("a struct among variable arguments");
            }
            if let Some(region) = region {
                let content = self.shadowed(operand);
                let width = u32::try_from(size * 8).unwrap_or(128);
                let value = self.lowering.store.zero_extend(width, content.value);
                let shadow = content.shadow.map(|shadow| self.lowering.store.zero_extend(width, shadow));
                let base = self.read(base);
                for part in parts(&Access { offset, bits: width, region }) {
                    self.write_shadowed(&part, base, Shadowed { value, shadow });
                }
            }
            offset += size;
        }
        Ok(Some(base))
    }

    /// At the entry of a function with `...`: a parameter says where its further arguments are.
    pub fn receive_further(&mut self) {
        if self.function.variadic {
            self.further = Some(self.hidden_parameter("arguments"));
        }
    }

    /// `va_start`.
    pub fn start_arguments(&mut self, list: &'m Operand) -> Step {
        let Some(further) = self.further else {
            return self.unsupported("va_start outside of a variadic function");
        };
        for access in self.offer_written(list)? {
            let (at, value) = (self.term(list), self.list_member(access.offset, further));
            self.write_piece(&access, at, value);
        }
        Ok(())
    }

    fn list_member(&mut self, offset: u64, further: Symbol) -> Term {
        match (self.lowering.module.pointer_bytes, offset) {
            // All registers of either kind are used up.
            (8, 0) => self.lowering.store.bits(32, 48),
            (8, 4) => self.lowering.store.bits(32, 176),
            _ => self.read(further),
        }
    }
}
