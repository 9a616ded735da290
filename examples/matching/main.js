// Motion matching: the biped is driven, and the frame of all clips that fits best is looked up as it goes.
import { AnimRetargetProfile, mirrorMapByName, MotionDatabase, MotionMatcher } from "../../dist/anim/index.js";
import { importBvh } from "../../dist/import/bvh/index.js";
import { bodyOf, loadBiped, run } from "../shared/biped.js";
import { createStage, place } from "../shared/stage3d.js";

const stage = createStage(document.getElementById("stage"), { distance: 5.2, target: [0, 0.9, 0], yaw: 2.6, pitch: 0.32 });
const $ = (id) => document.getElementById(id);
const character = await loadBiped(), { skeleton, clips } = character, body = bodyOf(stage, character);
const LOCOMOTION = ["idle", "walk", "walk_left", "walk_right", "walk_left_tight", "walk_right_tight", "walk_start", "walk_stop", "turn_left", "turn_right", "run"];

let database, matcher, names = [];
function bake(list, mirrored) {
  database = new MotionDatabase(skeleton);
  database.setRootBoneByName("root");
  for (const name of ["foot_l", "foot_r", "hips"]) database.addFeatureBoneByName(name);
  names = list.map((clip) => clip.getName());
  for (const clip of list) database.addClip(clip);
  database.setNormalization("feature");
  if (mirrored) database.setMirror(mirrorMapByName(skeleton));
  database.bake();
  matcher?.dispose();
  matcher = new MotionMatcher(skeleton, database);
  matcher.setRootAdjustment({ positionHalfLife: 0.15, yawHalfLife: 0.15, maxRatio: 0.4 });
  const bone = (name) => skeleton.findBone(name);
  matcher.setFootLock(["l", "r"].map((side) => ({
    upper: bone(`upper_leg_${side}`), lower: bone(`lower_leg_${side}`), foot: bone(`foot_${side}`), contact: bone(`toe_${side}`), ...(mirrored ? {} : { curve: `contact_${side}` }),
  })));
  $("half").oninput();
}
$("half").oninput = () => matcher?.setTrajectoryHalfLife(Number($("half").value), Number($("half").value));
bake(LOCOMOTION.filter((name) => clips.has(name)).map((name) => clips.get(name)), false);

// ---- what the visitor wants -------------------------------------------------------------------------------------------

const held = new Set();
const KEYS = { KeyW: "up", ArrowUp: "up", KeyS: "down", ArrowDown: "down", KeyA: "left", ArrowLeft: "left", KeyD: "right", ArrowRight: "right", ShiftLeft: "run", ShiftRight: "run" };
addEventListener("keydown", (event) => {
  const key = KEYS[event.code];
  if (key === undefined) return;
  held.add(key);
  if (key !== "run") $("auto").setAttribute("aria-pressed", "false");
  event.preventDefault();
});
addEventListener("keyup", (event) => held.delete(KEYS[event.code]));
addEventListener("blur", () => held.clear());
for (const id of ["auto", "show"]) $(id).onclick = () => $(id).setAttribute("aria-pressed", $(id).getAttribute("aria-pressed") !== "true");
const on = (id) => $(id).getAttribute("aria-pressed") === "true";

/** Where to, seen from the camera: x to the right, y ahead; length up to 1. */
function stick() {
  let x = Number(held.has("right")) - Number(held.has("left")), y = Number(held.has("up")) - Number(held.has("down"));
  for (const pad of navigator.getGamepads?.() ?? []) {
    if (pad === null || Math.hypot(pad.axes[0], pad.axes[1]) < 0.2) continue;
    [x, y] = [pad.axes[0], -pad.axes[1]];
    $("auto").setAttribute("aria-pressed", "false");
  }
  const size = Math.hypot(x, y);
  return size > 1 ? [x / size, y / size] : [x, y];
}

let heading = 0;
function steer(time) {
  if (on("auto")) {
    // A figure of eight: the heading swings from side to side.
    heading = 2.2 * Math.sin(time * 0.55);
    matcher.setDesiredVelocity(1.15 * Math.sin(heading), 1.15 * Math.cos(heading));
    matcher.setDesiredYaw(heading);
    return;
  }
  const [x, y] = stick(), speed = held.has("run") && clips.has("run") ? 2.6 : 1.15, { yaw } = stage.camera;
  const vx = (x * Math.cos(yaw) - y * Math.sin(yaw)) * speed, vz = (-x * Math.sin(yaw) - y * Math.cos(yaw)) * speed;
  matcher.setDesiredVelocity(vx, vz);
  if (Math.hypot(vx, vz) > 0.05) heading = Math.atan2(vx, vz);
  matcher.setDesiredYaw(heading);
}

