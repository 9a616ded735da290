// A state machine and the graphs inside it, running on the built-in biped: everything on the page is read from its JSON form.
import { AnimGraph, AnimStateMachine } from "../../dist/anim/index.js";
import { loadGltf, newClipFromModel, newSkeletonFromModel, newSkinFromModel } from "../../dist/import/gltf/index.js";
import { Figure } from "./figure.js";
import { drawPad, Map2D } from "./map.js";

const at = (id) => document.getElementById(id);
const model = await loadGltf(new Uint8Array(await (await fetch("../assets/biped.glb")).arrayBuffer()));
const skeleton = newSkeletonFromModel(model);
const clips = model.animations.map((_, i) => newClipFromModel(model, skeleton, i));
const mesh = model.meshes.findIndex((one) => one.skin >= 0);
const figure = new Figure(at("stage"), newSkinFromModel(model, mesh, skeleton), model.meshes[mesh]);
const map = new Map2D(at("map"));

let source, json, pad;
const place = { x: 0, z: 0, yaw: 0 };
const heard = [];
let spent = 0;

/** Takes up a graph or a state machine. */
function load(text) {
  const given = JSON.parse(text), isMachine = given.type === "osteon-state-machine";
  const made = isMachine ? AnimStateMachine.fromJSON(given, skeleton, clips) : AnimGraph.fromJSON(given, skeleton, clips);
  source?.dispose();
  source = made;
  json = made.toJSON();
  if (made.getRootMotionBone() < 0) made.setRootMotionBone(0);
  made.setRootMotionMode({ translation: "xz", rotation: "yaw", space: "local" });
  made.update(0);
  makeControls(isMachine);
}

/** Largest absolute value that a parameter is compared with or drives to, for the range of its slider. */
function rangeOf(name) {
  const values = [0];
  const look = (value) => {
    if (value === null || typeof value !== "object") return;
    if (value.float === name) values.push(value.value * 1.5);
    if (value.positionParameter === name) values.push(...value.points.map((point) => point.x));
    if (value.positionParameters?.[0] === name) values.push(...value.points.map((point) => point.x));
    if (value.positionParameters?.[1] === name) values.push(...value.points.map((point) => point.y));
    if (value.weightParameter === name) values.push(1);
    if (value.speedParameter === name) values.push(2);
    for (const inner of Object.values(value)) look(inner);
  };
  look(json);
  const least = Math.min(...values), most = Math.max(...values);
  return least === most ? [0, 1] : [least, most];
}

function makeControls(isMachine) {
  const box = at("parameters"), { floats = {}, bools = {}, triggers = {} } = isMachine ? json.parameters ?? {} : { floats: json.parameters ?? {} };
  box.replaceChildren();
  pad = undefined;
  for (const [name, value] of Object.entries(floats)) {
    const input = Object.assign(document.createElement("input"), { type: "range", id: `float-${name}`, step: "any" }), [least, most] = rangeOf(name);
    Object.assign(input, { min: least, max: most, value });
    input.addEventListener("input", () => source.setFloat(name, Number(input.value)));
    box.append(labelled(name, input));
  }
  for (const [name, value] of Object.entries(bools)) {
    const input = Object.assign(document.createElement("input"), { type: "checkbox", checked: value });
    input.addEventListener("change", () => source.setBool(name, input.checked));
    box.append(labelled(name, input));
  }
  for (const name of Object.keys(triggers)) button(box, name, () => source.setTrigger(name));
  if (!isMachine) {
    json.nodes.forEach((node, i) => {
      if (node.kind === "one-shot") button(box, node.name ?? `one-shot ${i}`, () => source.trigger(i));
    });
  }
  const own = isMachine ? json.states.find((state) => state.graph !== undefined) : undefined;
  const inGraph = isMachine ? own?.graph : json, node = inGraph?.nodes.findIndex((one) => one.kind === "blend-space-2d" && one.positionParameters !== undefined) ?? -1;
  at("pad").hidden = node < 0;
  if (node < 0) return;
  const space = inGraph.nodes[node], xs = space.points.map((point) => point.x), ys = space.points.map((point) => point.y);
  pad = { node, space, graph: () => (isMachine ? source.getStateGraph(own.name) : source), bounds: { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) } };
}

function labelled(name, input) {
  const label = document.createElement("label");
  label.append(name, input);
  return label;
}

function button(box, name, action) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: name });
  made.addEventListener("click", action);
  box.append(made);
}

