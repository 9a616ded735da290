/* Data edited in place while skeletons use them: what the official runtime does with the edit, osteon does, too. */
import { afterEach, describe, expect, it } from "vitest";
import * as reference from "@esotericsoftware/spine-core";
import { edits } from "../../../src/spine/edits.js";
import * as spine from "../../../src/spine/index.js";
import { Random, randomRig } from "../animation-state/random.js";
import { official, osteon, type Runtime } from "../animation-state/script.js";

// The two runtimes share names, not types.
// oxlint-disable-next-line no-explicit-any
type Any = any;

const made: { dispose?: () => void }[] = [];
afterEach(() => {
  for (const skeleton of made.splice(0)) skeleton.dispose?.();
});

/** A path, a slider driven by a bone, a transform constraint, a plain, a weighted and a linked mesh. */
const RIG = {
  skeleton: { spine: "4.3.00" },
  bones: [
    { name: "root" }, { name: "arm", parent: "root", x: 10, length: 20 }, { name: "hand", parent: "arm", x: 20, length: 10 },
    { name: "knob", parent: "root", x: 2 }, { name: "copy", parent: "root", y: 5 },
  ],
  slots: [
    { name: "path", bone: "root", attachment: "path" }, { name: "plain", bone: "arm", attachment: "plain" },
    { name: "weighted", bone: "root", attachment: "weighted" }, { name: "linked", bone: "hand", attachment: "linked" },
  ],
  constraints: [
    { type: "slider", name: "slide", animation: "turn", bone: "knob", property: "x", scale: 0.1 },
    { type: "transform", name: "follow", bones: ["copy"], source: "knob", mixX: 1, mixY: 1, properties: { x: { offset: 1, to: { y: { offset: 2, scale: 3 } } } } },
    { type: "path", name: "along", bones: ["arm", "hand"], slot: "path", position: 0.4 },
  ],
  skins: [
    {
      name: "default",
      attachments: {
        path: { path: { type: "path", constantSpeed: false, vertexCount: 6, lengths: [100, 200], vertices: [-10, 0, 0, 0, 10, 5, 60, 40, 80, 60, 90, 90] } },
        plain: { plain: { type: "mesh", uvs: [0, 0, 1, 0, 1, 1], triangles: [0, 1, 2], vertices: [0, 0, 10, 0, 10, 10], hull: 3 } },
        weighted: {
          weighted: {
            type: "mesh", uvs: [0, 0, 1, 0, 1, 1], triangles: [0, 1, 2], hull: 3,
            vertices: [1, 2, 0, 0, 1, 2, 2, 5, 0, 0.5, 3, 1, 1, 0.5, 1, 3, 4, 4, 1],
          },
        },
        linked: { linked: { type: "linkedmesh", source: "plain", slot: "plain", timelines: true } },
      },
    },
  ],
  animations: {
    turn: { bones: { knob: { rotate: [{ value: 0 }, { time: 1, value: 90 }] }, copy: { scale: [{ x: 1, y: 1 }, { time: 1, x: 2, y: 3 }] } } },
    wave: { bones: { knob: { translate: [{ x: 0, y: 0 }, { time: 1, x: 8, y: 2, curve: "stepped" }] }, root: { rotate: [{ value: 5 }, { time: 0.5, value: 30 }] } } },
  },
};

function play(runtime: Runtime, edit: (data: Any, skeleton: Any) => void): number[] {
  const data = runtime.load(RIG);
  const skeleton = new runtime.Skeleton(data);
  made.push(skeleton);
  const state = new runtime.AnimationState(new runtime.AnimationStateData(data));
  state.setAnimation(0, "wave", true);
  const out: number[] = [];
  const frame = (): void => {
    state.update(0.15);
    state.apply(skeleton);
    skeleton.updateWorldTransform(2);
    for (const { appliedPose: pose } of skeleton.bones) out.push(pose.a, pose.b, pose.c, pose.d, pose.worldX, pose.worldY);
    for (const slot of skeleton.slots) {
      const { attachment } = slot.appliedPose;
      const vertices = new Float32Array(attachment.worldVerticesLength);
      attachment.computeWorldVertices(skeleton, slot, 0, vertices.length, vertices, 0, 2);
      out.push(...vertices);
    }
  };
  frame();
  edit(data, skeleton);
  frame();
  edit(data, skeleton);
  frame();
  return out;
}

const attachment = (data: Any, slot: number, name: string): Any => data.skins[0].getAttachment(slot, name);
let kept: Any = null;
const given = new WeakMap<object, number[]>();

