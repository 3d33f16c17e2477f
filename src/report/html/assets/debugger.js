// The counterexample as a debugger: schedule, source and state move together.

/** The state of a run, step by step. Going back begins anew: runs are short, and steps are cheap. */
class State {
  constructor(steps) { this.steps = steps; this.reset(); }
  reset() {
    this.at = -1;
    this.globals = new Map(); this.threads = new Map(); this.predicates = new Map(); this.owners = new Map(); this.waiting = new Map();
    this.changed = new Set();
  }
  to(position) {
    if (position < this.at) this.reset();
    while (this.at < position) this.take(this.steps[++this.at]);
  }
  frames(thread) {
    if (!this.threads.has(thread)) this.threads.set(thread, { frames: [], place: null });
    return this.threads.get(thread);
  }
  take(step) {
    this.changed.clear();
    if (step.kind === "gap") {
      // What happened meanwhile is not told: nothing is known any more.
      for (const known of [this.globals, this.threads, this.predicates, this.owners, this.waiting]) known.clear();
      return;
    }
    const own = this.frames(step.thread), frames = own.frames;
    frames.length = Math.min(frames.length, step.kind === "call" && run.language === "c" ? step.depth : step.depth + 1);
    const top = frames[frames.length - 1];
    if (frames.length === step.depth + 1 && top.procedure !== step.procedure) frames.pop();
    if (frames.length < step.depth + 1) frames.push({ procedure: step.procedure, values: new Map() });
    if (step.place) own.place = step.place;
    for (const change of step.changes || []) this.write(step, change);
    for (const value of step.predicates || []) {
      this.predicates.set(value >> 1, value % 2 === 1);
      this.changed.add(`p${value >> 1}`);
    }
    this.locks(step);
  }
  write(step, change) {
    if (change.thread === undefined) {
      this.globals.set(change.name, change.value);
      this.changed.add(`g${change.name}`);
      return;
    }
    const frames = this.frames(change.thread).frames;
    if (!frames.length) frames.push({ procedure: step.procedure, values: new Map() });
    frames[frames.length - 1].values.set(change.name, change.value);
    this.changed.add(`l${change.thread}/${change.name}`);
  }
  /** Who holds a lock: who asked for it when it was free, or has gone on since. */
  locks(step) {
    const waited = this.waiting.get(step.thread);
    if (waited) { this.waiting.delete(step.thread); this.owners.set(waited, step.thread); }
    const match = step.kind === "sync" && /^(\w+)\(&?(.*)\)$/.exec(step.text);
    if (!match) return;
    const [, call, lock] = match;
    if (/^(pthread_mutex_lock|pthread_spin_lock|pthread_rwlock_wrlock|mtx_lock)$/.test(call)) {
      if (this.owners.has(lock) && this.owners.get(lock) !== step.thread) this.waiting.set(step.thread, lock);
      else this.owners.set(lock, step.thread);
    } else if (/^(pthread_mutex_unlock|pthread_spin_unlock|pthread_rwlock_unlock|mtx_unlock)$/.test(call)) this.owners.delete(lock);
  }
}

/** Numbers of the steps at which another thread runs than before. */
function switches(steps) {
  const found = [];
  for (let number = 1; number < steps.length; number++) if (steps[number].thread !== steps[number - 1].thread) found.push(number);
  return found;
}

class Debugger {
  constructor(number) {
    this.number = number;
    this.found = run.counterexamples[number];
    this.steps = this.found.steps;
    this.state = new State(this.steps);
    this.switches = switches(this.steps);
    this.switchAt = new Set(this.switches);
    this.threads = [...new Set(this.steps.map(step => step.thread))].sort((one, other) => one - other);
    this.position = 0;
    this.file = null;
  }

  page(page) {
    page.classList.add("fixed");
    page.append(this.toolbar(), make("div", { class: "split debugger" }, this.schedule(), this.source(), this.states()));
  }

