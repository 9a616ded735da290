// The page: one character (or a hundred), its skins and animations, and layers that show how it is built.
import { AnimationState, AnimationStateData, Physics, Skeleton } from "../../dist/spine/index.js";
import { CanvasSkeletonRenderer, debugSkeleton, LineBuffer, LineRenderer, SkeletonRenderer } from "../../dist/render/index.js";
import { fetchRig, listRigs, rigOfFiles, setTextures } from "./rigs.js";

const LAYERS = ["bones", "regions", "meshes", "hulls", "paths", "clips", "boxes", "points", "constraints", "bounds"];
const BACKGROUND = [0.133, 0.149, 0.227];
const MANY = 100;
const at = (id) => document.getElementById(id);

let canvas = at("stage");
let gl, renderer, lineRenderer, canvasRenderer;
let rig;
/** Pairs of skeleton and state. */
let cast = [];
const lines = new LineBuffer();
const layers = Object.fromEntries(LAYERS.map((name) => [name, false]));
const view = { x: 0, y: 0, zoom: 1 };
let last = 0;

function say(error) {
  at("message").hidden = !error;
  at("message").textContent = error ? String(error.message ?? error) : "";
  if (error) console.warn(error);
}

/** A canvas serves one kind of context for ever, so changing the renderer changes the canvas. */
function useRenderer(isCanvas2d) {
  renderer?.dispose();
  lineRenderer?.dispose();
  const fresh = canvas.cloneNode();
  canvas.replaceWith(fresh);
  canvas = fresh;
  addPointer();
  gl = isCanvas2d ? null : canvas.getContext("webgl2", { alpha: false, antialias: true, preserveDrawingBuffer: true });
  if (!isCanvas2d && gl === null) say("WebGL2 is not available here; this is Canvas2D.");
  renderer = gl === null ? undefined : new SkeletonRenderer(gl);
  lineRenderer = gl === null ? undefined : new LineRenderer(gl);
  canvasRenderer = gl === null ? new CanvasSkeletonRenderer(canvas.getContext("2d")) : undefined;
  at("renderer").setAttribute("aria-pressed", String(gl === null));
  if (rig !== undefined) setTextures(rig, gl);
}

function show(next) {
  for (const { skeleton } of cast) skeleton.dispose();
  cast = [];
  const before = rig;
  rig = next;
  if (before !== undefined && before !== next) before.data.dispose();
  setTextures(rig, gl);
  fill("skin", rig.data.skins.map(({ name }) => name), rig.data.skins.length > 1 ? 1 : 0);
  const names = rig.data.animations.map(({ name }) => name);
  fill("animation", names, Math.max(0, ["walk", "idle", "run"].map((name) => names.indexOf(name)).find((i) => i >= 0) ?? 0));
  at("bones").textContent = String(rig.data.bones.length);
  recast();
  look();
}

function fill(id, names, chosen) {
  at(id).replaceChildren(...names.map((name, i) => new Option(name, name, i === chosen, i === chosen)));
}

function recast() {
  for (const { skeleton } of cast) skeleton.dispose();
  const count = at("many").getAttribute("aria-pressed") === "true" ? MANY : 1;
  const mixes = new AnimationStateData(rig.data);
  const side = Math.ceil(Math.sqrt(count));
  cast = Array.from({ length: count }, (_, i) => {
    const skeleton = new Skeleton(rig.data);
    skeleton.x = ((i % side) - (side - 1) / 2) * (rig.data.width || 200) * 0.7;
    skeleton.y = ((side - 1) / 2 - Math.floor(i / side)) * (rig.data.height || 200) * 0.5;
    return { skeleton, state: new AnimationState(mixes) };
  });
  dress();
  play(0);
}

function dress() {
  const skin = at("skin").value;
  for (const { skeleton } of cast) {
    if (skin) skeleton.setSkin(skin);
    skeleton.setupPoseSlots();
    skeleton.updateWorldTransform(Physics.reset);
  }
}

function play(mix = Number(at("mix").value)) {
  const name = at("animation").value;
  if (!name) return;
  cast.forEach(({ state }, i) => {
    const entry = state.setAnimation(0, name, true);
    entry.mixDuration = mix;
    if (cast.length > 1) entry.trackTime = i * 0.137;
  });
}

