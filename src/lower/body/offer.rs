//! Events are offered to the checks, and what they answer becomes part of the program.
//!
//! This is the only place that knows what an answer means (the table is in [`checks`](crate::checks)). Every instruction that
//! accesses memory must have offered that when it is lowered: `points_to` says which ones do, and what was forgotten is
//! offered as [`Event::UnofferedAccess`], which no check can answer.

use crate::checks::code::{Code, Tracking, Whole};
use crate::checks::held::Held;
use crate::checks::{Answer, Condition, Cut, Event, LockStep, Manner, Topic, Unasked};
use crate::ground::fault::{Fault, Meaning};
use crate::ir::analysis::points_to::{Origin, PointsTo, RegionId, RegionKind, Site, Transfer};
use crate::ir::{FunctionId, Module, Operand, Place, Type};
use crate::lower::body::{Body, Dead, Step, numbers};
use crate::lower::claims::Claim;
use crate::lower::memory::{lifetimes, single};
use crate::lower::shadow;
use crate::program::{Action, Block, Edge, PropertyKind, Role};
use crate::term::{Sort, Store, Symbol, Term};
use std::collections::BTreeSet;

impl<'m> Body<'_, 'm> {
    /// Something happens. Control may end here, if a check says that this is always a fault.
    pub fn offer(&mut self, event: &Event<'_, 'm>) -> Step {
        self.offered |= event.topic() == Topic::Access;
        let mut checks = std::mem::take(&mut self.lowering.checks.all);
        let mut step = Ok(());
        for check in checks.iter_mut().filter(|check| check.concerns().contains(&event.topic())) {
            let answer = check.offer(event, self);
            step = self.decided(check.fault(), answer);
            if step.is_err() {
                break;
            }
        }
        self.lowering.checks.all = checks;
        step
    }

    /// Something happens after which control goes on in any case.
    pub fn tell(&mut self, event: &Event<'_, 'm>) {
        let step = self.offer(event);
        debug_assert!(step.is_ok(), "{event:?} ends control");
    }

    /// What is done next depends on a value.
    pub fn depends_on(&mut self, operand: &'m Operand) {
        self.tell(&Event::Use(operand));
    }

    /// The environment gets all of these.
    pub fn gives(&mut self, arguments: &'m [(Operand, Type)]) {
        arguments.iter().for_each(|(operand, _)| self.depends_on(operand));
    }

    /// Bytes from addresses on are accessed, unless there are none: neither may be open, but for the addresses then.
    pub fn block_is_used(&mut self, addresses: [Option<&'m Operand>; 2], bytes: &'m Operand) {
        self.depends_on(bytes);
        for address in addresses.into_iter().flatten() {
            self.tell(&Event::UseUnlessEmpty { address, bytes });
        }
    }

    /// The instruction at hand is lowered: if it accesses memory, somebody must have offered that.
    pub fn offer_what_is_left(&mut self) {
        let accesses = !self.lowering.points.accesses(self.site).is_empty()
            || !matches!(self.lowering.points.copy(self.site), Transfer::Nowhere);
        if accesses && !self.offered {
            self.tell(&Event::UnofferedAccess);
        }
    }

    fn decided(&mut self, fault: Fault, answer: Answer) -> Step {
        let asked = self.lowering.asks(fault);
        let ends = fault.without_check() == Meaning::EndsTheRun;
        match answer {
            Answer::Never | Answer::Asserted => {}
            Answer::If(condition) => self.decided_if(fault, condition),
            Answer::Always(claim) if asked => {
                self.cut(Cut::Plain);
                self.property(PropertyKind::Fault(fault), claim.into(), None);
                return Err(Dead);
            }
            Answer::Always(what) | Answer::Unseen(what) => self.lowering.without(fault, self.place, what),
            Answer::Unmodelled(what) => return self.unsupported(what),
            Answer::Unanswered if asked || ends => {
                self.lowering.without(fault, self.place, "what no check looks at");
            }
            Answer::Unanswered => {}
        }
        Ok(())
    }

    fn decided_if(&mut self, fault: Fault, condition: Condition) {
        if self.lowering.store.truth(condition.holds) == Some(false) {
            return;
        }
        let asked = self.lowering.asks(fault);
        let mut holds = condition.holds;
        if asked {
            holds = self.settled(holds);
            let id = self.property(PropertyKind::Fault(fault), fault.claim().into(), Some(holds));
            let Condition { subject, accessed, .. } = condition;
            self.lowering.claims.subjects.insert(id, Claim { subject, accessed });
        } else if fault.without_check() == Meaning::EndsTheRun {
            self.lowering.without(fault, self.place, fault.claim());
        } else {
            return;
        }
        if asked || condition.unasked == Unasked::Excluded {
            let fine = self.lowering.store.not(holds);
            self.assume(fine);
        }
    }
}

/// Asks the lowering.
macro_rules! of_the_whole {
    ($(fn $name:ident(&self $(, $argument:ident: $ty:ty)*) -> $result:ty;)*) => {
        $(fn $name(&self $(, $argument: $ty)*) -> $result {
            Whole::$name(&*self.lowering $(, $argument)*)
        })*
    };
}