  toolbar() {
    const button = (text, title, id, action) => make("button", { title, id, "aria-label": title, onclick: action }, text);
    const chooser = run.counterexamples.length < 2 ? make("b", { class: "mono" }, this.found.property) : make("select", { "aria-label": "run", onchange: event => { location.hash = `#/run/${event.target.value}/0`; } },
      run.counterexamples.map((one, number) => make("option", { value: number, selected: number === this.number }, one.property)));
    this.slider = make("input", { type: "range", min: 0, max: this.steps.length - 1, value: 0, id: "slider", "aria-label": "step", oninput: event => this.go(Number(event.target.value)) });
    this.label = make("span", { class: "position", id: "position" });
    const other = this.switches.length ? [button("⇤ switch", "to the context switch before (Shift+←)", "previous-switch", () => this.jump(-1)), button("switch ⇥", "to the next context switch (Shift+→)", "next-switch", () => this.jump(1))] : [];
    return make("div", { class: "toolbar" }, chooser, button("|◀", "to the start (Home)", "first", () => this.go(0)), button("◀", "step back (←)", "back", () => this.go(this.position - 1)),
      button("▶", "step forward (→)", "forward", () => this.go(this.position + 1)), button("▶|", "to the violation (End)", "last", () => this.go(this.steps.length - 1)), other, this.slider, this.label);
  }

  schedule() {
    const column = `${Math.max(110, Math.min(190, Math.floor(400 / this.threads.length)))}px`;
    const heads = make("div", { class: "heads" }, make("div", { class: "number" }, "step"), this.threads.map(thread => make("div", {}, threadChip(thread), ` thread ${thread}`)));
    this.rows = new List(this.steps.length, number => this.scheduleRow(number), { id: "schedule", "aria-label": "schedule" });
    this.rows.element.addEventListener("scroll", () => { heads.scrollLeft = this.rows.element.scrollLeft; });
    if (this.threads.length > 1) this.rows.spacer.style.minWidth = `calc(${this.threads.length} * ${column} + 48px)`;
    const count = `${plural(this.threads.length, "thread")}, ${plural(this.switches.length, "context switch", "context switches")}`;
    return titled("Schedule", count, { class: "schedule", style: { "--column": column } }, heads, this.rows.element);
  }

  scheduleRow(number) {
    const step = this.steps[number];
    const cells = this.threads.map(thread => {
      const active = thread === step.thread;
      const indent = active ? "  ".repeat(Math.min(step.depth, 14)) : "";
      return make("div", { class: active ? `cell active ${step.kind}` : "cell", style: { "--hue": hue(thread) }, title: active ? step.text : null }, active ? indent + (step.kind === "violation" ? "✗ " : "") + step.text : "");
    });
    const classes = ["clickable", this.switchAt.has(number) ? "switch" : "", step.kind === "violation" ? "violation" : "", number === this.position ? "current" : ""];
    return make("div", { class: classes.join(" "), "data-step": number, onclick: () => this.go(number) }, make("span", { class: "number" }, String(number + 1)), cells);
  }

  source() {
    this.lines = new List(0, number => this.sourceRow(number), { id: "source", class: "list source", "aria-label": "source" });
    this.fileName = make("span", {});
    return titled("Source", this.fileName, {}, this.lines.element);
  }

  sourceRow(number) {
    const line = number + 1;
    const here = [...this.state.threads].filter(([, own]) => own.place && own.place[0] === this.file && own.place[1] === line);
    const step = this.steps[this.position];
    const current = step.place && step.place[0] === this.file && step.place[1] === line;
    const classes = [current ? "current" : here.length ? "touched" : "", current && step.kind === "violation" ? "violated-here" : ""];
    return make("div", { class: classes.join(" "), "data-line": line }, make("span", { class: "marks" }, here.map(([thread]) => threadChip(thread))), make("span", { class: "number" }, String(line)), make("span", { class: "code" }, coloured(sourceLines(this.file)[number])));
  }

  states() {
    this.panel = make("div", { class: "state", id: "state", tabindex: "0", "aria-live": "polite" });
    return titled("State", "", { class: "states" }, this.panel);
  }

