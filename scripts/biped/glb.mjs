/** Assembles the biped as a glTF document and writes it as GLB. */
import { Document, Logger, NodeIO } from "@gltf-transform/core";
import { plans } from "./clips.mjs";
import { makeFrames } from "./gait.mjs";
import { buildMesh } from "./mesh.mjs";
import { BONES, boneIndex, restOffset } from "./skeleton.mjs";

/** The document: one skinned mesh of 24 joints and every clip, the clips' events in their extras. */
export function buildDocument() {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  const root = document.getRoot();
  root.getAsset().generator = "osteon scripts/biped";
  const buffer = document.createBuffer();
  const accessor = (array, type, normalized = false) => document.createAccessor().setBuffer(buffer).setArray(array).setType(type).setNormalized(normalized);

  const nodes = BONES.map((bone) => document.createNode(bone.name).setTranslation(restOffset(bone)));
  BONES.forEach((bone, i) => {
    if (bone.parent !== null) nodes[boneIndex[bone.parent]].addChild(nodes[i]);
  });
  const inverseBind = new Float32Array(BONES.length * 16);
  BONES.forEach(({ place }, i) => inverseBind.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -place[0], -place[1], -place[2], 1], i * 16));
  const skin = document.createSkin("biped").setSkeleton(nodes[0]).setInverseBindMatrices(accessor(inverseBind, "MAT4"));
  for (const node of nodes) skin.addJoint(node);

  const mesh = buildMesh();
  const primitive = document.createPrimitive()
    .setIndices(accessor(mesh.indices, "SCALAR"))
    .setAttribute("POSITION", accessor(mesh.positions, "VEC3"))
    .setAttribute("NORMAL", accessor(mesh.normals, "VEC3"))
    .setAttribute("COLOR_0", accessor(mesh.colors, "VEC4", true))
    .setAttribute("JOINTS_0", accessor(mesh.joints, "VEC4"))
    .setAttribute("WEIGHTS_0", accessor(mesh.weights, "VEC4", true))
    .setMaterial(document.createMaterial("biped").setRoughnessFactor(0.85).setMetallicFactor(0));
  const body = document.createNode("biped_mesh").setMesh(document.createMesh("biped").addPrimitive(primitive)).setSkin(skin);
  document.createScene("biped").addChild(nodes[0]).addChild(body);

  for (const plan of plans()) addAnimation(document, accessor, nodes, plan);
  return document;
}

function addAnimation(document, accessor, nodes, plan) {
  const frames = makeFrames(plan);
  const animation = document.createAnimation(plan.name).setExtras(clipExtras(plan, frames));
  const times = accessor(Float32Array.from(frames, (frame) => frame.time), "SCALAR");
  const once = accessor(Float32Array.from([0]), "SCALAR");
  // Rotations are kept as normalised 16-bit integers, half the bytes for an error of 2e-5 rad.
  const packed = (values) => Int16Array.from(values, (v) => Math.round(v * 32767));
  const add = (bone, path, rows, type) => {
    const constant = rows.every((row) => row.every((v, k) => Math.abs(v - rows[0][k]) < 1e-7));
    const values = constant ? rows[0] : rows.flat();
    const sampler = document.createAnimationSampler().setInput(constant ? once : times).setOutput(path === "rotation" ? accessor(packed(values), type, true) : accessor(Float32Array.from(values), type));
    animation.addSampler(sampler).addChannel(document.createAnimationChannel().setTargetNode(nodes[bone]).setTargetPath(path).setSampler(sampler));
  };
  add(boneIndex.root, "translation", frames.map((frame) => frame.root), "VEC3");
  add(boneIndex.hips, "translation", frames.map((frame) => frame.hips), "VEC3");
  BONES.forEach((_, bone) => {
    let previous;
    const rows = frames.map((frame) => {
      const q = frame.rotations[bone];
      const flip = previous !== undefined && q.reduce((sum, v, i) => sum + v * previous[i], 0) < 0;
      previous = flip ? q.map((v) => -v) : q;
      return previous;
    });
    add(bone, "rotation", rows, "VEC4");
  });
}

/** Loop flag, tags, foot contacts as curves, plants as sync markers and events. */
function clipExtras(plan, frames) {
  const round = (t) => Math.round(t * 1e6) / 1e6;
  const curves = {};
  const events = [];
  for (const s of ["l", "r"]) {
    const keys = [];
    frames.forEach(({ time, contact }, i) => {
      const before = i === 0 ? undefined : frames[i - 1].contact[s];
      if (contact[s] === before) return;
      if (before !== undefined) keys.push([round(time), before]);
      keys.push([round(time), contact[s]]);
      if (before === 0 && contact[s] === 1) events.push({ time: round(time), name: "step", payload: s === "l" ? "left" : "right" });
    });
    curves[`contact_${s}`] = keys;
  }
  events.sort((a, b) => a.time - b.time);
  const syncMarkers = plan.loop ? events.map(({ time, payload }) => ({ time, name: `${payload}_plant` })) : [];
  return { loop: plan.loop, tags: plan.tags, events, syncMarkers, curves };
}

/** The document as bytes. */
export function writeGlb() {
  return new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).writeBinary(buildDocument());
}
