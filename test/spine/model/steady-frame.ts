/** Prints the bytes of heap that a thousand frames of a skeleton leave behind. Run in a process of its own by steady-frame.test.ts. */
import * as spine from "../../../src/spine/index.js";
import { smallRig } from "./rigs.js";

const skeleton = new spine.Skeleton(smallRig());
const vertices = new spine.SkeletonVertices();
const core = new spine.SkeletonRendererCore();
const bounds = new spine.SkeletonBounds();
const clipper = new spine.SkeletonClipping();
const out = new Float32Array(64);
const offset = { x: 0, y: 0 };
const size = { x: 0, y: 0 };

const steps: Record<string, () => void> = {
  pose() {
    skeleton.bones[1]!.pose.rotation = 20;
    skeleton.slots[2]!.pose.color.a = 0.5;
    skeleton.update(1 / 60);
    skeleton.updateWorldTransform(spine.Physics.update);
  },
  setup() {
    skeleton.setupPose();
  },
  vertices() {
    vertices.compute(skeleton);
    const slot = skeleton.slots[2]!;
    (slot.appliedPose.attachment as spine.MeshAttachment).computeWorldVertices(skeleton, slot, 0, 8, out, 0, 2);
  },
  commands() {
    core.render(skeleton, true);
  },
  boxes() {
    bounds.update(skeleton, true);
  },
  bounds() {
    skeleton.getBounds(offset, size);
    skeleton.getBounds(offset, size, null, clipper);
  },
};

const collect = (globalThis as unknown as { gc: () => void }).gc;
const result: Record<string, number> = {};
for (const [name, step] of Object.entries(steps)) {
  for (let i = 0; i < 40_000; i++) step();
  let least = Infinity;
  for (let window = 0; window < 8; window++) {
    collect();
    const start = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1000; i++) step();
    least = Math.min(least, process.memoryUsage().heapUsed - start);
  }
  result[name] = least;
}
console.log(JSON.stringify(result));
