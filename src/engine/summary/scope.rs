//! What is in scope in a procedure, and which of it crosses its borders [Bas10, 10.9].
//!
//! A procedure sees its locals and those globals that it or its callees touch; any other global passes by it.
//! What is live at its entry are its *inputs*; those of them that it may write need an entry copy in its path
//! edges. The globals that it may write are its *outputs*. A procedure that nobody calls needs no summaries,
//! hence no inputs and no outputs.

use crate::boolean::cfg::{NodeId, ProcedureId, Program, PropertyId, VariableId};
use crate::boolean::dataflow::calls::CallGraph;
use crate::boolean::dataflow::effects::Effects;
use crate::boolean::dataflow::liveness::Liveness;
use crate::boolean::dataflow::modref::ModRef;
use crate::ground::index::{Index, IndexVec};

/// The scope of one procedure. All lists are sorted.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// It is called, so it is summarised.
    pub summarised: bool,
    /// Everything in scope.
    pub variables: Vec<VariableId>,
    /// Its parameters and locals.
    pub locals: Vec<VariableId>,
    /// Globals whose value at the entry matters.
    pub input_globals: Vec<VariableId>,
    /// Parameters whose value at the entry matters.
    pub input_parameters: Vec<VariableId>,
    /// Inputs that it may change: they have an entry copy.
    pub changed: Vec<VariableId>,
    /// Parameters that matter and are never changed: their current value is that at the entry.
    pub kept_locals: Vec<VariableId>,
    /// Globals that it may change.
    pub outputs: Vec<VariableId>,
}

/// The scopes of a program.
pub struct Scopes {
    scopes: IndexVec<ProcedureId, Scope>,
    liveness: Liveness,
    /// Numbers the procedures, callees before callers.
    pub depth: IndexVec<ProcedureId, u32>,
}

impl Scopes {
    /// The scopes of a program of which these properties are checked.
    pub fn new(program: &Program, checked: &[PropertyId]) -> Self {
        let calls = CallGraph::new(program);
        let touched = ModRef::new(program, &calls);
        let liveness = Liveness::with_inputs(program, &calls, &touched, checked);
        let written = written_locals(program);
        let scope = |procedure| scope(program, procedure, &calls, &touched, &liveness, &written);
        let scopes = program.procedures.ids().map(scope).collect();
        let component =
            |procedure| u32::try_from(calls.component_of(procedure)).expect("fewer than 2^32 procedures");
        let depth = program.procedures.ids().map(component).collect();
        Self { scopes, liveness, depth }
    }

    /// The scope of a procedure.
    pub fn of(&self, procedure: ProcedureId) -> &Scope {
        &self.scopes[procedure]
    }

    /// The variables whose current value a path edge at a node need not tell: they are dead, and their current
    /// value is not also their value at the entry.
    pub fn forgettable(&self, procedure: ProcedureId, node: NodeId) -> Vec<VariableId> {
        let scope = self.of(procedure);
        let live = self.liveness.live_before(node);
        let is_input = |variable: &VariableId| {
            scope.input_globals.binary_search(variable).is_ok()
                || scope.kept_locals.binary_search(variable).is_ok()
        };
        let is_entry_value =
            |variable: &VariableId| is_input(variable) && scope.changed.binary_search(variable).is_err();
        let dead = scope.variables.iter().filter(|&&variable| !live.contains(variable));
        dead.filter(|variable| !is_entry_value(variable)).copied().collect()
    }
}

/// For every variable, whether its own procedure (for a global: any) writes it.
fn written_locals(program: &Program) -> Vec<bool> {
    let mut written = vec![false; program.variables.len()];
    for node in program.nodes.ids() {
        for variable in Effects::of(program, node).writes {
            written[variable.index()] = true;
        }
    }
    written
}

fn scope(
    program: &Program,
    procedure: ProcedureId,
    calls: &CallGraph,
    touched: &ModRef,
    liveness: &Liveness,
    written: &[bool],
) -> Scope {
    let body = &program.procedures[procedure];
    let globals: Vec<VariableId> = touched.touched(procedure).iter().collect();
    let mut locals = body.locals.clone();
    locals.sort_unstable();
    let variables = globals.iter().chain(&locals).copied().collect();
    if calls.call_sites(procedure).is_empty() {
        return Scope { variables, locals, ..Scope::default() };
    }
    let live = liveness.live_before(body.entry);
    let input_globals: Vec<_> = globals.into_iter().filter(|&global| live.contains(global)).collect();
    let mut input_parameters = body.parameters().to_vec();
    input_parameters.retain(|&parameter| live.contains(parameter));
    input_parameters.sort_unstable();
    let may_write = touched.may_write(procedure);
    let (changed_parameters, kept_locals): (Vec<_>, Vec<_>) =
        input_parameters.iter().partition(|parameter| written[parameter.index()]);
    let changed_globals = input_globals.iter().copied().filter(|&global| may_write.contains(global));
    let changed = changed_globals.chain(changed_parameters).collect();
    let outputs = may_write.iter().collect();
    Scope {
        summarised: true,
        variables,
        locals,
        input_globals,
        input_parameters,
        changed,
        kept_locals,
        outputs,
    }
}
