// A crowd of mops: twelve chains of eight particles each, simulated four characters at a time, and two balls to drag.
import { AnimPose, AnimSkeleton, DynamicBoneSolver } from "../../dist/anim/index.js";
import { run } from "../shared/biped.js";
import { ball, createStage, place } from "../shared/stage3d.js";

const CHAINS = 12, PARTICLES = 8, SEGMENT = 0.085, HEAD = 0.17, SIDES = 6;
const stage = createStage(document.getElementById("stage"), { distance: 5.4, target: [0, 0.85, 0], yaw: 0.5, pitch: 0.3 });
const sphere = ball(stage);
const $ = (id) => document.getElementById(id);

// The rig: a head, the chains around its crown, and two bones that carry the balls.
const skeleton = new AnimSkeleton();
skeleton.addBone("root");
skeleton.addBone("head", 0);
for (let chain = 0; chain < CHAINS; chain++) {
  const angle = (chain / CHAINS) * 2 * Math.PI;
  for (let i = 0; i < PARTICLES; i++) {
    const bone = skeleton.addBone(`hair ${chain} ${i}`, i === 0 ? 1 : skeleton.getBoneCount() - 1);
    if (i === 0) skeleton.setBindPosition(bone, 0.1 * Math.cos(angle), 0.13, 0.1 * Math.sin(angle));
    else skeleton.setBindPosition(bone, SEGMENT * 0.75 * Math.cos(angle), -SEGMENT * 0.66, SEGMENT * 0.75 * Math.sin(angle));
  }
}
const ballBones = [skeleton.addBone("ball a", 0), skeleton.addBone("ball b", 0)];

const solver = new DynamicBoneSolver(skeleton);
for (let chain = 0; chain < CHAINS; chain++) solver.addChain(skeleton.findBone(`hair ${chain} 0`), skeleton.findBone(`hair ${chain} ${PARTICLES - 1}`));
solver.addBoneColliderSphere(1, 0, 0, 0, HEAD);
const balls = [{ at: [0.9, 0.75, 0.9], radius: 0.24, color: [0.95, 0.65, 0.23, 1] }, { at: [-0.95, 0.6, 0.2], radius: 0.18, color: [0.36, 0.68, 1, 1] }];
balls.forEach(({ radius }, i) => solver.addBoneColliderSphere(ballBones[i], 0, 0, 0, radius));

const batch = solver.createBatch();
const mops = [];
for (let row = 0; row < 4; row++) {
  for (let column = 0; column < 5; column++) {
    const pose = new AnimPose(skeleton.getBoneCount()), x = (column - 2) * 1.05 + (row % 2) * 0.4, z = (row - 1.5) * 1.1;
    mops.push({ pose, id: batch.add(pose), x, z, phase: row * 1.7 + column * 2.3, hue: (row * 5 + column) / 20, matrix: new Float32Array(16) });
  }
}

function settle() {
  batch.setGlobalGravity(0, Number($("gravity").value), 0);
  batch.setExternalForce(Number($("wind").value), 0, 0);
  for (let chain = 0; chain < CHAINS; chain++) batch.setChainParticleParameters(chain, Number($("damping").value), 0.03, Number($("stiffness").value), 0.025, 0.2);
}
for (const id of ["gravity", "wind", "stiffness", "damping"]) $(id).oninput = settle;
settle();
$("chains").textContent = `${mops.length * CHAINS}`;
$("particles").textContent = `${mops.length * CHAINS * PARTICLES}`;

// One mesh for all hair: a tapered tube a chain.
const RINGS = PARTICLES * SIDES, tubes = mops.map(() => {
  const indices = [], positions = new Float32Array(CHAINS * RINGS * 3), normals = new Float32Array(CHAINS * RINGS * 3);
  for (let chain = 0; chain < CHAINS; chain++) {
    for (let i = 0; i + 1 < PARTICLES; i++) {
      for (let s = 0; s < SIDES; s++) {
        const a = chain * RINGS + i * SIDES + s, b = chain * RINGS + i * SIDES + ((s + 1) % SIDES);
        indices.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
      }
    }
  }
  return { positions, normals, mesh: stage.mesh(positions, normals, indices) };
});
const circle = Array.from({ length: SIDES }, (_, s) => [Math.cos((s / SIDES) * 2 * Math.PI), Math.sin((s / SIDES) * 2 * Math.PI)]);

