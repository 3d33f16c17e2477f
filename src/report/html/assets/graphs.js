// Graphs: the automaton of each procedure with the way of a violation, and the call graph. With pan and zoom.

const MOST_DRAWN = 260;

/** A drawing that is moved by dragging and by keys, and zoomed by the wheel and by keys. */
class Drawing {
  constructor(content, size) {
    this.content = content;
    this.svg = make("svg", { role: "img", "aria-label": "graph" }, make("defs", {}, ["", "error"].map(kind => make("marker", { id: `arrow${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, make("path", { d: "M0,0.5 L10,5 L0,9.5 z", style: `fill: var(${kind ? "--bad" : "--muted"})` })))), content);
    this.element = make("div", { class: "graph", tabindex: "0", id: "graph" }, this.svg);
    this.size = size;
    this.element.addEventListener("wheel", event => {
      event.preventDefault();
      const box = this.element.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.element.addEventListener("pointerdown", event => { this.from = [event.clientX, event.clientY]; });
    this.element.addEventListener("pointermove", event => {
      if (!this.from || !event.buttons) return;
      this.move(event.clientX - this.from[0], event.clientY - this.from[1]);
      this.from = [event.clientX, event.clientY];
    });
    this.element.addEventListener("pointerup", () => { this.from = null; });
    this.observer = new ResizeObserver(() => { if (!this.fitted && this.element.clientWidth) this.fit(); });
    this.observer.observe(this.element);
  }
  draw() { this.content.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`); }
  move(x, y) { this.x += x; this.y += y; this.draw(); }
  zoom(factor, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2) {
    const scale = Math.max(.05, Math.min(4, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.draw();
  }
  fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.fitted = true;
    this.scale = Math.max(.7, Math.min(1.15, (width - 40) / (this.size.width + 1), (height - 40) / (this.size.height + 1)));
    this.x = width / 2 - this.scale * (this.size.left + this.size.width / 2);
    this.y = this.scale * this.size.height + 40 > height ? 24 : (height - this.scale * this.size.height) / 2 + 10;
    this.draw();
  }
  key(event) {
    const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (moves[event.key]) this.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(.8);
    else if (event.key === "0") this.fit();
    else return false;
    return true;
  }
}

const clipped = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** A smooth line through points, from top to bottom. */
function wire(points) {
  let path = `M${points[0][0]},${points[0][1]}`;
  for (let at = 1; at < points.length; at++) {
    const [x, y] = points[at - 1], [to, below] = points[at], middle = (y + below) / 2;
    path += ` C${x},${middle} ${to},${middle} ${to},${below}`;
  }
  return path;
}

/** The statements that the chosen way takes: of a violation, else of the last abstract counterexample. */
function wayThrough() {
  const violated = run.counterexamples.find(one => one.statements.length);
  if (violated) return { statements: new Set(violated.statements), text: `red: the run that violates ${violated.property}` };
  const studied = run.iterations.findLast(one => one.studies.some(study => study.path));
  if (!studied) return { statements: new Set(), text: "" };
  const study = studied.studies.find(other => other.path);
  return { statements: new Set(study.path.map(step => step[1])), text: "red: the last abstract counterexample, which has no run" };
}

/** An automaton: locations are round, statements are boxes between them. */
function automaton(procedure, way) {
  const nodes = [], edges = [];
  const used = new Set(procedure.statements.flatMap(number => [run.statements[number].from, run.statements[number].to]));
  for (const [name, line] of Object.entries(procedure.locations)) {
    if (used.has(name) || procedure.statements.length === 0) nodes.push({ id: name, width: Math.max(34, 9 * name.length + 14), height: 26, name, line });
  }
  for (const number of procedure.statements) {
    const statement = run.statements[number];
    const text = clipped(statement.text || "skip", 64), id = `statement ${number}`;
    nodes.push({ id, width: 7.4 * text.length + 22, height: 26, text, statement, error: way.has(number) });
    edges.push({ from: statement.from, to: id, error: way.has(number) }, { from: id, to: statement.to, error: way.has(number), arrow: true });
  }
  return draw(nodes, edges);
}

function draw(nodes, edges) {
  const size = layout(nodes, edges);
  const reached = new Set(edges.filter(edge => edge.error).flatMap(edge => [edge.from, edge.to]));
  const shorten = (edge, points) => {
    const target = nodes.find(node => node.id === edge.to), source = nodes.find(node => node.id === edge.from);
    const fixed = points.map(point => [...point]);
    const end = fixed.length - 1, up = fixed[end - 1][1] > fixed[end][1];
    fixed[end][1] += (up ? 1 : -1) * (target.height / 2 + 1);
    fixed[0][1] += (up && fixed.length === 2 || fixed[1][1] < fixed[0][1] ? -1 : 1) * source.height / 2;
    return fixed;
  };
  const wires = edges.filter(edge => edge.points).map(edge => make("path", { class: `wire ${edge.error ? "error" : ""}`, d: wire(shorten(edge, edge.points)), "marker-end": edge.arrow ? `url(#arrow${edge.error ? "error" : ""})` : null }));
  const shapes = nodes.map(node => {
    const round = node.name !== undefined;
    const violates = node.statement && node.statement.violates;
    const place = node.statement ? node.statement.place : node.place;
    const title = node.statement ? `${spotText(place)}\n${node.statement.text}${violates ? `\nviolates ${violates}` : ""}` : node.title || (node.line ? `${node.name}, before line ${node.line}` : node.name);
    const go = node.go || (place ? `#/program/${place[0]}/${place[1]}` : null);
    return make("g", { class: (node.error || reached.has(node.id)) ? "error" : "", tabindex: go ? "0" : null, style: go ? "cursor: pointer" : null, onclick: go ? () => { location.hash = go; } : null, onkeydown: event => { if (go && event.key === "Enter") location.hash = go; } },
      make("title", {}, title), make("rect", { class: `${round ? "spot" : "box"} ${violates ? "violates" : ""}`, x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height, rx: round ? 13 : 5 }),
      make("text", { x: node.x, y: node.y + 4, "text-anchor": "middle" }, round ? node.name : node.text));
  });
  return new Drawing(make("g", {}, wires, shapes), size);
}

/** Who calls or starts whom. */
function callGraph() {
  const edges = new Map();
  for (const procedure of run.procedures) {
    for (const number of procedure.statements) {
      const { procedure: from, calls } = run.statements[number];
      if (calls) edges.set(`${from}\n${calls}`, { from, to: calls, arrow: true });
    }
  }
  const names = new Set(run.procedures.map(procedure => procedure.name));
  for (const { to } of edges.values()) names.add(to);
  const nodes = [...names].map(name => ({ id: name, name, width: 7.6 * name.length + 26, height: 28, go: `#/graph/${encodeURIComponent(name)}`, title: `the automaton of ${name}` }));
  return draw(nodes, [...edges.values()]);
}

class GraphPage {
  constructor(name) { this.name = name; }

  page(page) {
    page.classList.add("fixed");
    if (!run.procedures.length) { page.append(make("p", { class: "empty" }, "The automata are not in the saved run.")); return; }
    const way = wayThrough();
    const busiest = [...run.procedures].sort((one, other) => other.statements.length - one.statements.length)[0];
    const name = this.name || "";
    const procedure = run.procedures.find(one => one.name === name);
    const options = [["", "call graph"], ...run.procedures.map(one => [one.name, `${one.name} (${plural(one.statements.length, "statement")})`])];
    const chooser = make("select", { id: "which", "aria-label": "graph", onchange: event => { location.hash = `#/graph/${encodeURIComponent(event.target.value)}`; } }, options.map(([value, text]) => make("option", { value, selected: value === name }, text)));
    const place = make("section", { class: "panel", style: { flex: "1", "min-height": "0", padding: "0", display: "flex", overflow: "hidden" } });
    const show = () => { this.drawing = procedure ? automaton(procedure, way.statements) : callGraph(); place.replaceChildren(this.drawing.element); };
    const zoom = (text, title, factor) => make("button", { title, "aria-label": title, onclick: () => this.drawing && (factor ? this.drawing.zoom(factor) : this.drawing.fit()) }, text);
    const note = procedure && way.statements.size ? way.text : procedure ? "" : `click a procedure for its automaton; the largest is ${busiest.name}`;
    page.append(make("div", { class: "toolbar" }, chooser, zoom("+", "zoom in (+)", 1.25), zoom("−", "zoom out (−)", .8), zoom("fit", "fit (0)", 0), make("span", { class: "muted" }, note)), place);
    if (procedure && procedure.statements.length > MOST_DRAWN) {
      place.append(make("p", { class: "empty", style: { margin: "auto" } }, `It has ${procedure.statements.length} statements. `, make("button", { onclick: show }, "draw it all the same")));
    } else show();
  }

  key(event) { return this.drawing ? this.drawing.key(event) : false; }
}
