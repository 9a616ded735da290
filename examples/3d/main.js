// The page: one character or a crowd of the same, on a plain.
import { Camera } from "./camera.js";
import { Many } from "./many.js";
import { One } from "./one.js";
import { fetchRig, rigOf } from "./rig.js";
import { Ground } from "./stage.js";

const SKY = [0.72, 0.66, 0.66], GROUND = [0.36, 0.38, 0.42], SHADOW = [0.24, 0.25, 0.29];
/** Flattens everything onto the ground along the light. */
const SHADOWS = [1, 0, 0, 0, -0.5, 0, -0.56, 0, 0, 0, 1, 0, 0, 0.004, 0, 1];
const at = (id) => document.getElementById(id);
const isOn = (id) => at(id).getAttribute("aria-pressed") === "true";

const canvas = at("stage"), gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
const camera = new Camera();
let ground, rig, one, many, last = 0, posing = 0;
/** Until the visitor chooses a number the crowd grows as long as frames are quick. */
const WANTED = 2000, QUICK = 0.045;
let grows = true;

function say(error) {
  at("message").hidden = !error;
  at("message").textContent = error ? String(error.message ?? error) : "";
  if (error) console.warn(error);
}

function show(next) {
  one?.dispose();
  many?.dispose();
  rig = next;
  one = new One(gl, rig);
  many = new Many(gl, rig);
  camera.size = rig.height;
  at("clip").replaceChildren(...rig.clips.map((clip, i) => new Option(clip.getName() || `clip ${i}`, String(i))));
  const walk = Math.max(0, rig.clips.findIndex((clip) => /^walk$/i.test(clip.getName())));
  at("clip").value = String(walk);
  if (rig.clips.length > 0) one.play(rig.clips[walk], 0);
  one.useRootMotion(isOn("root"));
  many.setCount(grows ? 60 : Number(at("count").value));
  at("joints").textContent = String(rig.skeleton.getBoneCount());
  if (rig.skins.length === 0 && isOn("many")) setMode("one");
  setMode(isOn("one") ? "one" : "many");
}

function setMode(mode) {
  for (const name of ["one", "many"]) {
    at(name).setAttribute("aria-pressed", String(name === mode));
    at(`for-${name}`).hidden = name !== mode;
  }
  camera.distance = mode === "one" ? 2.4 : 9;
  camera.pitch = mode === "one" ? 0.16 : 0.32;
}

function frame(now) {
  requestAnimationFrame(frame);
  const dt = Math.min(0.1, (now - last) / 1000);
  last = now;
  if (rig === undefined || document.hidden) return;
  if (grows && isOn("many") && dt < QUICK && many.crowd.count < WANTED) many.setCount(Math.min(WANTED, Math.ceil(many.crowd.count * 1.1)));
  const started = performance.now(), single = isOn("one");
  if (single) one.update(dt, Number(at("speed").value));
  else many.update(dt, Number(at("pace").value));
  posing += (performance.now() - started - posing) * 0.1;

  const ratio = Math.min(2, devicePixelRatio), width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  camera.target = single ? [one.place[0], 0.52 * rig.height, one.place[1]] : [0, 0.5 * rig.height, 0];
  camera.update(width / height, innerWidth > 700 ? 280 / innerWidth : 0);
  gl.viewport(0, 0, width, height);
  gl.clearColor(...SKY, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  ground.draw(camera, SKY, GROUND);
  if (single) one.draw(camera, SHADOWS, SHADOW, isOn("skin"), isOn("bones"));
  else many.draw(camera, SHADOWS, SHADOW, SKY);

  at("population").textContent = single ? "1" : many.crowd.count.toLocaleString("en-US");
  at("seen").textContent = single ? "1" : many.seen.toLocaleString("en-US");
  at("posing").textContent = `${posing.toFixed(2)} ms`;
  at("calls").textContent = String(1 + (single ? one : many).drawCalls);
  if (one.event) at("event").textContent = `event ${one.event}`;
  window.shown = (window.shown ?? 0) + 1;
}

function listen() {
  camera.listen(canvas);
  for (const mode of ["one", "many"]) at(mode).addEventListener("click", () => setMode(mode));
  at("clip").addEventListener("change", () => one.play(rig.clips[Number(at("clip").value)], Number(at("fade").value)));
  at("count").addEventListener("input", () => {
    grows = false;
    many.setCount(Number(at("count").value));
  });
  for (const id of ["root", "bones", "skin", "compiled"]) {
    at(id).addEventListener("click", () => {
      at(id).setAttribute("aria-pressed", String(!isOn(id)));
      if (id === "root") one.useRootMotion(isOn("root"));
      if (id === "compiled") many.setCompiled(isOn("compiled"));
    });
  }
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => /\.(glb|gltf|fbx|bvh)$/i.test(name));
    if (file === undefined) return say("Drop a .glb, .gltf (with its buffers inside), .fbx or .bvh file.");
    try {
      const next = await rigOf(file.name, new Uint8Array(await file.arrayBuffer()));
      if (next.clips.length === 0) throw new Error(`${file.name} has no animation.`);
      show(next);
      say(null);
    } catch (error) {
      say(error);
    }
  });
}

if (gl === null) {
  say("This page draws with WebGL2, which is not available here.");
} else {
  ground = new Ground(gl);
  listen();
  try {
    show(await fetchRig("../assets/biped.glb"));
  } catch (error) {
    say(error);
  }
  requestAnimationFrame(frame);
}