  drawState() {
    const step = this.steps[this.position], state = this.state;
    const table = (title, entries, key, note) => entries.length ? make("div", {}, make("h3", {}, title), make("table", {}, make("tbody", {}, entries.map(([name, value]) => make("tr", { class: state.changed.has(key(name)) ? "changed" : "" }, make("td", {}, name), make("td", {}, value)))))) : note || null;
    const own = state.frames(step.thread);
    const stack = own.frames.map(frame => frame.procedure).reverse().join(" ← ");
    const top = own.frames[own.frames.length - 1];
    const locals = [...state.threads].filter(([thread, other]) => thread !== step.thread && other.frames.length && other.frames[other.frames.length - 1].values.size);
    const predicates = [...state.predicates].filter(([number]) => !run.predicates[number].procedure || run.predicates[number].procedure === step.procedure);
    this.panel.replaceChildren(...[
      make("div", {}, make("h3", {}, "Now"), make("div", { class: "stack" }, threadChip(step.thread), ` ${stack}`), make("div", { class: "mono", id: "now", style: { "margin-top": "4px", color: step.kind === "violation" ? "var(--bad)" : "inherit" } }, step.text)),
      table(`Variables of ${step.procedure}`, top ? [...top.values] : [], name => `l${step.thread}/${name}`),
      table("Variables that all see", [...state.globals], name => `g${name}`),
      predicates.length ? make("div", { id: "predicates" }, make("h3", {}, "Predicates"), make("div", { style: { display: "flex", "flex-wrap": "wrap", gap: "4px" } }, predicates.map(([number, value]) => predicateChip(number, value)))) : null,
      state.owners.size || state.waiting.size ? make("div", { id: "locks" }, make("h3", {}, "Locks"), [...state.owners].map(([lock, thread]) => make("div", {}, make("code", {}, lock), " held by ", threadChip(thread))), [...state.waiting].map(([thread, lock]) => make("div", {}, threadChip(thread), " waits for ", make("code", {}, lock)))) : null,
      ...locals.map(([thread, other]) => table(`Thread ${thread}, in ${other.frames[other.frames.length - 1].procedure}`, [...other.frames[other.frames.length - 1].values], name => `l${thread}/${name}`)),
      step.kind === "violation" ? make("div", { id: "ending" }, make("h3", {}, "How it ends"), make("pre", { style: { "white-space": "pre-wrap", margin: "0" } }, this.found.ending.trim())) : null,
    ].filter(Boolean));
  }

  go(position) {
    this.show(Math.max(0, Math.min(this.steps.length - 1, position)));
    history.replaceState(null, "", `#/run/${this.number}/${this.position}`);
  }

  show(position) {
    this.position = position;
    this.state.to(position);
    const step = this.steps[position];
    this.slider.value = position;
    this.label.textContent = `step ${position + 1} of ${this.steps.length}, thread ${step.thread}`;
    this.rows.refresh();
    this.rows.reveal(position);
    this.drawSource(step);
    this.drawState();
  }

  drawSource(step) {
    const place = step.place || this.state.frames(step.thread).place;
    if (place && sourceLines(place[0])) {
      const lines = sourceLines(place[0]);
      if (this.file !== place[0]) {
        this.file = place[0];
        this.fileName.textContent = run.files[place[0]].name;
        this.lines.resize(lines.length, widthOf(lines, 110));
      }
      this.lines.refresh();
      this.lines.reveal(place[1] - 1);
    } else if (place) this.fileName.textContent = `${run.files[place[0]].name}:${place[1]} (text not saved)`;
  }

  jump(direction) {
    const ahead = direction > 0 ? this.switches.find(at => at > this.position) : this.switches.findLast(at => at < this.position);
    if (ahead !== undefined) this.go(ahead);
  }

  key(event) {
    const moves = { ArrowRight: 1, ArrowLeft: -1, j: 1, k: -1 };
    if (event.shiftKey && moves[event.key]) this.jump(moves[event.key]);
    else if (moves[event.key]) this.go(this.position + moves[event.key]);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.steps.length - 1);
    else if (event.key === "n" || event.key === "p") this.jump(event.key === "n" ? 1 : -1);
    else return false;
    return true;
  }
}
