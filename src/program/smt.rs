//! The program model as constrained Horn clauses in SMT-LIB (`boolero emit smt`), for other solvers.
//!
//! Every location is a predicate over the globals and parameters when the procedure was entered, and the globals and
//! locals now; a procedure's exit is then its summary, and a call uses it. The clauses are satisfiable iff no property
//! can be violated and nothing unsupported can be reached, in one thread: to start a thread counts as unsupported. The
//! last assertions say so, one per property: leave out those that are not of interest.
//!
//! Terms that occur twice in a clause are bound by `let`, so that a clause is linear in the size of its edge.

use super::names::ProgramNames;
use super::text::{lines, location_name};
use super::{Action, Block, Edge, LocationId, Procedure, ProcedureId, Program, Scope};
use crate::ground::index::Index;
use crate::term::smtlib::{application, sort};
use crate::term::{Node, Sort, Symbol, Term};
use rustc_hash::FxHashMap;

/// The program as a script that ends with `(check-sat)`.
#[must_use]
pub fn smt(program: &Program) -> String {
    let names = ProgramNames::new(program);
    let globals = program.variables.enumerate();
    let globals = globals.filter(|(_, variable)| variable.scope == Scope::Global).map(|(symbol, _)| symbol);
    let writer = Writer { program, names, globals: globals.collect() };
    let mut text = String::from(
        "; Constrained Horn clauses: satisfiable iff no property is violated and nothing unsupported is reached.\n\
         (set-logic HORN)\n(declare-fun unknown () Bool)\n",
    );
    for property in program.properties.iter() {
        text.push_str(&format!("(declare-fun {} () Bool)\n", violated(&property.id)));
    }
    // All of them first: a clause may use the predicates of any procedure.
    for (id, procedure) in program.procedures.enumerate() {
        text.push_str(&writer.predicates(id, procedure));
    }
    for (id, procedure) in program.procedures.enumerate() {
        text.push_str(&writer.clauses(id, procedure));
    }
    text.push_str("\n; The run starts here.\n");
    text.push_str(&writer.start());
    text.push_str("\n; What must not happen.\n(assert (=> unknown false))\n");
    for property in program.properties.iter() {
        text.push_str(&format!("(assert (=> {} false))\n", violated(&property.id)));
    }
    text.push_str("(check-sat)\n");
    text
}

fn violated(property: &str) -> String {
    quoted(&format!("violated {property}"))
}

fn quoted(name: &str) -> String {
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

struct Writer<'p> {
    program: &'p Program,
    names: ProgramNames<'p>,
    globals: Vec<Symbol>,
}

/// A clause in the making.
#[derive(Default)]
struct Clause {
    variables: Vec<(String, Sort)>,
    /// Bindings of shared terms, in order.
    bindings: Vec<(String, String)>,
    premises: Vec<String>,
}

impl Clause {
    fn text(&self, conclusion: &str) -> String {
        let premise = match self.premises.as_slice() {
            [] => "true".to_string(),
            [one] => one.clone(),
            several => format!("(and {})", several.join(" ")),
        };
        let bindings: String =
            self.bindings.iter().map(|(name, value)| format!("(let (({name} {value})) ")).collect();
        let mut body = format!("{bindings}(=> {premise} {conclusion}){}", ")".repeat(self.bindings.len()));
        if !self.variables.is_empty() {
            let variables: Vec<String> =
                self.variables.iter().map(|(name, of)| format!("({name} {})", sort(*of))).collect();
            body = format!("(forall ({}) {body})", variables.join(" "));
        }
        format!("(assert {body})\n")
    }
}

/// Texts for the values of variables that differ from their names.
type Changed = FxHashMap<Symbol, String>;

