import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimClip, AnimFormatError, AnimGraph, AnimGraphBatch, AnimIndexError, AnimMirror, AnimMismatchError, AnimNameError, AnimPose, AnimSkeleton, AnimStateError, mirrorClip } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";

/** Hips with two arms and two legs, symmetric in model space; bones have any axes. */
function rig(seed: number): AnimSkeleton {
  const random = seeded(seed), skeleton = new AnimSkeleton(), places: [string, number, number, number, number][] = [
      ["hips", -1, 0, 1, 0], ["spine", 0, 0, 1.4, 0], ["arm.L", 1, 0.3, 1.4, 0], ["arm.R", 1, -0.3, 1.4, 0], ["leg.L", 0, 0.1, 0.9, 0.02], ["leg.R", 0, -0.1, 0.9, 0.02],
    ], pose = new AnimPose(places.length);
  for (const [name, parent] of places) skeleton.addBone(name, parent);
  pose.computeWorld(skeleton);
  for (const [bone, [, , x, y, z]] of places.entries()) {
    pose.setWorldRotation(skeleton, bone, ...randomQuaternion(random));
    pose.setWorldPosition(skeleton, bone, x, y, z);
    skeleton.setBindPosition(bone, pose.getLocalPositionX(bone), pose.getLocalPositionY(bone), pose.getLocalPositionZ(bone));
    skeleton.setBindRotation(bone, pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone));
  }
  return skeleton;
}

/** Turns and moves everything; the hips walk in a curve. */
function dance(skeleton: AnimSkeleton, seed: number, name: string): AnimClip {
  const random = seeded(seed), clip = new AnimClip(name);
  for (let key = 0; key <= 4; key++) {
    clip.addPositionKey(0, key / 4, random(), 1 + 0.1 * random(), key / 2);
    for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
      // Within a sixth of a turn of the bind pose.
      const q = randomQuaternion(random).map((v, i) => 0.3 * v + [skeleton.getBindRotationX(bone), skeleton.getBindRotationY(bone), skeleton.getBindRotationZ(bone), skeleton.getBindRotationW(bone)][i]!);
      clip.addRotationKey(bone, key / 4, q[0]!, q[1]!, q[2]!, q[3]!);
    }
  }
  clip.addEvent(0.5, "step");
  return clip;
}

function locals(pose: AnimPose): number[] {
  const out: number[] = [];
  pose.writeLocalTo(out);
  return out;
}

function expectSame(got: number[], want: number[], tolerance: number): void {
  for (let at = 0; at < want.length; at += 10) {
    expect(angleBetween(got.slice(at + 3, at + 7), want.slice(at + 3, at + 7))).toBeLessThan(tolerance);
    for (const k of [0, 1, 2, 7, 8, 9]) expect(Math.abs(got[at + k]! - want[at + k]!)).toBeLessThan(tolerance);
  }
}

const motion = (graph: AnimGraph): number[] => [
  graph.getRootMotionX(), graph.getRootMotionY(), graph.getRootMotionZ(), graph.getRootMotionRotationX(), graph.getRootMotionRotationY(), graph.getRootMotionRotationZ(),
  graph.getRootMotionRotationW(),
];