const EDITS: Record<string, (data: Any, skeleton: Any) => void> = {
  "vertices of a mesh": (data) => (attachment(data, 1, "plain").vertices[2] += 7),
  "vertices of a weighted mesh": (data) => (attachment(data, 2, "weighted").vertices[3] += 7),
  "weights and bones": (data) => {
    const mesh = attachment(data, 2, "weighted");
    mesh.vertices[5] = 0.2;
    mesh.bones[3] = 2;
  },
  "an array that was taken earlier": (data) => {
    kept ??= { data, vertices: attachment(data, 1, "plain").vertices };
    if (kept.data !== data) kept = { data, vertices: attachment(data, 1, "plain").vertices };
    kept.vertices[0] -= 3;
  },
  "points of a path": (data) => (attachment(data, 0, "path").vertices[4] += 9),
  "lengths of a path": (data) => {
    const { lengths } = attachment(data, 0, "path");
    for (let i = 0; i < lengths.length; i++) lengths[i] *= 0.7;
  },
  "frames by setFrame": (data) => data.animations[1].timelines[0].setFrame(1, 1, 20, 9),
  "frames in place": (data) => data.animations[1].timelines[0].frames.fill(3, 1, 3),
  "vertices that were assigned": (data) => {
    const mesh = attachment(data, 1, "plain");
    if (given.get(mesh) === undefined) {
      given.set(mesh, [1, 2, 3, 4, 5, 6]);
      mesh.vertices = given.get(mesh);
    } else (given.get(mesh) as number[]).splice(3, 1, 8);
  },
  "frames replaced": (data) => {
    const [timeline] = data.animations[1].timelines;
    timeline.frames = Float32Array.of(0, 4, 1, 0.2, 30, 3);
  },
  "a frame's curve": (data) => data.animations[1].timelines[1].setStepped(0),
  "frames of a slider's animation": (data) => {
    for (const timeline of data.animations[0].timelines) timeline.frames[timeline.getFrameEntries() + 1] += 20;
  },
  "timelines added to an animation": (data) => {
    const { timelines } = data.animations[1];
    timelines.push(new timelines[0].constructor(1, 0, 4));
    timelines[timelines.length - 1].setFrame(0, 0, 6, 7);
  },
  "what a transform constraint maps": (data) => {
    const { properties } = data.constraints[1];
    properties[0].offset += 2;
    properties[0].to[0].offset -= 1;
    properties[0].to[0].scale *= 1.5;
  },
  "where a slider's property starts": (data) => (data.constraints[0].property.offset += 3),
  "deform values": (_, skeleton) => {
    const { deform } = skeleton.slots[1].pose;
    if (deform.length === 0) for (const value of [1, 2, 13, 4, 15, 6]) deform.push(value);
    deform[2] += 5;
  },
  "length of deform values": (_, skeleton) => {
    const { deform } = skeleton.slots[2].pose;
    deform.length = deform.length === 0 ? 8 : 0;
    for (let i = 0; i < deform.length; i++) deform[i] = i * 2;
  },
};

describe("edits in place", () => {
  it.each(Object.keys(EDITS))("%s", (name) => {
    const wanted = play(official, EDITS[name]!);
    const got = play(osteon, EDITS[name]!);
    expect(wanted).not.toEqual(play(official, () => undefined));
    wanted.forEach((value, i) => expect(got[i], `value ${i}`).toBeCloseTo(value, 3));
  });

  it("of a slider's animation that is also applied alone do not leave the slider behind", () => {
    const data = osteon.load(RIG) as spine.SkeletonData;
    const skeleton = new spine.Skeleton(data);
    made.push(skeleton);
    const turn = data.animations[0]!;
    for (let i = 0; i < 50; i++) {
      (turn.timelines[0] as spine.RotateTimeline).setFrame(1, 1, i);
      turn.apply(skeleton, 0, 0.5, false, null, 1, true, false, false, false);
      skeleton.setupPose();
      skeleton.updateWorldTransform(2);
      expect(skeleton.findBone("knob")!.appliedPose.rotation).toBeCloseTo(i * 0.2, 3);
    }
  });

  it("are not looked for where nobody can have made any", () => {
    const before = edits.arrays;
    const { json, animations } = randomRig(3);
    const data = osteon.load(json) as spine.SkeletonData;
    const skeleton = new spine.Skeleton(data);
    made.push(skeleton);
    const state = new spine.AnimationState(new spine.AnimationStateData(data));
    animations.forEach((name, track) => state.setAnimation(track, name, true));
    for (let i = 0; i < 5; i++) {
      state.update(0.1);
      state.apply(skeleton);
      skeleton.updateWorldTransform(spine.Physics.update);
      new spine.SkeletonBounds().update(skeleton, true);
      skeleton.getBounds({ x: 0, y: 0 }, { x: 0, y: 0 });
    }
    data.defaultSkin!.getAttachments().forEach((entry) => entry.attachment.copy());
    spine.writeSkeletonJson(data);
    spine.writeSkeletonBinary(data);
    expect(edits.arrays).toBe(before);
    for (const { timelines } of data.animations) for (const timeline of timelines) expect(timeline._known).toBeNull();
  });
});