impl Whole for Body<'_, '_> {
    of_the_whole! {
        fn module(&self) -> &Module;
        fn points(&self) -> &PointsTo;
        fn pointer_bits(&self) -> u32;
        fn threaded(&self) -> bool;
        fn asks(&self, fault: Fault) -> bool;
        fn fixed(&self, origin: Origin) -> Option<(u64, u64)>;
        fn name_of(&self, origin: Origin) -> Option<String>;
        fn end_of_fixed(&self) -> u64;
        fn is_tracked(&self, origin: Origin) -> bool;
        fn tracking(&self) -> Option<Tracking>;
        fn life(&self, origin: Origin) -> Option<Symbol>;
        fn may_be_missed(&self, origin: Origin, function: FunctionId) -> bool;
        fn what_lives(&self) -> Vec<Symbol>;
        fn region(&self, region: RegionId) -> (Symbol, RegionKind);
        fn is_shared(&self, region: RegionId) -> bool;
        fn accessed(&self, site: Site) -> Vec<(RegionId, Manner)>;
        fn is_of_pthread(&self, site: Site) -> bool;
        fn atomicity(&self) -> (&BTreeSet<Site>, &BTreeSet<Site>);
        fn sites(&self) -> Vec<Site>;
        fn lock_step(&self, site: Site) -> Option<LockStep>;
        fn may_run_in_thread(&self, function: FunctionId) -> bool;
    }

    fn store(&mut self) -> &mut Store {
        &mut self.lowering.store
    }

    fn ghost(&mut self, name: &str, sort: Sort, role: Role) -> Symbol {
        Whole::ghost(self.lowering, name, sort, role)
    }

    fn uncovered(&mut self, fault: Fault, place: Option<Place>, what: &'static str) {
        self.lowering.without(fault, place, what);
    }

    fn held(&mut self) -> &mut Held {
        &mut self.lowering.checks.held
    }
}

impl<'m> Code<'m> for Body<'_, 'm> {
    fn site(&self) -> Site {
        self.site
    }

    fn term(&mut self, operand: &'m Operand) -> Term {
        Body::term(self, operand)
    }

    fn numbers(&mut self, [left, right]: [&'m Operand; 2]) -> [Term; 2] {
        let operands = [Body::term(self, left), Body::term(self, right)];
        numbers::of_operands(self, operands)
    }

    fn read(&mut self, symbol: Symbol) -> Term {
        Body::read(self, symbol)
    }

    fn write(&mut self, symbol: Symbol, value: Term) {
        Body::write(self, symbol, value);
    }

    fn cut_here(&mut self, cut: Cut) {
        self.cut(cut);
    }

    fn no_verdict_if(&mut self, condition: Term, what: &str) {
        self.unsupported_if(condition, what);
    }

    fn no_verdict_beside(&mut self, condition: Term, what: &str) {
        self.unsupported_beside(condition, what);
    }

    fn decide(&mut self, fault: Fault, answer: Answer) {
        // A check that gives several answers goes on after all but the last.
        let _ = self.decided(fault, answer);
    }

    /// An edge for each condition, because simple conditions are easier to follow.
    fn claim(&mut self, fault: Fault, violated: &[Term], subject: Term, accessed: Option<u32>) {
        let [first, others @ ..] = violated else { return };
        let id = self.property(PropertyKind::Fault(fault), fault.claim().into(), Some(*first));
        self.lowering.claims.subjects.insert(id, Claim { subject, accessed });
        for &guard in others {
            let (from, to) = (self.pending().from, self.new_location());
            let places = self.place.into_iter().collect();
            let action = Action::Block(Block { guard, updates: Vec::new(), inputs: Vec::new() });
            let edges = &mut self.lowering.procedures[self.procedure].edges;
            let edge = edges.push(Edge { from, to, action, property: Some(id), places });
            self.lowering.claims.properties[id].edges.push((self.procedure, edge));
        }
    }

    fn stop_aside(&mut self, guard: Term, updates: Vec<(Symbol, Term)>) {
        let (from, to) = (self.pending().from, self.new_location());
        let places = self.place.into_iter().collect();
        let action = Action::Block(Block { guard, updates, inputs: Vec::new() });
        self.edge(Edge { from, to, action, property: None, places });
    }

    fn targets(&self) -> Vec<Origin> {
        let regions = self.lowering.points.accesses(self.site).iter().map(|access| access.region);
        let origins =
            regions.flat_map(|region| self.lowering.points.regions()[region].origins.iter().copied());
        origins.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn named(&self, address: &Operand) -> Option<Origin> {
        lifetimes::named(self, address)
    }

    fn undefined_bits(&mut self, operand: &'m Operand) -> Option<Term> {
        shadow::is_shadowed(self, operand).then(|| shadow::term(self, operand))
    }

    fn heap_lives(&mut self, address: Term) -> Option<Term> {
        let tracking = self.lowering.memory.tracking?;
        Some(single::heap_lives(self, tracking, address))
    }
}
