// The first page: what came of it, what it rests on, how to do it again, where the time went.

const PHASES = { "random runs": "--t7", abstraction: "--t0", checking: "--t2", simulation: "--t3", refinement: "--t1", certificate: "--t6", "reading and rest": "--muted", everything: "--t0" };

function headline() {
  const { verdict, reason } = run.result;
  const count = wanted => run.properties.filter(property => property.verdict === wanted).length;
  const mark = { holds: "✓", violated: "✗", unknown: "?" }[verdict];
  const title = {
    holds: run.properties.length === 1 ? "The property holds." : `All ${run.properties.length} properties hold.`,
    violated: `${plural(count("violated"), "property is", "properties are")} violated.`,
    unknown: "There is no verdict.",
  }[verdict];
  const details = {
    holds: "No run of the program violates anything that was asked for.",
    violated: `${plural(count("holds"), "holds", "hold")}, ${count("unknown")} unknown. Each violation has been replayed.`,
    unknown: reason || "",
  }[verdict];
  return make("section", { class: "panel headline", id: "headline" }, make("div", { class: `mark ${verdict}` }, mark), make("div", {}, make("h1", {}, title), make("p", {}, details)));
}

function propertyTable() {
  const row = property => {
    const found = run.counterexamples.findIndex(one => one.property === property.id);
    const link = found < 0 ? null : make("a", { href: `#/run/${found}/0` }, "step through the run →");
    return make("tr", {},
      make("td", {}, badge(property.verdict)), make("td", { class: "mono" }, property.id), make("td", { class: "mono" }, spotLink(property.place)),
      make("td", {}, make("code", {}, property.text), property.reason ? make("div", { class: "muted" }, property.reason) : null), make("td", {}, link));
  };
  const order = { violated: 0, unknown: 1, holds: 2 };
  const sorted = [...run.properties].sort((one, other) => order[one.verdict] - order[other.verdict]);
  const shown = sorted.slice(0, 200).map(row);
  const more = sorted.length - shown.length;
  const heads = ["", "property", "where", "what is claimed", ""].map(text => make("th", {}, text));
  const table = make("table", { id: "properties" }, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, shown));
  return make("section", { class: "panel" }, make("h2", {}, "Properties"), make("div", { class: "scroll" }, table),
    more > 0 ? make("p", { class: "muted" }, `and ${more} more that ${more === 1 ? "is" : "are"} in the saved run`) : null);
}

function restsOn() {
  const item = text => make("li", {}, text);
  const parts = [make("h2", {}, "What this rests on")];
  parts.push(run.assumptions.length ? make("ul", {}, run.assumptions.map(item)) : make("p", { class: "muted", style: { margin: "0" } }, "Nothing: there are no assumptions."));
  if (run.certificate) {
    parts.push(make("p", { style: { "margin-bottom": "0" } }, make("span", { class: `badge ${run.certificate.checked ? "holds" : "unknown"}` }, run.certificate.checked ? "proof checked again" : "proof not checked again"), " ", make("span", { class: "muted" }, run.certificate.text)));
  }
  if (run.not_checked.length) parts.push(make("h3", { style: { "margin-top": "10px" } }, "Places where a check does not look"), make("ul", {}, run.not_checked.slice(0, 40).map(item)));
  return make("section", { class: "panel" }, parts);
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function again() {
  const text = ["boolero", ...run.command].map(quoted).join(" ");
  const button = make("button", { onclick: () => { navigator.clipboard && navigator.clipboard.writeText(text); button.textContent = "copied"; } }, "copy");
  const files = run.files.filter(file => file.sha256).map(file => make("li", {}, make("code", {}, file.name), " ", make("span", { class: "muted mono", title: `SHA-256: ${file.sha256}` }, file.sha256.slice(0, 12))));
  return make("section", { class: "panel" }, make("h2", {}, "Do it again"), make("div", { class: "command" }, make("code", { id: "command" }, text), button),
    make("p", { class: "muted", style: { margin: "8px 0 4px" } }, `boolero ${run.tool.version}, with these files:`), make("ul", {}, files));
}

function timeBar() {
  const entries = Object.entries(run.seconds).filter(([, value]) => value > 0);
  const all = entries.reduce((sum, [, value]) => sum + value, 0);
  const colour = name => `var(${PHASES[name] || "--muted"})`;
  const bar = make("div", { class: "bar", id: "time" }, entries.map(([name, value]) => make("span", { style: { flex: String(value / (all || 1)), background: colour(name) }, title: `${name}: ${seconds(value)}` })));
  const legend = make("div", { class: "legend" }, entries.map(([name, value]) => make("span", {}, make("i", { style: { background: colour(name) } }), `${name} ${seconds(value)}`)));
  return make("section", { class: "panel" }, make("h2", {}, `Time: ${seconds(all)}`), bar, legend);
}

function figures() {
  const entries = Object.entries(run.figures);
  const shown = entries.filter(([name]) => !name.startsWith("queries:"));
  const cards = shown.slice(0, 12).map(([name, value]) => make("div", {}, make("b", {}, value.toLocaleString("en")), make("span", {}, name)));
  return entries.length ? make("section", { class: "panel" }, make("h2", {}, "Figures"), make("div", { class: "figures" }, cards)) : null;
}

function templates() {
  if (!run.threads.length) return null;
  const row = one => make("tr", {}, make("td", { class: "mono" }, one.routine), make("td", {}, one.most === null ? "any number" : one.most === 1 ? "one thread" : `at most ${one.most}`), make("td", { class: "mono" }, one.started_at.map((spot, number) => [number ? ", " : "", spotLink(spot)])));
  return make("section", { class: "panel" }, make("h2", {}, "Threads"), make("table", {}, make("tbody", {}, run.threads.map(row))));
}

function summaryPage(page) {
  const leftOut = run.left_out.length ? make("section", { class: "panel muted" }, make("h2", {}, "Left out of the saved run to keep it small"), make("ul", {}, run.left_out.map(text => make("li", {}, text)))) : null;
  page.append(make("div", { class: "wide" }, headline(), propertyTable(), make("div", { class: "columns" }, restsOn(), again()), make("div", { class: "columns" }, timeBar(), figures(), templates()), leftOut));
}
