// Motion capture onto other characters, side by side. The built-in motion is the biped's own, written as BVH with other names and units.
import { AnimPose, AnimRetargetProfile } from "../../dist/anim/index.js";
import { exportBvh, importBvh } from "../../dist/import/bvh/index.js";
import { newSkinFromModel } from "../../dist/import/gltf/index.js";
import { bodyOf, loadBiped, loadCharacter, run } from "../shared/biped.js";
import { createStage, place } from "../shared/stage3d.js";

const stage = createStage(document.getElementById("stage"), { distance: 5.6, target: [0, 0.95, 0], yaw: 0.35, pitch: 0.12 });
const $ = (id) => document.getElementById(id);
const biped = await loadBiped();

/** The same body with other proportions: longer legs and arms, a shorter trunk. */
function tallOf({ model, skeleton }) {
  const tall = skeleton.clone();
  for (let bone = 0; bone < tall.getBoneCount(); bone++) {
    const name = tall.getBoneName(bone), k = /lower_(leg|arm)|foot|hand/.test(name) ? 1.35 : /spine|chest|neck/.test(name) ? 0.8 : 1;
    const lift = name === "hips" ? 0.29 : 0;
    tall.setBindPosition(bone, tall.getBindPositionX(bone) * k, tall.getBindPositionY(bone) * k + lift, tall.getBindPositionZ(bone) * k);
  }
  return { skeleton: tall, skins: model.meshes.flatMap((mesh, i) => (mesh.skin >= 0 ? [newSkinFromModel(model, i, tall)] : [])) };
}

const NAMES = {
  hips: "Hips", spine: "LowerBack", chest: "Spine1", neck: "Neck", head: "Head", shoulder: "Shoulder", upper_arm: "Arm", lower_arm: "ForeArm", hand: "Hand",
  fingers: "FingerBase", upper_leg: "UpLeg", lower_leg: "Leg", foot: "Foot", toe: "ToeBase",
};
/** The biped's walk as a capture would come: a text, other names, centimetres. */
function ownCapture() {
  const text = exportBvh(biped.skeleton, biped.clips.get("walk_start") ?? biped.clips.get("walk"));
  return text.replace(/(JOINT|ROOT) (\w+)/g, (_, kind, name) => {
    const [, part, side] = /^(.*?)(?:_([lr]))?$/.exec(name);
    return `${kind} ${side ? (side === "l" ? "Left" : "Right") : ""}${NAMES[part] ?? part}`;
  });
}

const targets = [
  { name: "biped", ...biped, color: [0.95, 0.62, 0.35, 1] },
  { name: "long legs", ...tallOf(biped), color: [0.45, 0.8, 0.62, 1] },
].map((target) => ({ ...target, body: bodyOf(stage, target), pose: new AnimPose(target.skeleton.getBoneCount()), matrix: new Float32Array(16) }));

let source, clip, sourcePose, clock = 0;
function show(text, name) {
  // Captures come in all units: the skeleton is brought to the height of a person.
  const first = importBvh(text, { file: name }), pose = new AnimPose();
  first.clip.sample(0, pose, first.skeleton);
  pose.computeWorld(first.skeleton);
  let low = Infinity, high = -Infinity;
  for (let bone = 0; bone < first.skeleton.getBoneCount(); bone++) {
    low = Math.min(low, pose.getWorldPositionY(bone));
    high = Math.max(high, pose.getWorldPositionY(bone));
  }
  ({ skeleton: source, clip } = importBvh(text, { file: name, scale: 1.7 / Math.max(1e-6, high - low) }));
  clip.setLoop(false);
  sourcePose = new AnimPose(source.getBoneCount());
  $("motion").textContent = `${name}, ${clip.getDuration().toFixed(1)} s`;
  clock = 0;
  bake();
}

