// What all pages of the report share: elements, text, the data, long lists.

const run = JSON.parse(document.getElementById("run").textContent);

/** An element with attributes and children. Children that are null or false are left out. */
function make(tag, attributes, ...children) {
  const svg = ["svg", "g", "path", "rect", "circle", "text", "title", "line", "polyline", "defs", "marker"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style" && typeof value === "object") {
      for (const [key, setting] of Object.entries(value)) element.style.setProperty(key, setting);
    } else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many || one + "s"}`;
const hue = thread => `var(--t${thread % 8})`;
const threadChip = thread => make("span", { class: "thread", style: { "--hue": hue(thread) }, title: `thread ${thread}` }, String(thread));
const baseName = file => run.files[file].name.split("/").pop();
const spotText = spot => spot ? `${baseName(spot[0])}:${spot[1]}` : "";
const spotLink = spot => spot ? make("a", { href: `#/program/${spot[0]}/${spot[1]}` }, spotText(spot)) : null;
const badge = verdict => make("span", { class: `badge ${verdict}` }, verdict);
const seconds = value => value >= 10 ? `${value.toFixed(1)} s` : value >= 0.0995 ? `${value.toFixed(2)} s` : `${(1000 * value).toFixed(1)} ms`;

/** What a predicate says, with its value. */
function predicateChip(number, value) {
  const predicate = run.predicates[number];
  const where = predicate.procedure ? `in ${predicate.procedure}` : "global";
  const text = value === false ? `${predicate.text} is false` : value === true ? `${predicate.text} is true` : predicate.text;
  return make("span", { class: `chip ${value === undefined ? "" : value}`, title: `${text} (${where}; ${predicate.reason})` }, predicate.text);
}

/** The lines of the Boolean program of an iteration; null if it was left out. */
const programs = [];
function booleanProgram(iteration) {
  for (let next = programs.length; next <= iteration; next++) {
    const hunks = run.iterations[next].program;
    const before = next ? programs[next - 1] : [];
    if (!hunks || !before) { programs.push(null); continue; }
    const lines = [];
    let at = 0;
    for (const [kept, removed, inserted] of hunks) {
      lines.push(...before.slice(at, at + kept), ...inserted);
      at += kept + removed;
    }
    lines.push(...before.slice(at));
    programs.push(lines);
  }
  return programs[iteration];
}

const sources = new Map();
/** The lines of a file. */
function sourceLines(file) {
  if (!sources.has(file)) {
    const text = run.files[file] && run.files[file].text;
    sources.set(file, text === null || text === undefined ? null : text.replace(/\n$/, "").split("\n").map(line => line.replace(/\t/g, "    ")));
  }
  return sources.get(file);
}

const WORDS = {
  c: new Set("auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool".split(" ")),
  boolean: new Set("begin end decl bool void goto return assume assert skip if then else elsif fi while do od constrain schoose start_thread atomic_begin atomic_end dead abortif enforce".split(" ")),
};

/** A line of code with its words coloured. */
function coloured(line, language = run.language) {
  const parts = [];
  const directive = /^(\s*#\s*\w+)(.*)$/.exec(line);
  if (directive) return [make("span", { class: "p" }, directive[1]), directive[2]];
  const pattern = /(\/\/.*|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.[^']{0,3})')|\b(0[xX][0-9a-fA-F]+\w*|\d+\w*)\b|([A-Za-z_]\w*)/g;
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    const kind = match[1] ? "c" : match[2] ? "s" : match[3] ? "n" : WORDS[language].has(match[4]) ? "k" : null;
    if (!kind) continue;
    parts.push(line.slice(end, match.index), make("span", { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(line.slice(end));
  return parts;
}

const ROW = 23;

/** A long list of which only the rows in sight are elements. `row(number)` makes one. */
class List {
  constructor(count, row, attributes) {
    this.row = row;
    this.spacer = make("div", { class: "spacer" });
    this.element = make("div", { class: "list", tabindex: "0", ...attributes }, this.spacer);
    this.shown = new Map();
    this.element.addEventListener("scroll", () => this.draw());
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.element);
    this.resize(count);
  }
  resize(count, width) {
    this.count = count;
    this.spacer.style.height = `${count * ROW}px`;
    if (width) this.spacer.style.width = width;
    this.refresh();
  }
  refresh() {
    this.shown.forEach(row => row.remove());
    this.shown.clear();
    this.draw();
  }
  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - 8);
    const last = Math.min(this.count, Math.ceil((this.element.scrollTop + (this.element.clientHeight || 600)) / ROW) + 8);
    for (const [number, row] of this.shown) {
      if (number < first || number >= last) { row.remove(); this.shown.delete(number); }
    }
    for (let number = first; number < last; number++) {
      if (this.shown.has(number)) continue;
      const row = this.row(number);
      row.classList.add("row");
      row.style.top = `${number * ROW}px`;
      this.spacer.append(row);
      this.shown.set(number, row);
    }
  }
  reveal(number) {
    const top = number * ROW, height = this.element.clientHeight || 600;
    if (top < this.element.scrollTop + 2 * ROW || top > this.element.scrollTop + height - 4 * ROW) {
      this.element.scrollTop = Math.max(0, top - height / 2);
    }
    this.draw();
  }
}

/** The width of the longest of some lines, as CSS takes it. */
const widthOf = (lines, extra) => `calc(${Math.min(400, lines.reduce((most, line) => Math.max(most, line.length), 20))}ch + ${extra}px)`;

/** A panel with a title. */
function titled(title, aside, attributes, ...children) {
  const side = aside === null ? null : make("span", { class: "aside" }, aside);
  return make("section", { ...attributes, class: `panel ${(attributes && attributes.class) || ""}` }, make("div", { class: "title" }, make("h2", {}, title), side), ...children);
}
