//! Copying and setting memory.

use crate::checks::null::NULL_PAGE;
use crate::checks::{At, Cut, Event, Manner};
use crate::ir::analysis::points_to::{Access, Piece, RegionId, Transfer};
use crate::lower::body::{Body, Step};
use crate::lower::memory::parts;
use crate::lower::shadow::Shadowed;
use crate::program::{Action, Block, Edge};
use crate::term::{Operator, Symbol, Term};

/// In which order a loop copies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Direction {
    /// From the first byte on.
    Forward,
    /// So that overlapping source and destination do no harm.
    Either,
}

impl Body<'_, '_> {
    pub fn copy_memory(&mut self, to: Term, from: Term, bytes: Term, direction: Direction) -> Step {
        let bytes = self.at_pointer_width(bytes);
        let (to, from, bytes) = (self.kept("to", to), self.kept("from", from), self.kept("bytes", bytes));
        let sides = self.lowering.points.sides(self.site);
        self.offer(&Event::Block { at: from, bytes, targets: &sides.from, written: false })?;
        self.offer(&Event::Block { at: to, bytes, targets: &sides.to, written: true })?;
        let transfer = self.lowering.points.copy(self.site);
        self.transfer(&transfer, to, from, bytes, direction)
    }

    /// Copies what was checked before.
    pub fn transfer(
        &mut self,
        transfer: &Transfer,
        to: Symbol,
        from: Symbol,
        bytes: Symbol,
        direction: Direction,
    ) -> Step {
        match transfer {
            Transfer::Nowhere => self.no_object_unless_empty(bytes, &[to, from]),
            Transfer::Pieces(pieces) if self.lowering.threaded => self.copy_one_by_one(pieces, to, from),
            Transfer::Pieces(pieces) => {
                let parts = both_sides(pieces);
                let (to, from) = (self.read(to), self.read(from));
                let read: Vec<Shadowed> =
                    parts.iter().map(|(_, source)| self.read_shadowed(source, from)).collect();
                for ((target, _), content) in parts.iter().zip(read) {
                    self.write_shadowed(target, to, content);
                }
                Ok(())
            }
            Transfer::Loop { bits, to: target, from: source } => {
                let regions: Vec<RegionId> = std::iter::once(*target).chain(*source).collect();
                self.offer(&Event::Loop(&regions))?;
                let memory = Looped { bits: *bits, to, bytes, target: *target };
                self.copy_loop(&memory, from, source.expect("a copy has a source"), direction)
            }
        }
    }

    /// Other threads may run between the parts of a copy.
    fn copy_one_by_one(&mut self, pieces: &[Piece], to: Symbol, from: Symbol) -> Step {
        let mut values = Vec::new();
        let parts = both_sides(pieces);
        for (_, source) in &parts {
            self.offer(&Event::Part { at: At::Kept(from), manner: Manner::Read, parts: &[*source] })?;
            self.touch(std::iter::once(source.region));
            let from = self.read(from);
            let content = self.read_shadowed(source, from);
            values.push(self.kept_shadowed("copied", content));
        }
        for ((target, _), content) in parts.iter().zip(values) {
            self.offer(&Event::Part { at: At::Kept(to), manner: Manner::Write, parts: &[*target] })?;
            self.touch(std::iter::once(target.region));
            let (to, content) = (self.read(to), self.read_kept(content));
            self.write_shadowed(target, to, content);
        }
        Ok(())
    }

    pub fn set_memory(&mut self, to: Term, byte: Shadowed, bytes: Term) -> Step {
        let byte = self.low_byte(byte);
        let bytes = self.at_pointer_width(bytes);
        let (to, byte, bytes) =
            (self.kept("to", to), self.kept_shadowed("byte", byte), self.kept("bytes", bytes));
        let sides = self.lowering.points.sides(self.site);
        self.offer(&Event::Block { at: to, bytes, targets: &sides.to, written: true })?;
        match self.lowering.points.set(self.site) {
            Transfer::Nowhere => self.no_object_unless_empty(bytes, &[to]),
            Transfer::Pieces(pieces) => {
                for part in pieces.iter().flat_map(|piece| parts(&target(piece))) {
                    self.offer(&Event::Part { at: At::Kept(to), manner: Manner::Write, parts: &[part] })?;
                    self.touch(std::iter::once(part.region));
                    let (to, byte) = (self.read(to), self.read_kept(byte));
                    let content = self.repeated(byte, part.bits);
                    self.write_shadowed(&part, to, content);
                }
                Ok(())
            }
            Transfer::Loop { bits, to: target, .. } => {
                self.offer(&Event::Loop(&[target]))?;
                let memory = Looped { bits, to, bytes, target };
                let byte = self.read_kept(byte);
                let content = self.repeated(byte, bits);
                self.set_loop(&memory, content)
            }
        }
    }

