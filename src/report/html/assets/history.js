// The history of refinement: a plot, a row for each iteration, and what was made of each counterexample.

const PHASE_ORDER = ["abstraction", "checking", "simulation", "refinement", "certificate"];

/** A scale from 0 to a number that is easy to read. */
function nice(most) {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 2.5, 5, 10].map(factor => factor * power).find(limit => limit >= most);
}

/** Predicates and statements as lines, the time of each iteration as bars. */
function historyPlot() {
  const width = 1120, height = 190, left = 46, right = 52, top = 14, bottom = 24;
  const count = run.iterations.length, step = (width - left - right) / count;
  const x = number => left + step * (number + .5);
  const predicates = run.iterations.map(one => one.predicates.length), sizes = run.iterations.map(one => one.statements);
  const times = run.iterations.map(one => PHASE_ORDER.reduce((sum, phase) => sum + (one.seconds[phase] || 0), 0));
  const scales = [nice(Math.max(...predicates)), nice(Math.max(...sizes)), nice(Math.max(...times))];
  const y = (value, scale) => top + (height - top - bottom) * (1 - value / scale);
  const line = (values, scale, colour, dashes) => make("polyline", { points: values.map((value, number) => `${x(number)},${y(value, scale)}`).join(" "), fill: "none", stroke: `var(${colour})`, "stroke-width": 2, "stroke-dasharray": dashes, "stroke-linejoin": "round" });
  const dots = (values, scale, colour, what) => count > 120 ? [] : values.map((value, number) => make("circle", { cx: x(number), cy: y(value, scale), r: 3, fill: `var(${colour})` }, make("title", {}, `iteration ${number}: ${plural(value, what)}`)));
  const bars = run.iterations.map((one, number) => {
    let at = height - bottom;
    return PHASE_ORDER.map(phase => {
      const tall = (height - top - bottom) * (one.seconds[phase] || 0) / scales[2];
      at -= tall;
      return tall > 0 ? make("rect", { x: x(number) - Math.min(16, step * .36), width: Math.min(32, step * .72), y: at, height: tall, fill: `var(${PHASES[phase]})`, opacity: .32 }, make("title", {}, `iteration ${number}, ${phase}: ${seconds(one.seconds[phase])}`)) : null;
    });
  });
  const every = Math.ceil(count / 24);
  const labels = run.iterations.map((_, number) => number % every ? null : make("text", { x: x(number), y: height - 7, "text-anchor": "middle" }, String(number)));
  const axes = [make("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }), make("line", { class: "axis", x1: left, x2: width - right, y1: top, y2: top }),
    make("text", { x: left - 8, y: top + 4, "text-anchor": "end", style: "fill: var(--t3)" }, String(scales[0])), make("text", { x: left - 8, y: height - bottom + 4, "text-anchor": "end" }, "0"),
    make("text", { x: width - right + 8, y: top + 4 }, seconds(scales[2]))];
  const svg = make("svg", { class: "plot", id: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "predicates, statements and time of each iteration" }, axes, bars, line(sizes, scales[1], "--muted", "4 4"), line(predicates, scales[0], "--t3"), dots(predicates, scales[0], "--t3", "predicate"), labels);
  const key = (colour, text, faint) => make("span", {}, make("i", { style: { background: `var(${colour})`, opacity: faint ? ".45" : "1" } }), text);
  return make("section", { class: "panel" }, svg, make("div", { class: "legend" }, key("--t3", "predicates"), key("--muted", `statements of the Boolean program, dashed (up to ${scales[1].toLocaleString("en")})`), PHASE_ORDER.map(phase => key(PHASES[phase], `time: ${phase}`, true))));
}

function historyTable(opened) {
  const heads = ["", "predicates", "excluded steps", "statements", "engine", "counterexamples", "time", "what came of it"];
  const body = make("tbody");
  run.iterations.forEach((one, number) => {
    const time = PHASE_ORDER.reduce((sum, phase) => sum + (one.seconds[phase] || 0), 0);
    const lengths = one.studies.map(study => study.path ? plural(study.path.length, "step") : "not saved").join(", ");
    const open = number === opened;
    const go = () => { location.hash = open ? "#/iterations" : `#/iterations/${number}`; };
    const row = make("tr", { class: `openable ${open ? "opened" : ""}`, id: `iteration-${number}`, tabindex: "0", role: "button", "aria-expanded": String(open), onclick: go, onkeydown: event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); } } },
      make("td", { class: "number" }, `${open ? "▾" : "▸"} ${number}`), make("td", { class: "number" }, String(one.predicates.length)), make("td", { class: "number" }, String(one.exclusions)), make("td", { class: "number" }, String(one.statements)),
      make("td", {}, one.engine), make("td", {}, lengths || make("span", { class: "muted" }, "none")), make("td", { class: "number" }, seconds(time)), make("td", {}, one.result || make("span", { class: "muted" }, "broken off")));
    body.append(row);
    if (open) body.append(make("tr", {}, make("td", { colspan: heads.length }, iterationDetail(one, number))));
  });
  const head = make("thead", {}, make("tr", {}, heads.map((text, at) => make("th", { class: [1, 2, 3, 6].includes(at) ? "number" : "" }, text))));
  return make("section", { class: "panel" }, make("h2", {}, "Iterations"), make("div", { class: "scroll" }, make("table", { id: "iterations" }, head, body)));
}

