import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { plainMesh, regionOf, smallRig, weightedMesh } from "./rigs.js";

/** The slow and obvious way: sum of weight (M (v + deform) + t), in double precision. */
function expectedVertices(skeleton: spine.Skeleton, slot: spine.Slot, mesh: spine.VertexAttachment): number[] {
  const { deform } = slot.appliedPose;
  const place = (bone: spine.BonePose, x: number, y: number): [number, number] => [
    bone.a * x + bone.b * y + bone.worldX, bone.c * x + bone.d * y + bone.worldY,
  ];
  const out: number[] = [];
  if (mesh.bones === null) {
    const source = deform.length > 0 ? deform : mesh.vertices;
    for (let i = 0; i < mesh.worldVerticesLength; i += 2) out.push(...place(slot.bone.appliedPose, source[i]!, source[i + 1]!));
    return out;
  }
  for (let at = 0, influence = 0; at < mesh.bones.length;) {
    const n = mesh.bones[at++]!;
    let [sumX, sumY] = [0, 0];
    for (let i = 0; i < n; i++, influence++) {
      const [dx, dy] = deform.length > 0 ? [deform[influence * 2]!, deform[influence * 2 + 1]!] : [0, 0];
      const weight = mesh.vertices[influence * 3 + 2]!;
      const [x, y] = place(skeleton.bones[mesh.bones[at++]!]!.appliedPose, mesh.vertices[influence * 3]! + dx, mesh.vertices[influence * 3 + 1]! + dy);
      sumX += x * weight;
      sumY += y * weight;
    }
    out.push(sumX, sumY);
  }
  return out;
}

function posed(): spine.Skeleton {
  const skeleton = new spine.Skeleton(smallRig());
  skeleton.findBone("arm")!.pose.rotation = 33;
  skeleton.findBone("hand")!.pose.rotation = -50;
  skeleton.findBone("hand")!.pose.scaleY = 1.5;
  skeleton.x = 7;
  skeleton.updateWorldTransform(spine.Physics.update);
  return skeleton;
}

/** Ten roundings of numbers up to 100. */
const TOLERANCE = 10 * 2 ** -24 * 100;

function near(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length);
  for (let i = 0; i < found.length; i++) expect(Math.abs(found[i]! - expected[i]!), `value ${i}`).toBeLessThanOrEqual(TOLERANCE);
}