    /// An address points to no object at all: nothing can be there but nothing.
    pub fn no_object_unless_empty(&mut self, bytes: Symbol, addresses: &[Symbol]) -> Step {
        let length = self.read(bytes);
        let something = self.something(length);
        let null = self.any_null(addresses);
        match self.lowering.store.truth(something) {
            Some(false) => return Ok(()),
            Some(true) => return self.no_object(null),
            None => {}
        }
        self.cut(Cut::Call);
        let (start, behind, values) = (self.pending().from, self.new_location(), self.snapshot());
        let length = self.read(bytes);
        let something = self.something(length);
        let nothing = self.lowering.store.not(something);
        self.leave(behind, Some(nothing), &[]);
        self.restart(start);
        self.assume(something);
        let null = self.any_null(addresses);
        let _ = self.no_object::<()>(null);
        self.restore(values);
        self.restart(behind);
        Ok(())
    }

    /// Whether a number of bytes is not zero.
    fn something(&mut self, bytes: Term) -> Term {
        let zero = self.lowering.store.bits(self.lowering.store.width(bytes), 0);
        let nothing = self.lowering.store.equal(bytes, zero);
        self.lowering.store.not(nothing)
    }

    fn any_null(&mut self, addresses: &[Symbol]) -> Term {
        let page = self.lowering.store.bits(self.lowering.pointer_bits(), NULL_PAGE);
        let mut null = self.lowering.store.boolean(false);
        for &address in addresses {
            let address = self.read(address);
            let here = self.lowering.store.unsigned_less(address, page);
            null = self.lowering.store.or(null, here);
        }
        null
    }

    /// The byte that memory is set to. If any bit of it is undefined, all are.
    fn low_byte(&mut self, byte: Shadowed) -> Shadowed {
        let shadow = byte.shadow.map(|shadow| {
            let low = self.lowering.store.extract(0, 8, shadow);
            let open = self.any_undefined(low);
            self.ones_if(8, open)
        });
        Shadowed { value: self.lowering.store.extract(0, 8, byte.value), shadow }
    }

    /// A byte as often as a cell has bytes.
    fn repeated(&mut self, byte: Shadowed, bits: u32) -> Shadowed {
        let store = &mut self.lowering.store;
        let mut repeat = |byte: Term| (1..bits / 8).fold(byte, |all, _| store.concatenate(all, byte));
        Shadowed { value: repeat(byte.value), shadow: byte.shadow.map(repeat) }
    }

    /// A loop over cells: `for (i = 0; i < bytes; i += cell) …`.
    fn set_loop(&mut self, memory: &Looped, content: Shadowed) -> Step {
        let content = self.kept_shadowed("byte", content);
        let counter = self.begin_loop(memory)?;
        self.loop_body(memory, counter, |body, at| {
            let content = body.read_kept(content);
            body.write_shadowed(
                &Access { offset: 0, bits: memory.bits, region: memory.target },
                at.0,
                content,
            );
        });
        Ok(())
    }

    fn copy_loop(&mut self, memory: &Looped, from: Symbol, source: RegionId, direction: Direction) -> Step {
        let backward = match direction {
            Direction::Forward => self.lowering.store.boolean(false),
            Direction::Either => {
                let (to, from) = (self.read(memory.to), self.read(from));
                self.lowering.store.unsigned_less(from, to)
            }
        };
        let backward = self.bit(backward);
        let backward = self.kept("backward", backward);
        let counter = self.begin_loop(memory)?;
        self.loop_body(memory, counter, |body, (at, offset)| {
            let from = body.lowering.store.symbol(from);
            // Backward, the cells are taken from the end.
            let flag = body.lowering.store.symbol(backward);
            let flag = body.is_one(flag);
            let back = body.offset_at_the_end(counter, memory.bits);
            let offset = body.lowering.store.choose(flag, back, offset);
            let base = body.lowering.store.symbol(counter.to);
            let _ = at;
            let at = body.lowering.store.binary(Operator::Add, base, offset);
            let from = body.lowering.store.binary(Operator::Add, from, offset);
            let content = body.read_shadowed(&Access { offset: 0, bits: memory.bits, region: source }, from);
            body.write_shadowed(&Access { offset: 0, bits: memory.bits, region: memory.target }, at, content);
        });
        Ok(())
    }

