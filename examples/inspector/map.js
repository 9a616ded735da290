// The map: states with their transitions, and the nodes of the graph that plays, with the weights of the moment.
const INK = "#f3f1ff", LIVE = "#f0a63a", CALM = "#7f8bc0", BOX = "#232943";

export class Map2D {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.recent = new Map();
  }

  begin() {
    const { canvas } = this, ratio = devicePixelRatio, width = Math.round(innerWidth * ratio), height = Math.round(innerHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, innerWidth, innerHeight);
  }

  title(text, x, y) {
    const c = this.context;
    c.font = "600 12px system-ui";
    c.fillStyle = "#ffcf8a";
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillText(text, x, y);
  }

  box(x, y, width, height, label, detail, weight, bar) {
    const c = this.context, live = Math.min(1, Math.max(0, weight));
    c.globalAlpha = 0.65 + 0.35 * Math.min(1, live * 3);
    c.fillStyle = BOX;
    c.strokeStyle = live > 0.001 ? mixed(CALM, LIVE, live) : "#48507a";
    c.lineWidth = 1 + 1.5 * live;
    c.beginPath();
    c.roundRect(x, y, width, height, 9);
    c.fill();
    c.stroke();
    if (bar > 0) {
      c.save();
      c.clip();
      c.fillStyle = mixed("#3d4676", "#8a5a18", live);
      c.fillRect(x, y + height - 4, width * Math.min(1, bar), 4);
      c.restore();
    }
    c.fillStyle = INK;
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.font = "600 12px system-ui";
    c.fillText(short(c, label, width - 18), x + 9, y + (detail === "" ? height / 2 : 12));
    c.font = "11px system-ui";
    c.globalAlpha *= 0.75;
    if (detail !== "") c.fillText(short(c, detail, width - 18), x + 9, y + 27);
    c.globalAlpha = 1;
  }

  curve(x1, y1, x2, y2, weight, sideways = 0.5) {
    const c = this.context, dx = (x2 - x1) * sideways;
    c.globalAlpha = 0.25 + 0.75 * Math.min(1, weight);
    c.strokeStyle = weight > 0.001 ? mixed(CALM, LIVE, Math.min(1, weight)) : "#48507a";
    c.lineWidth = 1 + 3 * Math.min(1, weight);
    c.beginPath();
    c.moveTo(x1, y1);
    c.bezierCurveTo(x1 + dx, y1, x2 - dx, y2, x2, y2);
    c.stroke();
    c.globalAlpha = 1;
  }

  /** States on a ring; the transition under way fills its arrow. */
  machine(json, machine, area, now) {
    // On a phone the boxes are low and say no more than their names, so that none covers another.
    const isSmall = area.height < 260, height = isSmall ? 26 : 40;
    const c = this.context, count = json.states.length, places = new Map(), width = Math.min(118, area.width / (isSmall ? 3.5 : 2.6));
    const cx = area.x + area.width / 2, cy = area.y + area.height / 2, rx = Math.max(0, area.width / 2 - width / 2 - 6), ry = Math.max(0, area.height / 2 - height / 2 - 8);
    json.states.forEach((state, i) => {
      const angle = -Math.PI / 2 + (i / count) * 2 * Math.PI, across = Math.cos(angle);
      places.set(state.name, count === 1 ? [cx, cy] : [cx + rx * Math.sign(across) * Math.abs(across) ** 0.75, cy + ry * Math.sin(angle)]);
    });
    const taken = machine.getTransition();
    if (taken >= 0) this.recent.set(taken, now);
    (json.transitions ?? []).forEach((transition, i) => {
      const to = places.get(transition.to);
      for (const [name, from] of places) {
        if (transition.from !== "*" ? name !== transition.from : name === transition.to || i !== taken) continue;
        if (from === to) continue;
        const glow = taken === i ? 1 : Math.max(0, 1 - (now - (this.recent.get(i) ?? -9)) / 1.2) * 0.6;
        this.arrow(from, to, glow, taken === i ? machine.getTransitionProgress() : 0, width, height);
      }
    });
    const current = machine.getCurrentState(), progress = machine.getTransitionProgress();
    const source = taken >= 0 ? json.transitions[taken].from : "";
    for (const state of json.states) {
      const [x, y] = places.get(state.name), isCurrent = state.name === current, weight = isCurrent ? progress : state.name === source ? 1 - progress : 0;
      const what = state.graph !== undefined ? "graph" : state.machine !== undefined ? "machine" : state.clip;
      this.box(x - width / 2, y - height / 2, width, height, state.name, isSmall ? "" : isCurrent ? `${what}, ${machine.getStateTime().toFixed(1)} s` : what, isCurrent ? Math.max(0.25, weight) : weight, weight);
    }
    c.textAlign = "left";
  }

  arrow([x1, y1], [x2, y2], glow, progress, width, height) {
    const c = this.context, length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    // Beside the line between the two, so that there and back are two arrows; from box edge to box edge.
    const reach = Math.min((width / 2 + 6) / Math.max(1e-6, Math.abs(ux)), (height / 2 + 6) / Math.max(1e-6, Math.abs(uy))), ox = -uy * 6, oy = ux * 6;
    const ax = x1 + ux * reach + ox, ay = y1 + uy * reach + oy, bx = x2 - ux * reach + ox, by = y2 - uy * reach + oy;
    c.strokeStyle = c.fillStyle = glow > 0 ? mixed("#5a648f", LIVE, glow) : "#4a5380";
    c.lineWidth = 1.4 + glow;
    c.beginPath();
    c.moveTo(ax, ay);
    c.lineTo(bx, by);
    c.stroke();
    c.beginPath();
    c.moveTo(bx + ux * 4, by + uy * 4);
    c.lineTo(bx - ux * 6 - uy * 4.5, by - uy * 6 + ux * 4.5);
    c.lineTo(bx - ux * 6 + uy * 4.5, by - uy * 6 - ux * 4.5);
    c.fill();
    if (progress <= 0) return;
    c.beginPath();
    c.arc(ax + (bx - ax) * progress, ay + (by - ay) * progress, 5, 0, 7);
    c.fill();
  }

  /** Nodes in columns, the root on the right. */
  graph(json, graph, area) {
    const depth = new Map(), inputs = json.nodes.map(inputsOf);
    const visit = (node, d) => {
      if ((depth.get(node) ?? -1) >= d) return;
      depth.set(node, d);
      for (const input of inputs[node]) visit(input, d + 1);
    };
    if (json.root === undefined) return;
    visit(json.root, 0);
    const columns = [];
    for (const [node, d] of depth) (columns[d] ??= []).push(node);
    const step = area.width / columns.length, width = Math.min(132, step - 26), places = new Map();
    columns.forEach((nodes, d) => nodes.forEach((node, i) => {
      const height = Math.min(40, area.height / nodes.length - 4);
      places.set(node, { x: area.x + area.width - d * step - width, y: area.y + ((i + 0.5) * area.height) / nodes.length - height / 2, height });
    }));
    for (const [node, to] of places) {
      for (const input of inputs[node]) {
        const from = places.get(input);
        this.curve(from.x + width, from.y + from.height / 2, to.x, to.y + to.height / 2, Math.min(graph.getNodeWeight(input), graph.getNodeWeight(node)));
      }
    }
    for (const [node, { x, y, height }] of places) {
      const entry = json.nodes[node], weight = graph.getNodeWeight(node), label = entry.name ?? entry.clip ?? entry.kind;
      const detail = height < 34 ? "" : entry.kind === "clip" ? `${weight.toFixed(2)}   ${graph.getClipTime(node).toFixed(2)} s` : entry.kind === "one-shot" ? `one-shot ${graph.getWeight(node).toFixed(2)}` : `${entry.kind} ${weight.toFixed(2)}`;
      this.box(x, y, width, height, label, detail, weight, weight);
    }
  }
}