impl Writer<'_> {
    fn name(&self, symbol: Symbol) -> String {
        quoted(self.names.name(symbol))
    }

    /// The name of a variable at the entry of its procedure, or after a call, or in what is called.
    fn marked(&self, symbol: Symbol, mark: &str) -> String {
        quoted(&format!("{}{mark}", self.names.name(symbol)))
    }

    fn sort(&self, symbol: Symbol) -> Sort {
        self.program.store.sort_of_symbol(symbol)
    }

    fn predicate(&self, id: ProcedureId, location: LocationId) -> String {
        let procedure = &self.program.procedures[id];
        quoted(&format!("{} {}", self.names.procedure(id), location_name(procedure, location)))
    }

    fn predicates(&self, id: ProcedureId, procedure: &Procedure) -> String {
        let entered = self.globals.iter().chain(&procedure.parameters);
        let now = self.globals.iter().chain(&procedure.locals);
        let sorts: Vec<String> = entered.chain(now).map(|&symbol| sort(self.sort(symbol))).collect();
        let declare =
            |location| format!("(declare-fun {} ({}) Bool)\n", self.predicate(id, location), sorts.join(" "));
        procedure.locations.ids().map(declare).collect()
    }

    fn clauses(&self, id: ProcedureId, procedure: &Procedure) -> String {
        let mut text = format!("\n; Procedure {}\n", procedure.name);
        for edge in procedure.edges.iter() {
            let place = lines(self.program, &edge.places);
            if !place.is_empty() {
                text.push_str(&format!("; {place}\n"));
            }
            text.push_str(&self.edge(id, edge));
        }
        text
    }

    /// An atom: the predicate of a location in a state.
    fn at(&self, id: ProcedureId, location: LocationId, changed: &Changed) -> String {
        let procedure = &self.program.procedures[id];
        let entered =
            self.globals.iter().chain(&procedure.parameters).map(|&symbol| self.marked(symbol, "@entry"));
        let now = self.globals.iter().chain(&procedure.locals);
        let now = now.map(|symbol| changed.get(symbol).cloned().unwrap_or_else(|| self.name(*symbol)));
        atom(self.predicate(id, location), entered.chain(now))
    }

    /// A clause whose first premise is that the start of the edge is reached.
    fn from(&self, id: ProcedureId, edge: &Edge) -> Clause {
        let procedure = &self.program.procedures[id];
        let mut clause = Clause::default();
        for &symbol in self.globals.iter().chain(&procedure.parameters) {
            clause.variables.push((self.marked(symbol, "@entry"), self.sort(symbol)));
        }
        for &symbol in self.globals.iter().chain(&procedure.locals) {
            clause.variables.push((self.name(symbol), self.sort(symbol)));
        }
        clause.premises.push(self.at(id, edge.from, &Changed::default()));
        clause
    }

    fn edge(&self, id: ProcedureId, edge: &Edge) -> String {
        let mut clause = self.from(id, edge);
        let mut changed = Changed::default();
        match &edge.action {
            Action::Block(block) => self.block(&mut clause, block, &mut changed),
            Action::Call { procedure, arguments, result } => {
                return self.call(id, edge, *procedure, arguments, *result);
            }
            Action::AtomicBegin | Action::AtomicEnd => {}
            Action::End => return "; the run ends\n".into(),
            Action::Start { .. } => return format!("; unsupported: a thread\n{}", clause.text("unknown")),
            Action::Unsupported(text) => {
                let text = text.replace('\n', " ");
                return format!("; unsupported: {text}\n{}", clause.text("unknown"));
            }
        }
        match edge.property {
            Some(property) => clause.text(&violated(&self.program.properties[property].id)),
            None => clause.text(&self.at(id, edge.to, &changed)),
        }
    }

    fn block(&self, clause: &mut Clause, block: &Block, changed: &mut Changed) {
        for &input in &block.inputs {
            clause.variables.push((self.name(input), self.sort(input)));
        }
        let mut terms = vec![block.guard];
        terms.extend(block.updates.iter().map(|&(_, value)| value));
        let texts = self.bind(clause, &terms);
        if !self.names.is_true(block.guard) {
            clause.premises.push(texts[0].clone());
        }
        changed.extend(block.updates.iter().map(|&(symbol, _)| symbol).zip(texts.into_iter().skip(1)));
    }

    fn call(
        &self,
        id: ProcedureId,
        edge: &Edge,
        callee: ProcedureId,
        arguments: &[Term],
        result: Option<Symbol>,
    ) -> String {
        let called = &self.program.procedures[callee];
        let mut enters = self.from(id, edge);
        let arguments = self.bind(&mut enters, arguments);
        let mut returns = Clause { bindings: enters.bindings.clone(), ..self.from(id, edge) };
        let now: Vec<String> = self.globals.iter().map(|&symbol| self.name(symbol)).collect();
        let after: Vec<String> = self.globals.iter().map(|&symbol| self.marked(symbol, "@after")).collect();
        let inner: Vec<String> = called.locals.iter().map(|&symbol| self.marked(symbol, "@called")).collect();
        let passed: FxHashMap<Symbol, String> =
            called.parameters.iter().copied().zip(arguments.iter().cloned()).collect();
        for (&symbol, name) in called.locals.iter().zip(&inner) {
            if !passed.contains_key(&symbol) {
                enters.variables.push((name.clone(), self.sort(symbol)));
            }
            returns.variables.push((name.clone(), self.sort(symbol)));
        }
        returns
            .variables
            .extend(after.iter().cloned().zip(self.globals.iter().map(|&symbol| self.sort(symbol))));
        let entered = || now.iter().chain(&arguments).cloned();
        let locals = called.locals.iter().zip(&inner);
        let locals = locals.map(|(symbol, name)| passed.get(symbol).unwrap_or(name).clone());
        let entry =
            atom(self.predicate(callee, called.entry), entered().chain(now.iter().cloned()).chain(locals));
        let exit = entered().chain(after.iter().cloned()).chain(inner.iter().cloned());
        returns.premises.push(atom(self.predicate(callee, called.exit), exit));
        let mut changed: Changed = self.globals.iter().copied().zip(after.iter().cloned()).collect();
        if let (Some(target), Some(returned)) = (result, called.result) {
            changed.insert(target, self.marked(returned, "@called"));
        }
        format!("{}{}", enters.text(&entry), returns.text(&self.at(id, edge.to, &changed)))
    }

    /// The run starts at the entry, with arbitrary values.
    fn start(&self) -> String {
        let id = self.program.entry;
        let procedure = &self.program.procedures[id];
        let mut clause = Clause::default();
        for &symbol in self.globals.iter().chain(&procedure.locals) {
            clause.variables.push((self.name(symbol), self.sort(symbol)));
        }
        let entered = self.globals.iter().map(|&symbol| self.name(symbol));
        let now = self.globals.iter().chain(&procedure.locals).map(|&symbol| self.name(symbol));
        clause.text(&atom(self.predicate(id, procedure.entry), entered.chain(now)))
    }

    /// Texts of terms; what is used more than once is bound.
    fn bind(&self, clause: &mut Clause, roots: &[Term]) -> Vec<String> {
        let store = &self.program.store;
        let order = store.reachable(roots);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let operands = order.iter().flat_map(|&term| store.node(term).operands());
        operands.chain(roots.iter().copied()).for_each(|term| *uses.entry(term).or_default() += 1);
        let mut texts: FxHashMap<Term, String> = FxHashMap::default();
        for term in order {
            let operands: Vec<&str> =
                store.node(term).operands().map(|operand| texts[&operand].as_str()).collect();
            let text = match store.node(term) {
                Node::Symbol(symbol) => self.name(symbol),
                _ => application(store, term, &operands),
            };
            let shared = !operands.is_empty() && (uses[&term] > 1 || text.len() > LONG);
            let text = if shared {
                let name = format!("t!{}", term.index());
                clause.bindings.push((name.clone(), text));
                name
            } else {
                text
            };
            texts.insert(term, text);
        }
        roots.iter().map(|root| texts[root].clone()).collect()
    }
}

/// Longer texts are bound even if they are used once, so that deep terms are not copied at every level.
const LONG: usize = 200;

fn atom(predicate: String, arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    if arguments.is_empty() { predicate } else { format!("({predicate} {})", arguments.join(" ")) }
}