function writeTubes({ pose }, { positions, normals, mesh }) {
  let o = 0;
  for (let chain = 0; chain < CHAINS; chain++) {
    for (let i = 0; i < PARTICLES; i++) {
      const bone = 2 + chain * PARTICLES + i, radius = 0.03 * (1 - 0.75 * (i / (PARTICLES - 1)));
      const x = pose.getWorldPositionX(bone), y = pose.getWorldPositionY(bone), z = pose.getWorldPositionZ(bone);
      // Two axes across the bone above: its own x, and what is perpendicular to both.
      const from = i === 0 ? bone + 1 : bone, to = i === 0 ? bone : bone - 1;
      let dx = pose.getWorldPositionX(from) - pose.getWorldPositionX(to), dy = pose.getWorldPositionY(from) - pose.getWorldPositionY(to), dz = pose.getWorldPositionZ(from) - pose.getWorldPositionZ(to);
      const size = Math.hypot(dx, dy, dz) || 1;
      dx /= size;
      dy /= size;
      dz /= size;
      const flat = Math.hypot(dx, dz), ux = flat > 1e-3 ? dz / flat : 1, uz = flat > 1e-3 ? -dx / flat : 0;
      const vx = dy * uz, vy = dz * ux - dx * uz, vz = -dy * ux;
      for (const [c, s] of circle) {
        const nx = ux * c + vx * s, ny = vy * s, nz = uz * c + vz * s;
        normals.set([nx, ny, nz], o);
        positions.set([x + nx * radius, y + ny * radius, z + nz * radius], o);
        o += 3;
      }
    }
  }
  stage.update(mesh, positions, normals);
}

const rgb = (hue, light) => [0, 1 / 3, 2 / 3].map((k) => light * (0.62 + 0.38 * Math.cos(2 * Math.PI * (hue + k)))).concat(1);

stage.pick = (x, y) => {
  const scale = stage.overlay.width / stage.canvas.clientWidth;
  for (const one of balls) {
    const p = stage.project(...one.at), edge = stage.project(one.at[0], one.at[1] + one.radius, one.at[2]);
    if (p && edge && Math.hypot(p[0] - x * scale, p[1] - y * scale) < Math.hypot(p[0] - edge[0], p[1] - edge[1]) * 1.15) {
      return (dx, dy) => {
        one.moved = true;
        stage.drag(one.at, dx, dy).forEach((d, k) => (one.at[k] += d));
        one.at[1] = Math.max(one.radius, one.at[1]);
      };
    }
  }
  return null;
};

let spent = 0;
const sphereMatrix = new Float32Array(16);
run((dt, time) => {
  // Until somebody takes them, the balls roam by themselves.
  balls.forEach((one, i) => {
    if (!one.moved) one.at = [1.9 * Math.sin(time * 0.5 + 3 * i), 0.62 + 0.15 * Math.sin(time), 1.5 * Math.sin(time * 0.37 + 2 * i)];
  });
  const start = performance.now();
  for (const mop of mops) {
    const { pose, phase } = mop, hop = Math.abs(Math.sin(time * 2.2 + phase)), turn = 0.5 * Math.sin(time * 0.9 + phase);
    skeleton.applyBindPose(pose);
    pose.setLocalPosition(1, 0, 0.86 + 0.16 * hop, 0);
    pose.setLocalRotation(1, 0.1 * Math.sin(time * 1.4 + phase), Math.sin(turn), 0, Math.cos(turn));
    ballBones.forEach((bone, i) => pose.setLocalPosition(bone, balls[i].at[0] - mop.x, balls[i].at[1], balls[i].at[2] - mop.z));
    batch.setObjectTransform(mop.id, mop.x, 0, mop.z, 0, 0, 0, 1);
  }
  batch.update(dt);
  spent += (performance.now() - start - spent) * 0.05;
  $("time").textContent = `${spent.toFixed(2)} ms a frame`;

  stage.begin();
  mops.forEach((mop, i) => {
    const { pose } = mop;
    writeTubes(mop, tubes[i]);
    stage.draw(tubes[i].mesh, rgb(mop.hue, 0.95), place(mop.x, 0, mop.z, 0, 1, mop.matrix));
    stage.draw(sphere, [0.93, 0.83, 0.74, 1], place(mop.x + pose.getWorldPositionX(1), pose.getWorldPositionY(1), mop.z + pose.getWorldPositionZ(1), 0, HEAD * 0.94, sphereMatrix));
  });
  for (const one of balls) stage.draw(sphere, one.color, place(...one.at, 0, one.radius, sphereMatrix));
});