describe("computeWorldVertices", () => {
  it("places a region by hand: rotation 90 turns (x, y) into (-y, x)", () => {
    const skeleton = new spine.Skeleton(smallRig());
    const slot = skeleton.findSlot("region")!;
    slot.bone.pose.rotation = 90;
    skeleton.updateWorldTransform(spine.Physics.none);
    const region = slot.pose.attachment as spine.RegionAttachment;
    const out: number[] = [];
    region.computeWorldVertices(slot, region.getOffsets(slot.pose), out, 0, 2);
    // The hand is at (30, 0); corners (-4, -2), (-4, 2), (4, 2), (4, -2).
    near(out, [32, -4, 28, -4, 28, 4, 32, 4]);
  });

  it("places a region by the slot's bone where that is one of its own", () => {
    const skeleton = new spine.Skeleton(smallRig());
    skeleton.updateWorldTransform(spine.Physics.none);
    const hand = skeleton.findBone("hand")!;
    const own = new spine.Bone(hand, null);
    own.appliedPose.a = own.appliedPose.d = 2;
    own.appliedPose.b = own.appliedPose.c = 0;
    own.appliedPose.worldX = 100;
    own.appliedPose.worldY = 10;
    const slot = new spine.Slot(skeleton.findSlot("region")!, own, skeleton);
    const region = slot.pose.attachment as spine.RegionAttachment;
    const out: number[] = [];
    region.computeWorldVertices(slot, region.getOffsets(slot.pose), out, 0, 2);
    near(out, [92, 6, 92, 14, 108, 14, 108, 6]);
  });

  it("agrees with the sum over influences, weighted and not, deformed and not", () => {
    const skeleton = posed();
    for (const name of ["mesh", "plain"]) {
      const slot = skeleton.findSlot(name)!;
      const mesh = slot.pose.attachment as spine.MeshAttachment;
      const influences = mesh.bones === null ? 3 : 8;
      for (const deform of [[], Array.from({ length: influences * 2 }, (_, i) => i * 0.7 - 3)]) {
        slot.pose.deform = deform;
        const out: number[] = [];
        mesh.computeWorldVertices(skeleton, slot, 0, mesh.worldVerticesLength, out, 0, 2);
        near(out, expectedVertices(skeleton, slot, mesh));
      }
    }
  });

  it("starts at any vertex and leaves gaps as wide as the stride", () => {
    const skeleton = posed();
    const slot = skeleton.findSlot("mesh")!;
    const mesh = slot.pose.attachment as spine.MeshAttachment;
    slot.pose.deform = Array.from({ length: 16 }, (_, i) => i);
    const expected = expectedVertices(skeleton, slot, mesh);
    for (let first = 0; first < 4; first++) {
      for (let count = 0; first + count <= 4; count++) {
        const out = new Float32Array(40).fill(-1);
        mesh.computeWorldVertices(skeleton, slot, first * 2, count * 2, out, 3, 5);
        for (let i = 0; i < 40; i++) {
          const vertex = Math.floor((i - 3) / 5);
          const part = (i - 3) % 5;
          const isWritten = i >= 3 && vertex < count && part < 2;
          if (isWritten) expect(Math.abs(out[i]! - expected[(first + vertex) * 2 + part]!)).toBeLessThanOrEqual(TOLERANCE);
          else expect(out[i]).toBe(-1);
        }
      }
    }
  });

  it("works for 0, 1, 3, 4, 5, 8, 9 and 101 vertices", () => {
    for (const count of [0, 1, 3, 4, 5, 8, 9, 101]) {
      const skeleton = posed();
      const slot = skeleton.findSlot("plain")!;
      const mesh = plainMesh();
      mesh.vertices = Array.from({ length: count * 2 }, (_, i) => Math.sin(i) * 40);
      mesh.worldVerticesLength = count * 2;
      slot.pose.setAttachment(mesh);
      const out = new Float32Array(count * 2 + 2).fill(-1);
      mesh.computeWorldVertices(skeleton, slot, 0, count * 2, out, 0, 2);
      near(out.subarray(0, count * 2), expectedVertices(skeleton, slot, mesh));
      expect([...out.subarray(count * 2)]).toEqual([-1, -1]);
    }
  });

  it("ignores deform values that are too few, rather than giving NaN", () => {
    const skeleton = posed();
    const slot = skeleton.findSlot("plain")!;
    const mesh = slot.pose.attachment as spine.MeshAttachment;
    const out: number[] = [];
    mesh.computeWorldVertices(skeleton, slot, 0, 6, out, 0, 2);
    const undeformed = [...out];
    slot.pose.deform = [1, 2];
    mesh.computeWorldVertices(skeleton, slot, 0, 6, out, 0, 2);
    expect(out).toEqual(undeformed);
  });

  it("notices an assignment of vertices and a refresh after an edit in place", () => {
    const skeleton = posed();
    const slot = skeleton.findSlot("plain")!;
    const mesh = slot.pose.attachment as spine.MeshAttachment;
    const out: number[] = [];
    mesh.vertices = [0, 0, 1, 1, 2, 2];
    mesh.computeWorldVertices(skeleton, slot, 0, 6, out, 0, 2);
    near(out, expectedVertices(skeleton, slot, mesh));
    (mesh.vertices as number[])[4] = 50;
    mesh.refresh();
    mesh.computeWorldVertices(skeleton, slot, 0, 6, out, 0, 2);
    near(out, expectedVertices(skeleton, slot, mesh));
  });

  it("refuses more vertices than there are, and bones that the skeleton has not", () => {
    const skeleton = posed();
    const slot = skeleton.findSlot("mesh")!;
    const mesh = slot.pose.attachment as spine.MeshAttachment;
    expect(() => mesh.computeWorldVertices(skeleton, slot, 0, 10, [], 0, 2)).toThrow(/expected 0\.\.8/);
    const foreign = weightedMesh();
    foreign.bones = [1, 0, 2, 0, 1, 3, 0, 1, 9, 2, 1, 2];
    expect(() => foreign.computeWorldVertices(skeleton, slot, 0, 8, [], 0, 2)).toThrow(/more bones/);
  });
});