function iterationDetail(one, number) {
  const parts = one.studies.map(study => studyOf(study));
  if (!one.studies.length) parts.push(make("p", { class: "muted" }, "The Boolean program has no counterexample: what was asked for holds."));
  const fresh = number ? one.predicates.filter(predicate => !run.iterations[number - 1].predicates.includes(predicate)) : one.predicates;
  const program = make("div", { id: "difference" });
  drawDifference(program, number, number > 0);
  return make("div", { class: "detail" }, fresh.length ? make("div", {}, make("h3", {}, number ? "Tracked since this iteration" : "Tracked"), make("div", { style: { display: "flex", gap: "5px", "flex-wrap": "wrap", "margin-top": "4px" } }, fresh.map(predicate => predicateChip(predicate)))) : null, parts, program);
}

/** A counterexample of the Boolean program beside its path through C; where it broke, why, and what came of it. */
function studyOf(study) {
  const title = make("h3", {}, "Abstract counterexample to ", make("code", {}, study.violates));
  const result = study.prefix === null ? make("p", {}, make("b", {}, study.result), ".") : whyNot(study);
  return make("div", { class: "study" }, title, make("div", { class: "columns", style: { "margin-top": "6px", "grid-template-columns": "minmax(0, 1.7fr) minmax(0, 1fr)" } }, study.path ? pathTable(study) : make("p", { class: "muted" }, "The path was left out of the saved run."), make("div", {}, result)));
}

function pathTable(study) {
  const core = new Map();
  for (const constraint of study.contradictions[0] || []) core.set(constraint.step, [...(core.get(constraint.step) || []), constraint.text]);
  const several = new Set(study.path.map(step => step[0])).size > 1;
  const row = ([thread, number, returns, values], at) => {
    const statement = run.statements[number];
    const classes = [core.has(at) ? "core" : "", study.prefix === at + 1 ? "broke" : "", study.prefix !== null && at >= study.prefix ? "after" : ""];
    const text = returns ? `return from ${statement.calls || "the call"}` : statement.text || "·";
    const chips = values.map(value => predicateChip(value >> 1, value % 2 === 1));
    return make("tr", { class: classes.join(" ") }, make("td", { class: "number muted" }, String(at + 1)), several ? make("td", {}, threadChip(thread)) : null, make("td", {}, spotLink(statement.place)), make("td", {}, text, study.prefix === at + 1 ? make("div", { class: "why" }, "no run of the program gets past this step") : null), make("td", {}, make("div", { style: { display: "flex", gap: "4px", "flex-wrap": "wrap" } }, chips)));
  };
  // Long paths: what matters is at the end.
  const skipped = Math.max(0, study.path.length - 400);
  const heads = ["", several ? "thread" : null, "where", "path through the C program", "abstract state: predicates that change"].filter(text => text !== null);
  const rows = study.path.map((step, at) => at < skipped ? null : row(step, at));
  return make("div", { class: "path" }, make("table", {}, make("thead", {}, make("tr", {}, heads.map(text => make("th", {}, text)))), make("tbody", {}, skipped ? make("tr", {}, make("td", { colspan: heads.length, class: "muted" }, `… ${skipped} steps before`)) : null, rows)));
}