    fn offset_at_the_end(&mut self, counter: Counter, bits: u32) -> Term {
        let pointer = self.lowering.pointer_bits();
        let store = &mut self.lowering.store;
        let (end, at) = (store.symbol(counter.end), store.symbol(counter.at));
        let cell = store.bits(pointer, u128::from(bits / 8));
        let rest = store.binary(Operator::Subtract, end, at);
        store.binary(Operator::Subtract, rest, cell)
    }

    /// A value in a variable of its own.
    pub fn kept(&mut self, name: &str, value: Term) -> Symbol {
        let width = self.lowering.store.width(value);
        let symbol = self.temporary(name, width);
        self.write(symbol, value);
        symbol
    }

    fn begin_loop(&mut self, memory: &Looped) -> Step<Counter> {
        let pointer = self.lowering.pointer_bits();
        let zero = self.lowering.store.bits(pointer, 0);
        let (at, end, to) = (self.kept("i", zero), memory.bytes, memory.to);
        self.cut(Cut::Call);
        if memory.bits > 8 {
            self.whole_cells_only(end, memory.bits);
        }
        Ok(Counter { at, end, to })
    }

    /// A part of a cell cannot be copied.
    fn whole_cells_only(&mut self, end: Symbol, bits: u32) {
        let pointer = self.lowering.pointer_bits();
        let store = &mut self.lowering.store;
        let (end, mask) = (store.symbol(end), store.bits(pointer, u128::from(bits / 8 - 1)));
        let rest = store.binary(Operator::And, end, mask);
        let zero = store.bits(pointer, 0);
        let whole = store.equal(rest, zero);
        let broken = store.not(whole);
        let from = self.pending().from;
        let (middle, to) = (self.new_location(), self.new_location());
        let places: Vec<_> = self.place.into_iter().collect();
        let guard = Block { guard: broken, updates: Vec::new(), inputs: Vec::new() };
        let action = Action::Block(guard);
        self.edge(Edge { from, to: middle, action, property: None, places: places.clone() });
        let action = Action::Unsupported("copying or setting a part of a cell of memory".into());
        self.edge(Edge { from: middle, to, action, property: None, places });
        self.assume(whole);
    }

    fn loop_body(&mut self, memory: &Looped, counter: Counter, step: impl FnOnce(&mut Self, (Term, Term))) {
        let pointer = self.lowering.pointer_bits();
        let head = self.new_location();
        self.leave(head, None, &[]);
        self.restart(head);
        let store = &mut self.lowering.store;
        let (at, end, to) = (store.symbol(counter.at), store.symbol(counter.end), store.symbol(counter.to));
        let more = store.unsigned_less(at, end);
        let done = store.not(more);
        self.assume(more);
        let address = self.lowering.store.binary(Operator::Add, to, at);
        step(self, (address, at));
        let cell = self.lowering.store.bits(pointer, u128::from(memory.bits / 8));
        let next = self.lowering.store.binary(Operator::Add, at, cell);
        self.write(counter.at, next);
        self.leave(head, None, &[]);
        self.restart(head);
        self.assume(done);
        let behind = self.new_location();
        self.leave(behind, None, &[]);
        self.restart(behind);
    }
}

fn target(piece: &Piece) -> Access {
    Access { offset: piece.offset, bits: piece.bits, region: piece.to }
}

/// What is written and what is read, part by part.
fn both_sides(pieces: &[Piece]) -> Vec<(Access, Access)> {
    let sides = |piece: &Piece| {
        let source = Access { region: piece.from.expect("a copy has a source"), ..target(piece) };
        parts(&target(piece)).into_iter().zip(parts(&source)).collect::<Vec<_>>()
    };
    pieces.iter().flat_map(sides).collect()
}

/// Memory that a loop writes.
struct Looped {
    bits: u32,
    to: Symbol,
    bytes: Symbol,
    target: RegionId,
}

/// The variables of a loop.
#[derive(Clone, Copy)]
struct Counter {
    at: Symbol,
    end: Symbol,
    to: Symbol,
}
