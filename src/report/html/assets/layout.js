// Where the nodes of a directed graph are drawn: in layers from top to bottom [STT81].
//
// Edges against the direction of a depth-first search are turned around; a node is one layer below the lowest one that leads to it. An
// edge that crosses layers gets a bend in each of them. Nodes of a layer are ordered by the medians of their neighbours, forth
// and back a few times, and moved towards them as far as there is room.

/** `nodes`: `{ id, width, height }`; `edges`: `{ from, to }` by id. Gives nodes `x`, `y` and edges `points`; tells the size. */
function layout(nodes, edges) {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const known = edges.filter(edge => byId.has(edge.from) && byId.has(edge.to) && edge.from !== edge.to);
  const directed = acyclic(nodes, known);
  const layers = layered(nodes, directed);
  const chains = bent(directed, layers);
  order(layers);
  place(layers);
  for (const { edge, chain, turned } of chains) {
    const points = chain.map(node => [node.x, node.y]);
    edge.points = turned ? points.reverse() : points;
  }
  const right = Math.max(0, ...nodes.map(node => node.x + node.width / 2)), left = Math.min(0, ...nodes.map(node => node.x - node.width / 2));
  const last = layers[layers.length - 1] || [];
  return { left, width: right - left, height: last.length ? last[0].y + 40 : 0 };
}

/** The edges, each turned around if it leads back to a node that the search is still in. */
function acyclic(nodes, edges) {
  const outgoing = new Map(nodes.map(node => [node.id, []]));
  for (const edge of edges) outgoing.get(edge.from).push(edge);
  const state = new Map();
  const directed = [];
  for (const root of nodes) {
    if (state.has(root.id)) continue;
    const stack = [[root.id, 0]];
    state.set(root.id, 1);
    while (stack.length) {
      const top = stack[stack.length - 1];
      const edge = outgoing.get(top[0])[top[1]++];
      if (!edge) { state.set(top[0], 2); stack.pop(); continue; }
      const turned = state.get(edge.to) === 1;
      directed.push({ edge, turned, from: turned ? edge.to : edge.from, to: turned ? edge.from : edge.to });
      if (!state.has(edge.to)) { state.set(edge.to, 1); stack.push([edge.to, 0]); }
    }
  }
  return directed;
}

function layered(nodes, directed) {
  const incoming = new Map(nodes.map(node => [node.id, 0])), next = new Map(nodes.map(node => [node.id, []])), byId = new Map(nodes.map(node => [node.id, node]));
  for (const { from, to } of directed) { incoming.set(to, incoming.get(to) + 1); next.get(from).push(to); }
  const open = nodes.filter(node => !incoming.get(node.id));
  for (const node of nodes) node.layer = 0;
  while (open.length) {
    const node = open.shift();
    for (const id of next.get(node.id)) {
      const target = byId.get(id);
      target.layer = Math.max(target.layer, node.layer + 1);
      incoming.set(id, incoming.get(id) - 1);
      if (!incoming.get(id)) open.push(target);
    }
  }
  const layers = [];
  for (const node of nodes) { (layers[node.layer] = layers[node.layer] || []).push(node); node.above = []; node.below = []; }
  for (const { from, to } of directed) { byId.get(from).ends = true; byId.get(to).ends = true; }
  return Array.from(layers, layer => layer || []);
}

/** Edges as chains of neighbours in layers that follow each other. */
function bent(directed, layers) {
  const byId = new Map(layers.flat().map(node => [node.id, node]));
  return directed.map(({ edge, turned, from, to }) => {
    const chain = [byId.get(from)];
    for (let layer = byId.get(from).layer + 1; layer < byId.get(to).layer; layer++) {
      const bend = { width: 12, height: 10, layer, above: [], below: [], bend: true };
      layers[layer].push(bend);
      chain.push(bend);
    }
    chain.push(byId.get(to));
    for (let at = 1; at < chain.length; at++) { chain[at - 1].below.push(chain[at]); chain[at].above.push(chain[at - 1]); }
    return { edge, turned, chain };
  });
}

const median = values => { const sorted = [...values].sort((one, other) => one - other); return sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 : null; };

function order(layers) {
  const number = layer => layer.forEach((node, position) => { node.position = position; });
  layers.forEach(number);
  for (let round = 0; round < 8; round++) {
    const down = round % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      for (const node of layer) {
        const middle = median((down ? node.above : node.below).map(other => other.position));
        node.wish = middle === null ? node.position : middle;
      }
      layer.sort((one, other) => one.wish - other.wish || one.position - other.position);
      number(layer);
    }
  }
}

const GAP = 26, DOWN = 32;

function place(layers) {
  let y = 0;
  for (const layer of layers) {
    const tallest = Math.max(20, ...layer.map(node => node.height));
    y += tallest / 2;
    let x = 0;
    for (const node of layer) { node.x = x + node.width / 2; node.y = y; x += node.width + GAP; }
    const shift = x / 2;
    for (const node of layer) node.x -= shift;
    y += tallest / 2 + DOWN;
  }
  for (let round = 0; round < 10; round++) {
    for (const layer of round % 2 ? [...layers].reverse() : layers) settle(layer, round % 2 === 0);
  }
}

/** Moves the nodes of a layer towards the medians of their neighbours. They keep their order and their distances. */
function settle(layer, down) {
  for (const node of layer) {
    const middle = median((down ? node.above : node.below).map(other => other.x));
    node.wish = middle === null ? node.x : middle;
  }
  const apart = (one, other) => (one.width + other.width) / 2 + GAP;
  const left = layer.map(node => node.wish), right = [...left];
  for (let at = 1; at < layer.length; at++) left[at] = Math.max(left[at], left[at - 1] + apart(layer[at - 1], layer[at]));
  for (let at = layer.length - 2; at >= 0; at--) right[at] = Math.min(right[at], right[at + 1] - apart(layer[at], layer[at + 1]));
  layer.forEach((node, at) => { node.x = (left[at] + right[at]) / 2; });
}
