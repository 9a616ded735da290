// A walk over stairs: the clip knows flat ground only, the feet find the steps.
import { AnimPose, FootIKSolver } from "../../dist/anim/index.js";
import { bodyOf, loadBiped, run } from "../shared/biped.js";
import { createStage, extrude, place } from "../shared/stage3d.js";

const stage = createStage(document.getElementById("stage"), { distance: 4.6, target: [0, 0.95, 0], yaw: 1.15, pitch: 0.18 });
const $ = (id) => document.getElementById(id);
const character = await loadBiped(), { skeleton, clips } = character, body = bodyOf(stage, character), clip = clips.get("walk");

// Up five steps, along a landing, down a slope, and again.
const FIRST = 1.2, STEP = 0.36, COUNT = 5, LANDING = 1.8, SLOPE = 3, LAP = FIRST + STEP * COUNT + LANDING + SLOPE + 1.2;
let step = Number($("height").value), scenery;
function build() {
  const top = step * COUNT, start = FIRST + STEP * COUNT;
  const outlines = [-1, 0, 1].map((k) => {
    const z = k * LAP, line = [[z + FIRST, 0]];
    for (let i = 0; i < COUNT; i++) line.push([z + FIRST + i * STEP, step * (i + 1)], [z + FIRST + (i + 1) * STEP, step * (i + 1)]);
    return [...line, [z + start + LANDING, top], [z + start + LANDING + SLOPE, 0]];
  });
  scenery = extrude(stage, outlines, -1.1, 1.1);
}
build();
$("height").oninput = () => {
  step = Number($("height").value);
  build();
};

/** Height and slope of the ground at a place. */
function groundAt(z, out) {
  const u = ((z % LAP) + LAP) % LAP, start = FIRST + STEP * COUNT, top = step * COUNT;
  out.ny = 1;
  out.nz = 0;
  if (u < FIRST) return 0;
  if (u < start) return step * (Math.floor((u - FIRST) / STEP) + 1);
  if (u < start + LANDING) return top;
  const down = (u - start - LANDING) / SLOPE;
  if (down >= 1) return 0;
  const size = Math.hypot(1, top / SLOPE);
  out.ny = 1 / size;
  out.nz = top / SLOPE / size;
  return top * (1 - down);
}

const bone = (name) => skeleton.findBone(name), hits = [];
const solver = new FootIKSolver(skeleton), REST = 0.085;
solver.setPelvisBone(bone("hips"));
solver.configureLeftLeg(bone("upper_leg_l"), bone("lower_leg_l"), bone("foot_l"), REST);
solver.configureRightLeg(bone("upper_leg_r"), bone("lower_leg_r"), bone("foot_r"), REST);
solver.configureLeftToe(bone("toe_l"), 0.5);
solver.configureRightToe(bone("toe_r"), 0.5);
solver.setGroundQuery({
  query(x, y, z, up, down, out) {
    out.x = x;
    out.z = z;
    out.nx = 0;
    out.y = groundAt(z, out);
    hits.push([x, out.y, z]);
    return out.y <= y + up && out.y >= y - down ? "hit" : "miss";
  },
});

for (const id of ["ik", "lock"]) $(id).onclick = () => $(id).setAttribute("aria-pressed", $(id).getAttribute("aria-pressed") !== "true");
const on = (id) => $(id).getAttribute("aria-pressed") === "true";

const pose = new AnimPose(skeleton.getBoneCount()), level = { ny: 1, nz: 0 }, matrix = new Float32Array(16);
const duration = clip.getDuration(), from = new AnimPose(), to = new AnimPose();
clip.setLoop(false);
clip.sample(0, from, skeleton);
clip.sample(duration, to, skeleton);
const stride = to.getLocalPositionZ(0) - from.getLocalPositionZ(0);
clip.setLoop(true);

let clock = 0, height = 0;
run((dt) => {
  clock += dt;
  const laps = Math.floor(clock / duration), inClip = clock - laps * duration;
  clip.sample(inClip, pose, skeleton);
  // The clip walks by itself; its way goes into the object, so that the feet stand still in the world.
  const z = laps * stride + pose.getLocalPositionZ(0);
  pose.setLocalPosition(0, 0, pose.getLocalPositionY(0), 0);
  // A body goes up a stair evenly: the mean of the ground around it.
  let wanted = 0;
  for (let k = -3; k <= 3; k++) wanted += groundAt(z + k * 0.13, level) / 7;
  height += (wanted - height) * Math.min(1, dt * 9);
  hits.length = 0;
  solver.setFootLockEnabled(on("lock"));
  solver.setObjectTransform(0, height, z, 0, 0, 0, 1);
  if (on("ik")) solver.apply(pose, dt);
  else pose.computeWorld(skeleton);

  const lap = Math.floor(z / LAP) * LAP;
  stage.camera.target[1] = 0.85 + height;
  stage.camera.target[2] = z - lap;
  stage.begin();
  stage.draw(scenery, [0.5, 0.54, 0.7, 1], place(0, 0, 0, 0, 1, matrix), false);
  body.draw(pose, [0.95, 0.62, 0.35, 1], place(0, height, z - lap, 0, 1, matrix));
  hits.forEach(([x, y, hz], i) => stage.dot(x, y, hz - lap, 5, i === 0 ? "#6fd3ff" : "#ffd27a"));
  $("left").textContent = solver.isLeftFootLocked() ? "locked" : "free";
  $("right").textContent = solver.isRightFootLocked() ? "locked" : "free";
  $("pelvis").textContent = `${(solver.getPelvisOffset() * 100).toFixed(1)} cm`;
});
