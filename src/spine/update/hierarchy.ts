import { heap } from "../../wasm/heap.js";
import type { Rig } from "../rig.js";

/** Addresses of the tables of children of a rig (ProgramField.CHILD_START, CHILDREN). */
export interface Hierarchy {
  readonly childStart: number;
  readonly children: number;
}

const hierarchies = /* @__PURE__ */ new WeakMap<Rig, Hierarchy>();

/** The tables of children of a rig, made on first use; the rig owns them. */
export function hierarchyOf(rig: Rig): Hierarchy {
  let hierarchy = hierarchies.get(rig);
  if (hierarchy === undefined) hierarchies.set(rig, (hierarchy = makeHierarchy(rig)));
  return hierarchy;
}

function makeHierarchy(rig: Rig): Hierarchy {
  const { boneCount } = rig.shape;
  const childStart = heap.alloc((boneCount + 1) * 4);
  const children = heap.alloc(boneCount * 4);
  rig.own(childStart);
  rig.own(children);
  const { i32 } = heap;
  const parents = rig.parents >> 2;
  const starts = childStart >> 2;
  for (let i = 0; i < boneCount; i++) {
    const parent = i32[parents + i]!;
    if (parent >= 0) i32[starts + parent + 1] = i32[starts + parent + 1]! + 1;
  }
  for (let i = 0; i < boneCount; i++) i32[starts + i + 1] = i32[starts + i + 1]! + i32[starts + i]!;
  const next = i32.slice(starts, starts + boneCount);
  for (let i = 0; i < boneCount; i++) {
    const parent = i32[parents + i]!;
    if (parent < 0) continue;
    const at = next[parent]!;
    i32[(children >> 2) + at] = i;
    next[parent] = at + 1;
  }
  return { childStart, children };
}