describe("mirror nodes", () => {
  it("show what AnimMirror makes of the input's pose, in any place of the graph", () => {
    for (const seed of [1, 2, 3]) {
      const skeleton = rig(seed), clip = dance(skeleton, seed + 5, "a"), other = dance(skeleton, seed + 9, "b"), mirror = new AnimMirror(skeleton);
      const plain = new AnimGraph(skeleton), graph = new AnimGraph(skeleton), want = new AnimPose();
      plain.addBlend(plain.addClip(clip), plain.addClip(other), 0.25);
      graph.addMirror(graph.addBlend(graph.addClip(clip), graph.addClip(other), 0.25), mirror);
      // The mirror's input is read by another node, too, and the mirror's pose by two.
      const shared = new AnimGraph(skeleton), blend = shared.addBlend(shared.addClip(clip), shared.addClip(other), 0.25), image = shared.addMirror(blend);
      shared.addBlend(shared.addBlend(blend, image, 1), image, 0.5);
      for (let i = 0; i < 5; i++) {
        for (const one of [plain, graph, shared]) one.update(0.17);
        want.copyFrom(plain.getPose());
        mirror.apply(want);
        expect(locals(graph.getPose())).toEqual(locals(want));
        expectSame(locals(shared.getPose()), locals(want), 1e-6);
        expect([graph.getEventCount(), graph.getNodeKind(3)]).toEqual([plain.getEventCount(), "mirror"]);
      }
    }
  });

  it("mirror root motion as a mirrored clip has it, in every mode", () => {
    const skeleton = rig(4), clip = dance(skeleton, 20, "a"), mirror = new AnimMirror(skeleton), mirrored = mirrorClip(clip, skeleton);
    for (const translation of ["xyz", "xz"] as const) for (const rotation of ["full", "none"] as const) for (const space of ["model", "local"] as const) {
      const graph = new AnimGraph(skeleton), plain = new AnimGraph(skeleton);
      graph.addMirror(graph.addClip(clip), mirror);
      plain.addClip(mirrored);
      for (const one of [graph, plain]) {
        one.setRootMotionBone(0);
        one.setRootMotionMode({ translation, rotation, space });
      }
      for (let i = 0; i < 12; i++) {
        graph.update(0.13);
        plain.update(0.13);
        const got = motion(graph), want = motion(plain);
        expect(angleBetween(got.slice(3), want.slice(3)), `${rotation} ${space}`).toBeLessThan(2e-4);
        for (let k = 0; k < 3; k++) expect(Math.abs(got[k]! - want[k]!), `${translation} ${rotation} ${space} ${k}`).toBeLessThan(2e-4);
      }
    }
  });

  it("give batches and instances the same bits, and free what they made", () => {
    const skeleton = rig(5), clip = dance(skeleton, 30, "a");
    new AnimMirror(skeleton).apply(new AnimPose(6));
    const before = heap.usedBytes;
    const graph = new AnimGraph(skeleton), batch = new AnimGraphBatch();
    graph.addMirror(graph.addClip(clip), Int32Array.of(0, 1, 3, 2, 5, 4));
    const copies = [graph.instantiate(), graph.instantiate()];
    for (const copy of copies) batch.add(copy);
    for (let i = 0; i < 3; i++) {
      graph.update(0.1);
      batch.update(0.1);
      for (const copy of copies) expect(locals(copy.getPose())).toEqual(locals(graph.getPose()));
    }
    for (const one of [batch, graph, ...copies]) one.dispose();
    clip.dispose();
    expect(heap.usedBytes).toBeLessThanOrEqual(before);
  });

  it("come back from JSON by the names of bones", () => {
    const skeleton = rig(6), clip = dance(skeleton, 40, "a"), graph = new AnimGraph(skeleton);
    graph.addMirror(graph.addClip(clip));
    graph.addMirror(1, new AnimMirror(skeleton, undefined, "z"));
    const json = JSON.parse(JSON.stringify(graph)), again = AnimGraph.fromJSON(json, skeleton, [clip]);
    expect(json.nodes[1]).toEqual({ kind: "mirror", input: 0, pairs: { "arm.L": "arm.R", "leg.L": "leg.R" } });
    expect([again.toJSON(), json.nodes[2].axis]).toEqual([json, "z"]);
    for (const one of [graph, again]) one.update(0.3);
    expect(locals(again.getPose())).toEqual(locals(graph.getPose()));
    const broken = (pairs: unknown): unknown => AnimGraph.fromJSON({ ...json, nodes: [json.nodes[0], { ...json.nodes[1], pairs }], root: 1 }, skeleton, [clip]);
    expect(() => broken({ "arm.L": "arm" })).toThrow(AnimNameError);
    expect(() => broken({ "arm.L": "arm.R", "leg.L": "arm.R" })).toThrow(AnimFormatError);
    expect(() => broken(3)).toThrow(AnimFormatError);
  });

  it("refuse what is no mirror of the skeleton", () => {
    const skeleton = rig(7), graph = new AnimGraph(skeleton), clip = graph.addClip(new AnimClip()), gone = new AnimMirror(skeleton);
    gone.dispose();
    expect(() => graph.addMirror(3)).toThrow(AnimIndexError);
    expect(() => graph.addMirror(clip, [0, 1])).toThrow(AnimArgumentError);
    expect(() => graph.addMirror(clip, undefined, "w" as never)).toThrow(AnimArgumentError);
    expect(() => graph.addMirror(clip, new AnimMirror(rig(7)))).toThrow(AnimMismatchError);
    expect(() => graph.addMirror(clip, gone)).toThrow(AnimStateError);
    expect(() => graph.setBoneMask(graph.addMirror(clip), 0, 1)).toThrow(AnimArgumentError);
    expect(graph.getNodeCount()).toBe(2);
  });
});
