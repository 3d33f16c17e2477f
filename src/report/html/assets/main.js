// Which page is shown, keys, light and dark.

const PAGES = [["summary", "Summary"], ["run", "Counterexample"], ["iterations", "Refinement"], ["program", "Program"], ["graph", "Graphs"]];
let current = null;

function theme(wanted) {
  document.documentElement.dataset.theme = wanted;
  const button = document.getElementById("theme");
  if (button) button.textContent = wanted === "dark" ? "☀" : "☾";
  try { localStorage.setItem("boolero-theme", wanted); } catch { /* pages from disk may have no storage */ }
}

function firstTheme() {
  let kept = null;
  try { kept = localStorage.getItem("boolero-theme"); } catch { /* likewise */ }
  return kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function frame() {
  const counts = { run: run.counterexamples.length, iterations: run.iterations.length };
  const link = ([id, text], number) => make("a", { href: `#/${id}`, id: `tab-${id}`, title: `${text} (${number + 1})` }, text, counts[id] ? make("span", { class: "count" }, String(counts[id])) : null);
  const toggle = make("button", { id: "theme", "aria-label": "light or dark", title: "light or dark (d)", onclick: () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark") });
  document.querySelector("header").append(make("span", { class: "name" }, "Boolero"), badge(run.result.verdict), make("span", { class: "file", title: run.files.map(file => file.name).join(", ") }, run.files.length ? run.files[mainFile()].name : ""),
    make("nav", { "aria-label": "pages" }, PAGES.map(link)), toggle, make("button", { id: "keys", title: "keys (?)", "aria-label": "keys", onclick: help }, "?"));
}

/** The file that most is about. */
function mainFile() {
  const counts = new Map();
  for (const property of run.properties) if (property.place) counts.set(property.place[0], (counts.get(property.place[0]) || 0) + 1);
  const readable = number => run.files[number].text !== null;
  const best = [...counts].sort((one, other) => other[1] - one[1]).find(([number]) => readable(number));
  const first = run.files.findIndex(file => file.text !== null);
  return best ? best[0] : Math.max(0, first);
}

/** Shows the page that the address names: `#/run/0/12` is step 12 of the first run. */
function show() {
  const [id, ...parts] = location.hash.replace(/^#\//, "").split("/").map(decodeURIComponent);
  const [first, second] = parts.map(Number);
  if (current instanceof Debugger && id === "run" && current.number === (first || 0)) {
    current.show(Math.max(0, Math.min(current.steps.length - 1, second || 0)));
    return;
  }
  const page = document.querySelector("main");
  page.replaceChildren();
  page.className = "";
  current = null;
  const shown = PAGES.some(([known]) => known === id) ? id : "summary";
  document.querySelectorAll("nav a").forEach(link => shown === link.id.slice(4) ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current"));
  page.dataset.page = shown;
  if (shown === "summary") summaryPage(page);
  else if (shown === "run") showRun(page, first, second);
  else if (shown === "iterations") historyPage(page, parts.length && parts[0] !== "" ? first : -1);
  else {
    current = shown === "program" ? new ProgramPage(parts.length && run.files[first] ? first : mainFile(), second) : new GraphPage(parts[0]);
    current.page(page);
  }
  page.dataset.ready = shown;
}

function showRun(page, number, step) {
  if (!run.counterexamples.length) {
    page.append(make("p", { class: "empty" }, "No run violates anything that was asked for, or none was found."));
    return;
  }
  current = new Debugger(run.counterexamples[number] ? number : 0);
  current.page(page);
  current.show(Math.max(0, Math.min(current.steps.length - 1, step || 0)));
}

function help() {
  if (document.querySelector(".help")) { document.querySelector(".help").remove(); return; }
  const rows = [["1 … 5", "the pages"], ["← →", "step back and forward; move a graph"], ["Shift+← →, p n", "the context switch before, and the next one"], ["Home End", "the start, and the violation"], ["j k", "a step or line down and up"], ["+ − 0", "zoom a graph, and fit it"], ["d", "light or dark"], ["?", "this"]];
  const panel = make("div", { class: "panel" }, make("h2", {}, "Keys"), make("table", {}, make("tbody", {}, rows.map(([keys, what]) => make("tr", {}, make("td", {}, make("kbd", {}, keys)), make("td", {}, what))))));
  document.body.append(make("div", { class: "help", role: "dialog", "aria-label": "keys", onclick: event => event.currentTarget.remove() }, panel));
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
  const page = PAGES[Number(event.key) - 1];
  if (event.key === "Escape" || event.key === "?") { if (event.key === "?" || document.querySelector(".help")) help(); }
  else if (event.key === "d") theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  else if (page) location.hash = `#/${page[0]}`;
  else if (!(current && current.key && current.key(event))) return;
  event.preventDefault();
});

frame();
theme(firstTheme());
window.addEventListener("hashchange", show);
show();
