/** Addresses inside the blocks of the 3D rig, for TypeScript. @internal */
import { GROUP_BYTES, GROUP_FLOATS, JOINTS_PER_GROUP, Local } from "../../../assembly/layout/rig3d.js";
import { ROW_BYTES } from "../../../assembly/layout/heap.js";
import { heap } from "../../wasm/heap.js";

export { GROUP_BYTES, GROUP_FLOATS, JOINTS_PER_GROUP, Local, ROW_BYTES };

/** Groups that hold `boneCount` joints. */
export function groupsOf(boneCount: number): number {
  return (boneCount + 3) >>> 2;
}

/** Index into `heap.f32` of row PX of a joint; row r is 4 r further. */
export function localIndex(localPtr: number, bone: number): number {
  return (localPtr >>> 2) + (bone >>> 2) * GROUP_FLOATS + (bone & 3);
}

/** Writes the identity into groups first..end-1. */
export function fillIdentity(localPtr: number, first: number, end: number): void {
  const from = (localPtr >>> 2) + first * GROUP_FLOATS;
  const to = (localPtr >>> 2) + end * GROUP_FLOATS;
  const f32 = heap.f32;
  f32.fill(0, from, to);
  for (let i = from; i < to; i += GROUP_FLOATS) {
    f32.fill(1, i + 4 * Local.QW, i + 4 * (Local.SZ + 1));
  }
}

let identityBlock = 0;

/** One identity group, the bind pose of a clip that is sampled without a skeleton. Lives for ever. */
export function identityGroup(): number {
  if (identityBlock === 0) {
    identityBlock = heap.alloc(GROUP_BYTES);
    fillIdentity(identityBlock, 0, 1);
  }
  return identityBlock;
}