const on = (id) => $(id).getAttribute("aria-pressed") === "true";
function bake() {
  const start = performance.now();
  for (const target of targets) {
    const profile = new AnimRetargetProfile();
    profile.setGroundContact(on("ground"));
    profile.setAutoAlignReference(on("align"));
    try {
      target.clip = clip.retargetWithProfile(source, target.skeleton, profile);
      target.clip.setLoop(false);
    } catch (error) {
      target.clip = undefined;
      $("message").textContent = `${target.name}: ${error.message}`;
      continue;
    }
    target.report = profile;
  }
  const { report } = targets[0];
  $("baked").textContent = `${(performance.now() - start).toFixed(0)} ms`;
  if (report === undefined) return;
  $("matched").textContent = `${report.getMatchedBoneCount()} of ${targets[0].skeleton.getBoneCount()}`;
  $("scale").textContent = report.getRootHorizontalScale().toFixed(3);
  $("unmatched").textContent = Array.from({ length: report.getUnmatchedBoneCount() }, (_, i) => report.getUnmatchedTargetBone(i)).join(", ") || "none";
}
for (const id of ["ground", "align"]) {
  $(id).onclick = () => {
    $(id).setAttribute("aria-pressed", String(!on(id)));
    bake();
  };
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  try {
    for (const file of event.dataTransfer.files) {
      if (/\.bvh$/i.test(file.name)) show(await file.text(), file.name);
      else if (/\.(glb|gltf)$/i.test(file.name)) {
        const character = await loadCharacter(await file.arrayBuffer(), { file: file.name });
        targets.push({ name: file.name, ...character, body: bodyOf(stage, character), pose: new AnimPose(character.skeleton.getBoneCount()), matrix: new Float32Array(16), color: [0.7, 0.6, 0.95, 1] });
        bake();
      }
    }
  } catch (error) {
    $("message").textContent = error.message;
  }
});

show(ownCapture(), "the biped's walk as BVH");

function bones(skeleton, pose, x, z, color) {
  for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
    const parent = skeleton.getParent(bone);
    if (parent < 0 || /^root$/i.test(skeleton.getBoneName(parent))) continue;
    stage.line([parent, bone].map((b) => [x + pose.getWorldPositionX(b), pose.getWorldPositionY(b) - floor, z + pose.getWorldPositionZ(b)]), color, 5);
  }
}

let floor = 0;
run((dt) => {
  clock = (clock + dt) % (clip.getDuration() + 0.4);
  const time = Math.min(clock, clip.getDuration());
  clip.sample(time, sourcePose, source);
  sourcePose.computeWorld(source);
  let low = Infinity, cx = 0, cz = 0;
  for (let bone = 0; bone < source.getBoneCount(); bone++) low = Math.min(low, sourcePose.getWorldPositionY(bone));
  floor = Math.min(low, floor + dt * 0.2);
  stage.begin();
  targets.forEach((target, i) => {
    if (target.clip === undefined) return;
    target.clip.sample(time, target.pose, target.skeleton);
    target.pose.computeWorld(target.skeleton);
    const hips = Math.min(1, target.skeleton.getBoneCount() - 1);
    if (i === 0) {
      cx = target.pose.getWorldPositionX(hips);
      cz = target.pose.getWorldPositionZ(hips);
    }
    const x = (i + 0.5) * 1.15 - 0.6;
    target.body.draw(target.pose, target.color, place(x, 0, 0, 0, 1, target.matrix));
    stage.label(x + target.pose.getWorldPositionX(hips), 2.25, target.pose.getWorldPositionZ(hips), target.name);
  });
  bones(source, sourcePose, -1.25, 0, "#7fb2ff");
  const top = Math.min(1, source.getBoneCount() - 1);
  stage.label(-1.25 + sourcePose.getWorldPositionX(top), 2.25, sourcePose.getWorldPositionZ(top), "capture", "#9fc4ff");
  stage.camera.target[0] = cx;
  stage.camera.target[2] = cz;
});