at("pad").addEventListener("pointermove", (event) => event.buttons === 1 && drag(event));
at("pad").addEventListener("pointerdown", (event) => {
  at("pad").setPointerCapture(event.pointerId);
  drag(event);
});
function drag(event) {
  if (pad === undefined) return;
  const { width, height } = at("pad").getBoundingClientRect(), { x0, x1, y0, y1 } = pad.bounds, margin = 30 / 448;
  const u = Math.min(1, Math.max(0, (event.offsetX / width - margin) / (1 - 2 * margin))), marginY = 30 / 300, v = Math.min(1, Math.max(0, (1 - event.offsetY / height - marginY) / (1 - 2 * marginY)));
  set(pad.space.positionParameters[0], x0 + u * (x1 - x0));
  set(pad.space.positionParameters[1], y0 + v * (y1 - y0));
}
function set(name, value) {
  source.setFloat(name, value);
  const slider = at(`float-${name}`);
  if (slider !== null) slider.value = value;
}

async function take(file) {
  try {
    load(await file.text());
    at("note").className = "hint";
    at("note").textContent = `${file.name} runs.`;
  } catch (error) {
    at("note").className = "hint bad";
    at("note").textContent = error.message;
  }
}
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file !== undefined) void take(file);
});
at("open").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", () => at("file").files.length > 0 && take(at("file").files[0]));
at("save").addEventListener("click", () => {
  const url = URL.createObjectURL(new Blob([JSON.stringify(source, null, 2)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: "machine.json" }).click();
  URL.revokeObjectURL(url);
});

let last = performance.now();
/** A look at the moment from outside. */
window.inspected = () => ({ state: source instanceof AnimStateMachine ? source.getCurrentState() : "", place: { ...place } });
function frame(now) {
  const dt = Math.min(0.1, (now - last) / 1000) * Number(at("time").value), start = performance.now();
  last = now;
  source.update(dt);
  source.getPose().computeWorld(skeleton);
  spent += (performance.now() - start - spent) * 0.05;
  const dx = source.getRootMotionX(), dz = source.getRootMotionZ();
  place.x += dx * Math.cos(place.yaw) + dz * Math.sin(place.yaw);
  place.z += -dx * Math.sin(place.yaw) + dz * Math.cos(place.yaw);
  place.yaw += 2 * Math.atan2(source.getRootMotionRotationY(), source.getRootMotionRotationW());
  for (let i = 0; i < source.getEventCount(); i++) heard.unshift(`${source.getEventName(i)} ${source.getEventPayload(i)}`.trim());
  heard.length = Math.min(3, heard.length);

  const narrow = innerWidth < 860, sheet = innerWidth <= 700, left = narrow ? 0 : 300, right = innerWidth - 20, isMachine = source instanceof AnimStateMachine;
  figure.draw(source.getPose(), [narrow ? 0 : 2 * ((left + 0.27 * (right - left)) / innerWidth) - 1, sheet ? 0.17 : 0], place, sheet ? 0.72 : 1);
  map.begin();
  const area = sheet ? { x: 12, y: 26, width: innerWidth - 24, height: innerHeight * 0.27 }
    : narrow ? { x: 20, y: innerHeight * 0.56, width: innerWidth - 40, height: innerHeight * 0.42 }
      : { x: left + 0.5 * (right - left), y: 40, width: 0.5 * (right - left), height: innerHeight - 70 };
  const current = isMachine ? json.states.find((state) => state.name === source.getCurrentState()) : undefined;
  // A phone has room for one of the two maps.
  const split = isMachine ? (sheet ? 1 : 0.4) : 0;
  if (isMachine) {
    map.title("states", area.x, area.y - 14);
    map.machine(json, source, { ...area, height: area.height * split - 10 }, now / 1000);
  }
  const inGraph = isMachine ? current?.graph : json;
  if (inGraph !== undefined && split < 1) {
    map.title(isMachine ? `the graph of “${current.name}”` : "nodes", area.x, area.y + area.height * split + 6);
    map.graph(inGraph, isMachine ? source.getStateGraph(current.name) : source, { ...area, y: area.y + area.height * split + 20, height: area.height * (1 - split) - 24 });
  }
  if (pad !== undefined) drawPad(at("pad"), pad.space, pad.node, pad.graph(), pad.bounds);
  at("state").textContent = isMachine ? source.getCurrentState() : "graph";
  at("events").textContent = heard.join(", ");
  at("update").textContent = `${(spent * 1000).toFixed(0)} µs`;
  window.shown = (window.shown ?? 0) + 1;
  requestAnimationFrame(frame);
}

load(await (await fetch("./locomotion.json")).text());
requestAnimationFrame(frame);
