import type { ModelData } from "./model-data.js";

/** Which nodes become bones; see {@link SkeletonOptions.bones}. */
export type BoneRule = "auto" | "all" | "joints";

const namesOf = new WeakMap<ModelData, readonly string[]>();

/**
 * A unique name for every node: its own, `node_<index>` when it has none, with `#2`, `#3` … for repetitions in
 * depth-first order. The same file always gives the same names, whichever bones are chosen.
 */
export function uniqueNodeNames(model: ModelData): readonly string[] {
  let names = namesOf.get(model);
  if (names === undefined) {
    const taken = new Set<string>();
    const made: string[] = model.nodes.map(() => "");
    for (const node of depthFirst(model)) made[node] = uniqueName(model.nodes[node]!.name || `node_${node}`, taken);
    names = made;
    namesOf.set(model, names);
  }
  return names;
}

/** `name`, or the first of `name#2`, `name#3`, … that is free; takes it. */
export function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let n = 2; taken.has(unique); n++) unique = `${name}#${n}`;
  taken.add(unique);
  return unique;
}

/** All nodes, parents first, children in their order; the scene's roots before the others. */
export function depthFirst(model: ModelData): number[] {
  const order: number[] = [];
  const roots = new Set(model.roots);
  model.nodes.forEach((node, i) => {
    if (node.parent === -1) roots.add(i);
  });
  const stack = [...roots].toReversed();
  while (stack.length > 0) {
    const node = stack.pop()!;
    order.push(node);
    const { children } = model.nodes[node]!;
    for (let c = children.length - 1; c >= 0; c--) stack.push(children[c]!);
  }
  return order;
}

/** The nodes that become bones, depth-first. */
export function chooseBones(model: ModelData, rule: BoneRule): number[] {
  const order = depthFirst(model);
  if (rule === "all") return order;
  const joints = new Set(model.skins.flatMap((skin) => skin.joints));
  if (joints.size === 0) {
    const scene = new Set(model.roots);
    return order.filter((node) => {
      const { parent } = model.nodes[node]!;
      if (parent !== -1 && scene.has(parent)) scene.add(node);
      return scene.has(node);
    });
  }
  if (rule === "joints") return order.filter((node) => joints.has(node));

  const wanted = new Set(joints);
  const belowJoint = new Set<number>(joints);
  for (const node of order) if (belowJoint.has(model.nodes[node]!.parent)) belowJoint.add(node);
  for (const animation of model.animations) {
    for (const channel of animation.channels) if (channel.path !== "weights" && belowJoint.has(channel.node)) wanted.add(channel.node);
  }
  for (const start of Array.from(wanted)) {
    for (let node = model.nodes[start]!.parent; node !== -1 && !wanted.has(node); node = model.nodes[node]!.parent) wanted.add(node);
  }
  return order.filter((node) => wanted.has(node));
}
