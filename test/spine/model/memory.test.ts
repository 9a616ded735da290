import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { smallRig } from "./rigs.js";

/** Grows memory by more than it has, so that every old view is detached (or too short). */
function growMemory(): number {
  const { generation } = heap;
  const block = heap.alloc(heap.u8.length + 65536);
  expect(heap.generation).toBeGreaterThan(generation);
  return block;
}

/** Everything one can read of a skeleton, as plain numbers. */
function snapshot(skeleton: spine.Skeleton): unknown {
  return {
    placement: [skeleton.x, skeleton.y, skeleton.scaleX, skeleton.scaleY, skeleton.time, skeleton.color.toJSON()],
    bones: skeleton.bones.map(({ pose: p, appliedPose: w }) => [p.x, p.y, p.rotation, p.scaleX, p.scaleY, p.shearX, p.shearY, p.inherit, w.a, w.b, w.c, w.d, w.worldX, w.worldY]),
    slots: skeleton.slots.map(({ pose: p }) => [p.color.toJSON(), p.attachment?.name, p.sequenceIndex, [...p.deform]]),
    vertices: skeleton.slots.map((slot) => {
      const { attachment } = slot.appliedPose;
      const out: number[] = [];
      if (attachment instanceof spine.VertexAttachment) attachment.computeWorldVertices(skeleton, slot, 0, attachment.worldVerticesLength, out, 0, 2);
      return out;
    }),
    bounds: skeleton.getBoundsRect(new spine.SkeletonClipping()),
  };
}

describe("memory of the model", () => {
  it("survives growth under a skeleton, its poses, colours, deform values and attachments", () => {
    const skeleton = new spine.Skeleton(smallRig());
    skeleton.findSlot("plain")!.pose.deform = [1, 2, 3, 4, 5, 6];
    skeleton.bones[1]!.pose.rotation = 12;
    skeleton.color.set(0.25, 0.5, 0.75, 1);
    skeleton.update(0.5);
    skeleton.updateWorldTransform(spine.Physics.update);
    const before = snapshot(skeleton);
    const block = growMemory();
    expect(snapshot(skeleton)).toEqual(before);
    skeleton.updateWorldTransform(spine.Physics.update);
    expect(snapshot(skeleton)).toEqual(before);
    skeleton.bones[1]!.pose.rotation = 50;
    skeleton.setupPose();
    skeleton.findSlot("plain")!.pose.deform = [1, 2, 3, 4, 5, 6];
    skeleton.bones[1]!.pose.rotation = 12;
    skeleton.updateWorldTransform(spine.Physics.update);
    expect(snapshot(skeleton)).toEqual(before);
    heap.free(block);
  });

  it("survives growth under a renderer core, bounds and a clipper", () => {
    const skeleton = new spine.Skeleton(smallRig());
    skeleton.updateWorldTransform(spine.Physics.update);
    const core = new spine.SkeletonRendererCore();
    const bounds = new spine.SkeletonBounds();
    const read = (): unknown => {
      bounds.update(skeleton, true);
      const command = core.render(skeleton, true)!;
      return { positions: [...command.positions], colors: [...command.colors], box: bounds.polygons.map((p) => [...p]) };
    };
    const before = read();
    const block = growMemory();
    expect(read()).toEqual(before);
    heap.free(block);
  });

  it("stays at its high-water mark over 10,000 skeletons and data", () => {
    const round = (data: spine.SkeletonData): void => {
      const skeleton = new spine.Skeleton(data);
      skeleton.findSlot("plain")!.pose.deform = [1, 2, 3, 4, 5, 6];
      skeleton.updateWorldTransform(spine.Physics.update);
      skeleton.dispose();
    };
    const data = smallRig();
    const vertices = new spine.SkeletonVertices();
    vertices.dispose();
    round(data);
    const used = heap.usedBytes;
    const high = heap.highWaterBytes;
    for (let i = 0; i < 10_000; i++) round(data);
    expect(heap.usedBytes).toBe(used);
    expect(heap.highWaterBytes).toBe(high);
    data.dispose();

    const build = (): void => {
      const fresh = smallRig();
      round(fresh);
      fresh.dispose();
      const one = new spine.SkeletonVertices();
      one.dispose();
    };
    build();
    const blocks = heap.blockCount;
    const highest = heap.highWaterBytes;
    for (let i = 0; i < 10_000; i++) build();
    expect(heap.blockCount).toBe(blocks);
    expect(heap.highWaterBytes).toBe(highest);
  });

  it("refuses to dispose data that skeletons use, and works again after disposal", () => {
    const data = smallRig();
    const skeleton = new spine.Skeleton(data);
    expect(() => data.dispose()).toThrow(/1 skeletons or crowds still use/);
    skeleton.dispose();
    skeleton.dispose();
    data.dispose();
    data.dispose();
    const again = new spine.Skeleton(data);
    again.updateWorldTransform(spine.Physics.none);
    expect(again.bones[2]!.appliedPose.worldX).toBe(30);
    again.dispose();
    data.dispose();
  });

  it("gives later skeletons the bones and slots that were added after the first", () => {
    const data = smallRig();
    const first = new spine.Skeleton(data);
    const finger = new spine.BoneData(data.bones.length, "finger", data.bones[2]!);
    finger.setupPose.setScale(1);
    finger.setupPose.x = 5;
    data.bones.push(finger);
    const slot = new spine.SlotData(data.slots.length, "nail", finger);
    data.slots.push(slot);
    const second = new spine.Skeleton(data);
    second.slots[7]!.pose.color.a = 0.5;
    for (const skeleton of [first, second]) skeleton.updateWorldTransform(spine.Physics.none);
    expect(first.bones).toHaveLength(3);
    expect(second.bones[3]!.appliedPose.worldX).toBe(35);
    expect(first.bones[2]!.appliedPose.worldX).toBe(30);
    data.bones[2]!.setupPose.x = 21;
    for (const skeleton of [first, second]) {
      skeleton.setupPose();
      skeleton.updateWorldTransform(spine.Physics.none);
      expect(skeleton.bones[2]!.appliedPose.worldX).toBe(31);
      skeleton.dispose();
    }
    data.dispose();
  });

  it("reports the use of a disposed skeleton and writes nothing", () => {
    const skeleton = new spine.Skeleton(smallRig());
    skeleton.dispose();
    expect(() => skeleton.updateWorldTransform(spine.Physics.none)).toThrow(/dispose\(\)/);
    expect(() => skeleton.setupPose()).toThrow(/dispose\(\)/);
    expect(() => skeleton.getBoundsRect()).toThrow(/dispose\(\)/);
    const before = heap.u8.slice(0, 4096);
    skeleton.bones[0]!.pose.x = 5;
    skeleton.slots[0]!.pose.sequenceIndex = 3;
    skeleton.x = 9;
    skeleton.color.r = 0.5;
    expect(heap.u8.slice(0, 4096)).toEqual(before);
  });

  it("frees what is dropped without dispose", async () => {
    const blocks = heap.blockCount;
    (() => {
      for (let i = 0; i < 50; i++) new spine.Skeleton(smallRig());
      new spine.SkeletonVertices();
    })();
    expect(heap.blockCount).toBeGreaterThan(blocks + 100);
    const collect = (globalThis as unknown as { gc: () => void }).gc;
    for (let i = 0; i < 20 && heap.blockCount > blocks; i++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(heap.blockCount).toBeLessThanOrEqual(blocks + 10);
  });
});