/** Puts what is shown in the middle of the free part of the window. */
function look() {
  for (const { skeleton, state } of cast) {
    state.apply(skeleton);
    skeleton.updateWorldTransform(Physics.reset);
  }
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { skeleton } of cast) {
    const box = skeleton.getBoundsRect();
    if (!Number.isFinite(box.x)) continue;
    [left, bottom] = [Math.min(left, box.x), Math.min(bottom, box.y)];
    [right, top] = [Math.max(right, box.x + box.width), Math.max(top, box.y + box.height)];
  }
  if (left === Infinity) [left, bottom, right, top] = [-200, -200, 200, 200];
  const isPhone = innerWidth <= 700, panel = isPhone ? 0 : 290, sheet = isPhone ? 0.42 * innerHeight : 0;
  view.zoom = 0.78 * Math.min((innerWidth - panel) / (right - left || 1), (innerHeight - sheet) / (top - bottom || 1));
  view.x = (left + right) / 2 - panel / 2 / view.zoom;
  view.y = (bottom + top) / 2 - sheet / 2 / view.zoom;
}

function frame(now) {
  requestAnimationFrame(frame);
  const delta = Math.min(0.1, (now - last) / 1000) * Number(at("speed").value);
  last = now;
  if (rig === undefined) return;
  const started = performance.now();
  for (const { skeleton, state } of cast) {
    state.update(delta);
    state.apply(skeleton);
    skeleton.update(delta);
    skeleton.updateWorldTransform(Physics.update);
  }
  const posing = performance.now() - started;
  draw();
  at("posing").textContent = `${((posing * 1000) / cast.length).toFixed(0)} µs each`;
  window.shown = (window.shown ?? 0) + 1;
}

function draw() {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [Math.round(innerWidth * ratio), Math.round(innerHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  lines.clear();
  if (LAYERS.some((name) => layers[name])) for (const { skeleton } of cast) debugSkeleton(skeleton, lines, layers, 1 / view.zoom);
  const [w, h] = [innerWidth / view.zoom, innerHeight / view.zoom];
  if (gl !== null) {
    gl.viewport(0, 0, width, height);
    gl.clearColor(...BACKGROUND, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    renderer.begin(view.x, view.y, w, h);
    for (const { skeleton } of cast) renderer.draw(skeleton);
    renderer.end();
    lineRenderer.width = 1.4 * ratio;
    lineRenderer.draw(lines, view.x, view.y, w, h);
    at("calls").textContent = String(renderer.drawCalls);
    at("vertices").textContent = String(renderer.vertexCount);
    return;
  }
  const { context } = canvasRenderer;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = "#22263a";
  context.fillRect(0, 0, width, height);
  const scale = view.zoom * ratio;
  context.setTransform(scale, 0, 0, -scale, width / 2 - view.x * scale, height / 2 + view.y * scale);
  for (const { skeleton } of cast) canvasRenderer.draw(skeleton);
  canvasRenderer.drawLines(lines, 1.4 / view.zoom);
  at("calls").textContent = "–";
  at("vertices").textContent = "–";
}

function addPointer() {
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held === null) return;
    view.x -= (event.clientX - held[0]) / view.zoom;
    view.y += (event.clientY - held[1]) / view.zoom;
    held = [event.clientX, event.clientY];
  });
  canvas.addEventListener("pointerup", () => (held = null));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoom *= Math.exp(-event.deltaY / 600);
  }, { passive: false });
}

function addControls(rigs) {
  fill("rig", rigs.map(({ name }) => name), 0);
  at("rig").addEventListener("change", () => load(rigs[at("rig").selectedIndex]));
  at("skin").addEventListener("change", dress);
  at("animation").addEventListener("change", () => play());
  at("renderer").addEventListener("click", () => useRenderer(gl !== null));
  at("many").addEventListener("click", ({ currentTarget }) => {
    currentTarget.setAttribute("aria-pressed", String(currentTarget.getAttribute("aria-pressed") !== "true"));
    recast();
    look();
  });
  for (const name of LAYERS) {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name });
    box.addEventListener("change", () => (layers[name] = box.checked));
    label.append(box, name);
    at("layers").append(label);
  }
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    rigOfFiles(event.dataTransfer.files).then(show).then(() => say(null), say);
  });
}

const load = (source) => fetchRig(source).then(show).then(() => say(null), say);

useRenderer(false);
const rigs = await listRigs();
addControls(rigs);
await load(rigs[0]);
requestAnimationFrame(frame);