describe("a pose's deform values", () => {
  it("are an array to everybody", () => {
    const r = new Random(8);
    const skeleton = new spine.Skeleton(osteon.load(RIG) as spine.SkeletonData);
    made.push(skeleton);
    const { pose } = skeleton.slots[1]!;
    const list = pose.deform;
    const model: number[] = [];
    for (let i = 0; i < 400; i++) {
      const n = r.int(0, 5);
      const values = Array.from({ length: n }, () => r.int(-9, 9));
      const steps: ((array: number[]) => unknown)[] = [
        (array) => array.push(...values),
        (array) => array.pop(),
        (array) => (array.length = Math.min(array.length, n)),
        (array) => array.splice(n, 1, ...values),
        (array) => array.unshift(...values),
        (array) => array.shift(),
        (array) => array.fill(n),
        (array) => array.reverse(),
        (array) => array.sort((a, b) => a - b),
        (array) => array.map((value) => value * 2),
        (array) => array.concat(values),
        (array) => array.slice(1, 4),
        (array) => array.indexOf(n),
        (array) => JSON.stringify(array),
        (array) => Object.keys(array),
        (array) => n in array,
        (array) => (array[array.length] = n),
        (array) => [...array],
        (array) => array.length,
      ];
      const step = r.pick(steps);
      const plain = (value: unknown): unknown => (Array.isArray(value) ? Array.from(value) : value);
      expect(plain(step(list)), String(step)).toEqual(plain(step(model)));
      expect(Array.from(list)).toEqual(model);
      expect(list.length).toBe(model.length);
    }
    expect(Array.isArray(list)).toBe(true);
    expect(pose.deform).toBe(list);
  });

  it("are copied between poses and stay when memory grows", () => {
    const data = osteon.load(RIG) as spine.SkeletonData;
    const skeleton = new spine.Skeleton(data);
    const other = new spine.Skeleton(data);
    made.push(skeleton, other);
    const { deform } = skeleton.slots[1]!.pose;
    deform.push(1, 2, 3, 4, 5, 6);
    for (let i = 0; i < 200; i++) made.push(new spine.Skeleton(data));
    expect([...deform]).toEqual([1, 2, 3, 4, 5, 6]);
    other.slots[1]!.pose.set(skeleton.slots[1]!.pose);
    deform.length = 0;
    expect([...other.slots[1]!.pose.deform]).toEqual([1, 2, 3, 4, 5, 6]);
    const free = new spine.SlotPose();
    free.set(other.slots[1]!.pose);
    expect([...free.deform]).toEqual([1, 2, 3, 4, 5, 6]);
    skeleton.slots[1]!.pose.set(free);
    expect([...deform]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe("curves of timelines whose frames are edited in place", () => {
  const text = JSON.stringify({
    skeleton: { spine: "4.3.00" },
    bones: [{ name: "root" }],
    animations: {
      a: { bones: { root: { rotate: [{ value: 3, curve: [0.2, 40, 0.7, -10] }, { time: 1, value: 20, curve: [1.25, 25, 1.5, 60] }, { time: 2, value: 90 }] } } },
    },
  });
  const bytes = spine.writeSkeletonBinary(new spine.SkeletonJson(new spine.TextureAtlas("")).readSkeletonData(text));
  const load: Record<string, (lib: Any) => Any> = {
    JSON: (lib) => new lib.SkeletonJson(new lib.AtlasAttachmentLoader(new lib.TextureAtlas(""))).readSkeletonData(text),
    binary: (lib) => new lib.SkeletonBinary(new lib.AtlasAttachmentLoader(new lib.TextureAtlas(""))).readSkeletonData(bytes),
  };

  it.each(["JSON", "binary"])("keep the points that they were loaded with: %s", (format) => {
    const [own, peer] = [spine, reference].map((lib) => {
      const [timeline] = load[format]!(lib).animations[0].timelines;
      timeline.frames[1] = -50;
      timeline.frames[3] = 70;
      return Array.from({ length: 41 }, (_, i) => timeline.getCurveValue(i / 20) as number);
    });
    own!.forEach((value, i) => expect(value).toBeCloseTo(peer![i]!, 4));
  });
});
