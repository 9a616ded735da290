/** Prints the bytes of heap that 10,000 frames of a skeleton leave behind. Run in a process of its own by steady-frame.test.ts. */
import { bytesPerWindow } from "../../../bench/lib/heap.js";
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

const result: Record<string, number> = {};
for (const [name, step] of Object.entries(steps)) result[name] = bytesPerWindow(step);
console.log(JSON.stringify(result));
