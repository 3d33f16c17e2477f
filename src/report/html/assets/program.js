// The program: its source with the invariants that prove it, and the Boolean program beside it, line to line.

/** Which lines of C each line of a Boolean program comes from, as its comments say: `// lock.c:20-21`. */
function originsOf(lines, file) {
  const name = baseName(file);
  return lines.map(line => {
    const match = /\/\/ ([^:\s]+):(\d+)(?:-(\d+))?/.exec(line);
    return match && match[1] === name ? [Number(match[2]), Number(match[3] || match[2])] : null;
  });
}

class ProgramPage {
  constructor(file, line) {
    this.file = file;
    this.line = line;
    this.iteration = run.iterations.length - 1;
  }

  page(page) {
    page.classList.add("fixed");
    if (!sourceLines(this.file)) {
      page.append(this.toolbar(), make("p", { class: "empty" }, `The text of ${run.files[this.file] ? run.files[this.file].name : "this file"} is not in the saved run.`));
      return;
    }
    this.rows = this.annotated();
    this.lines = new List(this.rows.length, number => this.sourceRow(number), { id: "program", class: "list source", "aria-label": "source with invariants" });
    this.lines.resize(this.rows.length, widthOf(this.rows.map(row => row.text), 120));
    const note = plural(run.invariants.filter(one => one.place && one.place[0] === this.file).length, "invariant");
    const panels = [titled("Source", run.language === "c" ? note : null, {}, this.lines.element)];
    if (run.iterations.length) panels.push(this.boolean());
    page.append(this.toolbar(), make("div", { class: panels.length > 1 ? "split two" : "split" }, panels));
    if (this.line) this.choose(this.line, true);
  }

  toolbar() {
    const known = run.files.map((file, number) => [file, number]).filter(([, number]) => sourceLines(number));
    const files = make("select", { "aria-label": "file", onchange: event => { location.hash = `#/program/${event.target.value}`; } }, known.map(([file, number]) => make("option", { value: number, selected: number === this.file }, file.name)));
    const legend = make("span", { class: "muted" }, run.invariants.length ? "Green: what was proven to hold whenever control is there. " : "", run.iterations.length ? "Click a line to see what became of it in the Boolean program." : "");
    return make("div", { class: "toolbar" }, files, legend);
  }

  /** The lines of the file, with invariants above the lines that they belong to. */
  annotated() {
    const above = new Map();
    for (const invariant of run.invariants) {
      if (!invariant.place || invariant.place[0] !== this.file) continue;
      const texts = above.get(invariant.place[1]) || [];
      if (!texts.some(other => other.text === invariant.text)) texts.push(invariant);
      above.set(invariant.place[1], texts);
    }
    const rows = [];
    sourceLines(this.file).forEach((text, number) => {
      const indent = /^\s*/.exec(text)[0];
      for (const invariant of above.get(number + 1) || []) rows.push({ line: number + 1, invariant, text: `${indent}${invariant.is_loop ? "loop: " : ""}${invariant.text}`, indent });
      rows.push({ line: number + 1, text });
    });
    return rows;
  }

  sourceRow(number) {
    const row = this.rows[number];
    const current = row.line === this.line;
    if (row.invariant) {
      const title = `${row.invariant.is_loop ? "loop invariant" : "invariant"} at ${row.invariant.location} of ${row.invariant.procedure}${row.invariant.exact ? "" : "; what was proven says more"}`;
      return make("div", { class: `annotation ${current ? "current" : ""}`, title }, make("span", { class: "marks" }), make("span", { class: "number" }), make("span", { class: "code" }, row.indent, make("b", {}, row.invariant.is_loop ? "↻ " : "⊢ ", row.invariant.text)));
    }
    const properties = run.properties.filter(property => property.place && property.place[0] === this.file && property.place[1] === row.line);
    const worst = ["violated", "unknown", "holds"].find(verdict => properties.some(property => property.verdict === verdict));
    const mark = worst ? make("span", { class: `badge ${worst}`, style: { padding: "0 6px", "font-size": "11px" }, title: properties.map(property => `${property.id}: ${property.verdict}`).join("\n") }, { violated: "✗", unknown: "?", holds: "✓" }[worst]) : null;
    return make("div", { class: `clickable ${current ? "current" : ""}`, "data-line": row.line, onclick: () => this.choose(row.line) }, make("span", { class: "marks" }, mark), make("span", { class: "number" }, String(row.line)), make("span", { class: "code" }, coloured(row.text)));
  }

  boolean() {
    const chooser = make("select", { "aria-label": "iteration", onchange: event => { this.iteration = Number(event.target.value); this.fill(); } }, run.iterations.map((_, number) => make("option", { value: number, selected: number === this.iteration }, `iteration ${number}`)));
    this.other = new List(0, number => this.booleanRow(number), { id: "boolean", "aria-label": "Boolean program" });
    this.fill();
    return titled("Boolean program", chooser, {}, this.other.element);
  }

  fill() {
    this.text = booleanProgram(this.iteration) || ["// it was left out of the saved run"];
    this.origins = originsOf(this.text, this.file);
    this.other.resize(this.text.length, widthOf(this.text, 70));
  }

  booleanRow(number) {
    const origin = this.origins[number];
    const current = origin && this.line >= origin[0] && this.line <= origin[1];
    return make("div", { class: `${origin ? "clickable" : ""} ${current ? "current" : ""}`, onclick: origin ? () => this.choose(origin[0]) : null }, make("span", { class: "number" }, String(number + 1)), make("span", { class: "code" }, coloured(this.text[number], "boolean")));
  }

  choose(line, quietly) {
    this.line = line;
    this.lines.refresh();
    this.lines.reveal(this.rows.findIndex(row => row.line === line && !row.invariant));
    if (this.other) {
      const first = this.origins.findIndex(origin => origin && origin[0] <= line && line <= origin[1]);
      this.other.refresh();
      if (first >= 0) this.other.reveal(first);
    }
    if (!quietly) history.replaceState(null, "", `#/program/${this.file}/${line}`);
  }

  key(event) {
    const move = { j: 1, k: -1 }[event.key];
    if (!move || !this.lines) return false;
    this.choose(Math.max(1, Math.min(sourceLines(this.file).length, (this.line || 0) + move)));
    return true;
  }
}