export function inputsOf(node) {
  const { a, b, base, delta, overlay, shot, input } = node;
  return [a, b, base, delta, overlay, shot, input, ...(node.points ?? []).map((point) => point.node)].filter((one) => one !== undefined);
}

/** The blend space under the hand: points, the position, and the weights as discs. */
export function drawPad(canvas, space, node, graph, bounds) {
  const c = canvas.getContext("2d"), { width, height } = canvas, names = space.positionParameters;
  c.clearRect(0, 0, width, height);
  c.strokeStyle = "#ffffff18";
  for (let i = 1; i < 6; i++) {
    c.strokeRect((i * width) / 6, -1, 0, height + 2);
    c.strokeRect(-1, (i * height) / 6, width + 2, 0);
  }
  const at = (x, y) => [30 + ((x - bounds.x0) / (bounds.x1 - bounds.x0)) * (width - 60), height - 30 - ((y - bounds.y0) / (bounds.y1 - bounds.y0)) * (height - 60)];
  c.font = "20px system-ui";
  c.textAlign = "center";
  space.points.forEach((point, i) => {
    const [x, y] = at(point.x, point.y), weight = graph.getPointWeight(node, i);
    c.fillStyle = weight > 0 ? LIVE : CALM;
    c.globalAlpha = weight > 0 ? 0.35 + 0.65 * weight : 0.5;
    c.beginPath();
    c.arc(x, y, 6 + 16 * Math.sqrt(weight), 0, 7);
    c.fill();
  });
  c.globalAlpha = 1;
  const [x, y] = at(graph.getFloat(names[0]), graph.getFloat(names[1]));
  c.strokeStyle = INK;
  c.lineWidth = 3;
  c.beginPath();
  c.arc(x, y, 10, 0, 7);
  c.stroke();
  c.fillStyle = "#ffffff99";
  c.fillText(names[0], width / 2, height - 8);
  c.save();
  c.translate(18, height / 2);
  c.rotate(-Math.PI / 2);
  c.fillText(names[1], 0, 4);
  c.restore();
}

function short(c, text, width) {
  if (c.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && c.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}

function mixed(a, b, t) {
  const of = (color, i) => parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  return `rgb(${[0, 1, 2].map((i) => Math.round(of(a, i) + (of(b, i) - of(a, i)) * t)).join(" ")})`;
}
