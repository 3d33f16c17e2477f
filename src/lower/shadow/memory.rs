//! Shadows of memory: beside the variable of each region that may be read where it is undefined there is another one.
//!
//! Shadows of arrays start as ones: nothing is initialised before the program does it. Those parts that belong to global
//! variables are zero from the start. Where a region starts as zeros, its shadow does, too, and objects in it
//! become undefined when they come into being.

use crate::ir::analysis::definedness::{self, Definedness};
use crate::ir::analysis::points_to::{Access, Origin, RegionId, RegionKind};
use crate::ir::{FunctionId, Type};
use crate::library::functions::{Known, known};
use crate::lower::Lowering;
use crate::lower::body::Body;
use crate::lower::body::aggregate::{Value, scalars};
use crate::lower::memory::tracking::called;
use crate::lower::memory::{Prepared, how_many};
use crate::lower::shadow::Shadowed;
use crate::program::{Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};

impl Lowering<'_> {
    /// What may be undefined; nothing, if nobody asks.
    fn find_definedness(&self) -> Definedness {
        if !self.needs.shadows {
            return Definedness::default();
        }
        let scope = |region: RegionId| self.variables[self.regions[region].symbol].scope;
        definedness::find(definedness::Facts {
            module: self.module,
            points: self.points,
            is_local: &|region| matches!(scope(region), Scope::Local(_)),
            gives_zeros: &|site| called(self.module, self.settings, site) == Some(Known::AllocateZeroed),
            joins: &|name| known(name, &self.settings.error_functions) == Some(Known::JoinThread),
        })
    }

    /// Makes the shadows of regions, and of results.
    pub fn hold_shadows(&mut self) {
        self.definedness = self.find_definedness();
        for region in self.definedness.regions().clone() {
            let symbol = self.regions[region].symbol;
            let name = format!("<undefined {}>", self.store.name(symbol));
            let (sort, scope) = (self.store.sort_of_symbol(symbol), self.variables[symbol].scope);
            let shadow = self.variable(&name, sort, Variable { scope, ty: None, role: Role::Ghost });
            self.regions[region].shadow = Some(shadow);
        }
        if self.threaded {
            // Threads would have to share the variables.
            return;
        }
        for function in self.definedness.results().clone() {
            let Some(result) = self.procedures[self.of_function[&function]].result else { continue };
            let name = format!("<undefined result of {}>", self.module.functions[function].name);
            let sort = self.store.sort_of_symbol(result);
            let variable = Variable { scope: Scope::Global, ty: None, role: Role::Ghost };
            let shadow = self.variable(&name, sort, variable);
            self.shadow_results.insert(function, shadow);
        }
    }

    /// Whether the shadows of arguments are passed to a function. What starts the program or a thread passes none:
    /// if others call it, too, what it gets is taken for undefined.
    pub fn passes_shadows(&self, function: FunctionId) -> bool {
        let started = self.module.functions[function].name == self.settings.entry;
        !started && !self.points.routines().contains(&function)
    }

    /// What is initialised when the program starts.
    pub fn shadows_at_first(&mut self) -> Vec<(Symbol, Term)> {
        let regions: Vec<RegionId> = self.regions.ids().collect();
        regions.into_iter().filter_map(|region| self.shadow_at_first(region)).collect()
    }

    fn shadow_at_first(&mut self, region: RegionId) -> Option<(Symbol, Term)> {
        let held = self.regions[region];
        let shadow = held.shadow.filter(|_| self.variables[held.symbol].scope == Scope::Global)?;
        let start = if held.zeroed { 0 } else { u128::MAX };
        let Sort::Array { index, element } = self.store.sort_of_symbol(shadow) else {
            let global = matches!(held.kind, RegionKind::Scalar { origin: Origin::Global(_), .. });
            let Sort::Bits(width) = self.store.sort_of_symbol(shadow) else { return None };
            return Some((shadow, self.store.bits(width, if global { 0 } else { u128::MAX })));
        };
        let value = self.store.bits(element, start);
        let mut memory = self.store.constant_array(index, value);
        if !held.zeroed {
            let zero = self.store.bits(element, 0);
            for address in self.initialised(region, element) {
                let address = self.store.bits(index, address.into());
                memory = self.store.store(memory, address, zero);
            }
        }
        Some((shadow, memory))
    }

    /// The addresses of all elements of a region that belong to global variables.
    fn initialised(&self, region: RegionId, element: u32) -> Vec<u64> {
        let mut out = Vec::new();
        for (id, global) in self.module.globals.enumerate() {
            let origin = Origin::Global(id);
            let base = self.layout.base(origin).expect("globals have addresses");
            let base = self.address_for_main(id).unwrap_or(base);
            for cell in self.points.cells(origin).iter().filter(|cell| cell.region == region) {
                for number in 0..how_many(cell, global.size) {
                    let at = base + cell.offset + number * cell.repeats.unwrap_or(0);
                    let step = u64::from(element / 8);
                    out.extend((0..u64::from(cell.bits / element)).map(|part| at + part * step));
                }
            }
        }
        out
    }
}