// ---- pictures -----------------------------------------------------------------------------------------------------------

const predicted = new Float64Array(6), costs = {}, trail = [], matrix = new Float32Array(16), raw = new Float32Array(256);
function drawTrajectories() {
  const wish = [];
  for (let t = 0; t <= 1.01; t += 0.1) {
    matcher.getPrediction(t, predicted);
    wish.push([predicted[0], 0.03, predicted[1]]);
  }
  stage.line(wish, "#f0a63a", 4);
  for (const t of [1 / 3, 2 / 3, 1]) {
    matcher.getPrediction(t, predicted);
    stage.dot(predicted[0], 0.03, predicted[1], 5, "#f0a63a");
    stage.line([[predicted[0], 0.03, predicted[1]], [predicted[0] + 0.3 * predicted[2], 0.03, predicted[1] + 0.3 * predicted[3]]], "#f0a63a", 2);
  }
  const frame = matcher.getMatchedFrame();
  if (frame < 0) return;
  database.getRawFeature(frame, raw);
  const s = Math.sin(matcher.getRootYaw()), c = Math.cos(matcher.getRootYaw()), x = matcher.getRootX(), z = matcher.getRootZ(), way = [[x, 0.03, z]];
  const features = database.getFeatures();
  for (const { kind, offset } of features) {
    if (kind === "trajectoryPosition") way.push([x + raw[offset] * c + raw[offset + 1] * s, 0.03, z - raw[offset] * s + raw[offset + 1] * c]);
    // Where the matched frame has its feature bones.
    if (kind === "bonePosition") stage.dot(x + raw[offset] * c + raw[offset + 2] * s, raw[offset + 1], z - raw[offset] * s + raw[offset + 2] * c, 5, "#6fd3ff");
  }
  stage.line(way, "#6fd3ff", 4);
  for (const p of way.slice(1)) stage.dot(...p, 5, "#6fd3ff");
  stage.line(trail, "#ffffff44", 2);
}

function showCosts() {
  matcher.getDebugCosts(costs);
  const most = Math.max(0.5, ...costs.continuing);
  $("costs").innerHTML = costs.groups.map((group, i) => `<label>${group.replace(/([A-Z])/g, " $1").toLowerCase()} <progress max="1" value="${Math.min(1, costs.continuing[i] / most)}" style="width:100%"></progress></label>`).join("");
}

let ticks = 0, spent = 0;
run((dt, time) => {
  steer(time);
  const start = performance.now();
  matcher.update(dt);
  spent += (performance.now() - start - spent) * 0.05;
  const x = matcher.getRootX(), z = matcher.getRootZ(), pose = matcher.getPose();
  if (ticks % 6 === 0) trail.push([x, 0.02, z]);
  if (trail.length > 160) trail.shift();
  pose.computeWorld(skeleton);
  const { target } = stage.camera;
  target[0] += (x - target[0]) * Math.min(1, dt * 5);
  target[2] += (z - target[2]) * Math.min(1, dt * 5);
  stage.begin();
  body.draw(pose, [0.95, 0.62, 0.35, 1], place(x, 0, z, matcher.getRootYaw(), 1, matrix));
  if (on("show")) drawTrajectories();
  if (ticks++ % 10 === 0) {
    $("clip").textContent = names[matcher.getMatchedClipIndex()] ?? "none";
    $("frame").textContent = `${matcher.getMatchedFrame()} of ${database.getFrameCount()}`;
    $("time").textContent = `${(spent * 1000).toFixed(0)} µs an update`;
    $("cost").textContent = matcher.getLastSearchCost().toFixed(2);
    showCosts();
  }
});

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const list = [], trouble = [];
  for (const file of event.dataTransfer.files) {
    try {
      const { skeleton: source, clip } = importBvh(await file.text(), { file: file.name, scale: 1 }), profile = new AnimRetargetProfile();
      profile.setGroundContact(true);
      profile.setAutoAlignReference(true);
      const own = clip.retargetWithProfile(source, skeleton, profile);
      own.setLoop(false);
      list.push(own);
    } catch (error) {
      trouble.push(error.message);
    }
  }
  if (list.length > 0) bake(list, true);
  if (trouble.length > 0) $("clip").textContent = trouble.join(" ");
});