function whyNot(study) {
  const constraint = one => make("div", { class: "constraint" }, make("span", { class: "muted" }, `step ${one.step + 1}: `), make("code", {}, one.text));
  const [first, ...others] = study.contradictions;
  const parts = [make("h3", {}, `It breaks at step ${study.prefix}`)];
  if (first && first.length) parts.push(make("p", { style: { margin: "2px 0" } }, first.length > 1 ? "On this path these cannot all be true:" : "On this path this cannot be true:"), first.map(constraint));
  if (study.predicates.length) parts.push(make("h3", { style: { "margin-top": "10px" } }, "Predicates that came of it"), study.predicates.map(number => make("div", { class: "new" }, make("code", {}, run.predicates[number].text), make("div", { class: "muted" }, `${run.predicates[number].procedure ? `in ${run.predicates[number].procedure}` : "global"}; ${run.predicates[number].reason}`))));
  if (study.excluded.length) parts.push(make("h3", { style: { "margin-top": "10px" } }, "Steps that are excluded from now on"), study.excluded.map(text => make("div", { class: "new mono" }, text)));
  if (!study.predicates.length && !study.excluded.length) parts.push(make("p", {}, study.result));
  if (others.length) parts.push(make("details", { style: { "margin-top": "10px" } }, make("summary", { class: "muted" }, plural(others.length, "other contradiction")), others.map(other => make("div", { style: { margin: "6px 0" } }, other.map(constraint)))));
  return make("div", {}, parts);
}

/** The Boolean program as a difference to the one before, or as a whole. */
function drawDifference(place, number, asDifference) {
  const lines = booleanProgram(number);
  const toggle = number > 0 ? make("button", { onclick: () => drawDifference(place, number, !asDifference) }, asDifference ? "the whole program" : "only the difference") : null;
  const title = make("div", { class: "toolbar", style: { "margin-bottom": "6px" } }, make("h3", {}, asDifference ? `Boolean program, compared with iteration ${number - 1}` : "Boolean program"), toggle);
  if (!lines) { place.replaceChildren(title, make("p", { class: "muted" }, "It was left out of the saved run.")); return; }
  const rows = asDifference ? differenceRows(number) : lines.map((text, at) => [" ", at + 1, text]);
  const list = new List(rows.length, at => {
    const [sign, line, text] = rows[at];
    return make("div", { class: sign === "+" ? "added" : sign === "-" ? "removed" : sign === "…" ? "muted" : "" }, make("span", { class: "number" }, line ? String(line) : ""), make("span", { class: "code" }, coloured(text, "boolean")));
  }, { style: { "max-height": "420px", height: `${Math.min(420, rows.length * ROW + 4)}px`, border: "1px solid var(--line)", "border-radius": "8px" }, "aria-label": "Boolean program" });
  list.resize(rows.length, widthOf(rows.map(row => row[2]), 70));
  place.replaceChildren(title, rows.length ? list.element : make("p", { class: "muted" }, "It is the same program."));
}

/** The changed lines, with three lines around them. */
function differenceRows(number) {
  const before = booleanProgram(number - 1) || [], around = 3;
  const all = [];
  let at = 0, line = 1;
  for (const [kept, removed, inserted] of run.iterations[number].program) {
    for (const text of before.slice(at, at + kept)) all.push([" ", line++, text]);
    at += kept;
    for (const text of before.slice(at, at + removed)) all.push(["-", 0, text]);
    at += removed;
    for (const text of inserted) all.push(["+", line++, text]);
  }
  for (const text of before.slice(at)) all.push([" ", line++, text]);
  const near = new Set();
  all.forEach((row, position) => { if (row[0] !== " ") for (let other = position - around; other <= position + around; other++) near.add(other); });
  const rows = [];
  all.forEach((row, position) => {
    if (near.has(position)) rows.push(row);
    else if (rows.length && rows[rows.length - 1][0] !== "…" || !rows.length && near.size) rows.push(["…", 0, "…"]);
  });
  return rows;
}

function historyPage(page, opened) {
  if (!run.iterations.length) {
    const why = run.language === "boolean" ? "A Boolean program is checked as it is: nothing is refined." : "Nothing was refined: random runs, or the only run of the program, decided everything.";
    page.append(make("p", { class: "empty" }, why));
    return;
  }
  page.append(make("div", { class: "wide" }, historyPlot(), historyTable(opened)));
  const row = document.getElementById(`iteration-${opened}`);
  if (row) { row.scrollIntoView({ block: "start" }); row.focus({ preventScroll: true }); }
}