impl Body<'_, '_> {
    /// What is in memory, with its shadow.
    pub fn read_shadowed(&mut self, piece: &Access, base: Term) -> Shadowed {
        let value = self.read_piece(piece, base);
        let held = self.lowering.regions[piece.region];
        let shadow = held.shadow.filter(|_| held.constant.is_none());
        let shadow = shadow.map(|shadow| self.read_element(held.kind, shadow, piece, base));
        Shadowed { value, shadow }
    }

    /// Writes a value and its shadow.
    pub fn write_shadowed(&mut self, piece: &Access, base: Term, content: Shadowed) {
        let held = self.lowering.regions[piece.region];
        if held.constant.is_some() {
            return;
        }
        self.write_element(held.kind, held.symbol, piece, (base, content.value));
        if let Some(shadow) = held.shadow {
            let undefined = self.shadow_or_zero(content);
            self.write_element(held.kind, shadow, piece, (base, undefined));
        }
    }

    /// Nothing of it is initialised.
    pub fn make_undefined(&mut self, piece: &Access, base: Term) {
        let held = self.lowering.regions[piece.region];
        if let Some(shadow) = held.shadow {
            let ones = self.lowering.store.bits(piece.bits, u128::MAX);
            self.write_element(held.kind, shadow, piece, (base, ones));
        }
    }

    /// The shadow of what a load reads.
    pub fn read_shadow_at(&mut self, access: &Prepared, ty: &Type) -> Value {
        let mut terms = Vec::new();
        for (offset, scalar) in scalars(ty) {
            let width = self.width(&scalar);
            let part = access.parts.iter().find(|part| part.offset == offset).copied();
            let shadow = part.map(|part| self.read_shadowed(&part, access.at));
            terms.push(match shadow {
                Some(content) => {
                    let shadow = self.shadow_or_zero(content);
                    self.lowering.store.extract(0, width, shadow)
                }
                None => self.lowering.store.bits(width, u128::MAX),
            });
        }
        let mut terms = terms.into_iter();
        self.fresh_value(ty, &mut |_, _| terms.next().expect("one for each scalar"))
    }

    /// A value and its shadow in variables of their own.
    pub fn kept_shadowed(&mut self, name: &str, content: Shadowed) -> (Symbol, Option<Symbol>) {
        let shadow = content.shadow.map(|shadow| self.kept(&format!("<undefined {name}>"), shadow));
        (self.kept(name, content.value), shadow)
    }

    pub fn read_kept(&mut self, (value, shadow): (Symbol, Option<Symbol>)) -> Shadowed {
        Shadowed { value: self.read(value), shadow: shadow.map(|shadow| self.read(shadow)) }
    }
}