describe("SkeletonVertices", () => {
  it("gives for every slot what computeWorldVertices gives, in draw order", () => {
    const skeleton = posed();
    skeleton.findSlot("mesh")!.pose.deform = Array.from({ length: 16 }, (_, i) => i);
    const vertices = new spine.SkeletonVertices();
    for (const order of [[0, 1, 2, 3, 4, 5, 6], [3, 6, 2, 0, 1, 5, 4]]) {
      order.forEach((index, i) => (skeleton.drawOrder.pose[i] = skeleton.slots[index]!));
      expect(vertices.compute(skeleton)).toBe(11);
      let start = 0;
      skeleton.drawOrder.appliedPose.forEach((slot, i) => {
        const { attachment } = slot.appliedPose;
        const out: number[] = [];
        if (attachment instanceof spine.RegionAttachment) attachment.computeWorldVertices(slot, attachment.getOffsets(slot.appliedPose), out, 0, 2);
        else if (attachment instanceof spine.MeshAttachment) attachment.computeWorldVertices(skeleton, slot, 0, attachment.worldVerticesLength, out, 0, 2);
        expect(vertices.starts[i]).toBe(out.length === 0 ? -1 : start);
        near(vertices.vertices.subarray(start * 2, start * 2 + out.length), out);
        start += out.length / 2;
      });
    }
    vertices.dispose();
  });

  it("shows the frame of a sequence that the slot asks for, within its ends", () => {
    const skeleton = posed();
    const slot = skeleton.findSlot("region")!;
    const region = regionOf("frames", 10, 10, 3);
    region.sequence.setupIndex = 2;
    region.sequence.regions.forEach((frame, i) => Object.assign(frame!, { width: 10 * (i + 1), offsetX: i }));
    region.updateSequence();
    slot.pose.setAttachment(region);
    const vertices = new spine.SkeletonVertices();
    for (const index of [-1, 0, 1, 2, 3, 100]) {
      slot.pose.sequenceIndex = index;
      vertices.compute(skeleton);
      const at = vertices.starts[1]! * 2;
      const out: number[] = [];
      region.computeWorldVertices(slot, region.sequence.getOffsets(index === -1 ? 2 : Math.min(index, 2)), out, 0, 2);
      near(vertices.vertices.subarray(at, at + 8), out);
    }
    vertices.dispose();
  });

  it("follows the attachments of a restored snapshot", () => {
    const skeleton = posed();
    const slot = skeleton.findSlot("region")!;
    const vertices = new spine.SkeletonVertices();
    const state = new spine.AnimationState(new spine.AnimationStateData(skeleton.data));
    const before = vertices.compute(skeleton);
    const image = state.snapshot(skeleton);
    slot.pose.attachment = null;
    expect(vertices.compute(skeleton)).toBe(before - 4);
    state.restore(image, skeleton);
    expect(vertices.compute(skeleton)).toBe(before);
    vertices.dispose();
    state.dispose();
  });

  it("shows the attachments of constrained poses where a slider keys them", () => {
    const data = smallRig();
    const { index } = data.findSlot("region")!;
    const hides = new spine.AttachmentTimeline(1, index);
    hides.setFrame(0, 0, null);
    const slider = new spine.SliderData("slider");
    slider.animation = new spine.Animation("hide", [hides], 1);
    slider.setupPose.mix = 1;
    data.constraints.push(slider);
    const vertices = new spine.SkeletonVertices();
    const shown = vertices.compute(posed());
    const skeleton = new spine.Skeleton(data);
    skeleton.updateWorldTransform(spine.Physics.none);
    expect(skeleton.slots[index]!.pose.attachment).not.toBe(null);
    expect(skeleton.slots[index]!.appliedPose.attachment).toBe(null);
    expect(vertices.compute(skeleton)).toBe(shown - 4);
    vertices.dispose();
  });

  it("leaves out slots without a picture and bones that are not active", () => {
    const data = smallRig();
    data.bones[2]!.skinRequired = true;
    const skeleton = new spine.Skeleton(data);
    skeleton.setAttachment("plain", null);
    skeleton.updateWorldTransform(spine.Physics.none);
    const vertices = new spine.SkeletonVertices();
    expect(vertices.compute(skeleton)).toBe(4);
    expect([...vertices.starts]).toEqual([-1, -1, 0, -1, -1, -1, -1]);
    vertices.dispose();
  });

  it("keeps working when memory grows between frames", () => {
    const skeleton = posed();
    const vertices = new spine.SkeletonVertices();
    vertices.compute(skeleton);
    const before = [...vertices.vertices];
    const { generation } = heap;
    const block = heap.alloc(heap.u8.length + 65536);
    expect(heap.generation).toBeGreaterThan(generation);
    expect([...vertices.vertices]).toEqual(before);
    vertices.compute(skeleton);
    expect([...vertices.vertices]).toEqual(before);
    heap.free(block);
    vertices.dispose();
    expect(() => vertices.compute(skeleton)).toThrow(/disposed|dispose\(\)/);
  });
});
