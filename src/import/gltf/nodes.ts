import type { JsonCheck, JsonObject } from "../json-check.js";
import { decompose } from "../model/matrix.js";
import type { ReportBuilder } from "../model/report.js";
import { length as lengthOf } from "../length.js";

/** A node as read, before meshes are attached. */
export interface GltfNode {
  name: string;
  parent: number;
  children: number[];
  translation: [number, number, number];
  rotation: [number, number, number, number];
  scale: [number, number, number];
  mesh: number;
  skin: number;
  hasMatrix: boolean;
  morphWeights: readonly number[] | undefined;
}

/** Above this relative deviation a matrix counts as sheared. */
const SHEAR_TOLERANCE = 1e-4;

/** Reads the node forest: local transforms, and parents checked for cycles and double entries. */
export function readNodes(check: JsonCheck, json: JsonObject, report: ReportBuilder, shear: "warn" | "throw"): GltfNode[] {
  const definitions = check.objects(json.nodes, "/nodes");
  const meshCount = check.array(json.meshes, "/meshes").length;
  const skinCount = check.array(json.skins, "/skins").length;
  const nodes = definitions.map((node, i): GltfNode => {
    const pointer = `/nodes/${i}`;
    const children = check.array(node.children, `${pointer}/children`).map((child, c) => check.index(child, `${pointer}/children/${c}`, definitions.length, "nodes"));
    const transform = readTransform(check, node, pointer, report, shear);
    const weights = node.weights === undefined ? undefined : check.numbers(node.weights, `${pointer}/weights`, check.array(node.weights, `${pointer}/weights`).length, []);
    return {
      name: check.optionalString(node.name, `${pointer}/name`, ""),
      parent: -1,
      children,
      ...transform,
      mesh: check.optionalIndex(node.mesh, `${pointer}/mesh`, meshCount, "meshes"),
      skin: check.optionalIndex(node.skin, `${pointer}/skin`, skinCount, "skins"),
      hasMatrix: node.matrix !== undefined,
      morphWeights: weights,
    };
  });
  linkParents(check, nodes);
  return nodes;
}

function readTransform(check: JsonCheck, node: JsonObject, pointer: string, report: ReportBuilder, shear: "warn" | "throw"): Pick<GltfNode, "translation" | "rotation" | "scale"> {
  const matrix = node.matrix;
  const separate = node.translation !== undefined || node.rotation !== undefined || node.scale !== undefined;
  if (matrix !== undefined && separate) check.fail(pointer, "has a matrix and also translation, rotation or scale");
  if (matrix !== undefined) {
    const m = check.numbers(matrix, `${pointer}/matrix`, 16, []);
    const parts = decompose(m);
    if (parts.shear > SHEAR_TOLERANCE) {
      const problem = `is sheared by ${(parts.shear * 100).toPrecision(3)} %, which translation, rotation and scale cannot express`;
      if (shear === "throw") check.fail(`${pointer}/matrix`, problem, parts.shear);
      report.repaired(`${pointer}/matrix ${problem}; the shear was dropped`);
    }
    return { translation: parts.translation, rotation: parts.rotation, scale: parts.scale };
  }
  const q = check.numbers(node.rotation, `${pointer}/rotation`, 4, [0, 0, 0, 1]);
  const length = lengthOf(...q);
  if (!(length >= 1e-6)) check.fail(`${pointer}/rotation`, `has length ${length}, expected a unit quaternion`, q);
  if (Math.abs(length - 1) > 1e-3) report.repaired(`${pointer}/rotation had length ${length.toPrecision(4)} and was normalised`);
  return {
    translation: [...check.numbers(node.translation, `${pointer}/translation`, 3, [0, 0, 0])] as [number, number, number],
    rotation: q.map((v) => v / length) as [number, number, number, number],
    scale: [...check.numbers(node.scale, `${pointer}/scale`, 3, [1, 1, 1])] as [number, number, number],
  };
}

function linkParents(check: JsonCheck, nodes: GltfNode[]): void {
  nodes.forEach((node, i) => {
    node.children.forEach((child, c) => {
      if (child === i) check.fail(`/nodes/${i}/children/${c}`, "makes the node its own child", child);
      if (nodes[child]!.parent !== -1) check.fail(`/nodes/${i}/children/${c}`, `is node ${child}, which already has the parent ${nodes[child]!.parent}`, child);
      nodes[child]!.parent = i;
    });
  });
  // With one parent each, a cycle is a set of nodes that no root reaches.
  let reached = 0;
  const stack = nodes.flatMap((node, i) => (node.parent === -1 ? [i] : []));
  while (stack.length > 0) {
    reached++;
    for (const child of nodes[stack.pop()!]!.children) stack.push(child);
  }
  if (reached !== nodes.length) check.fail("/nodes", `contain a cycle: only ${reached} of ${nodes.length} nodes hang on a root`);
}

/** Roots of the default scene, or of the whole file when it has no scenes. */
export function readRoots(check: JsonCheck, json: JsonObject, nodes: readonly GltfNode[], report: ReportBuilder): number[] {
  const scenes = check.objects(json.scenes, "/scenes");
  const all = nodes.flatMap((node, i) => (node.parent === -1 ? [i] : []));
  scenes.forEach((scene, s) => {
    check.array(scene.nodes, `/scenes/${s}/nodes`).forEach((node, i) => check.index(node, `/scenes/${s}/nodes/${i}`, nodes.length, "nodes"));
  });
  if (scenes.length === 0) return all;
  const chosen = check.optionalIndex(json.scene, "/scene", scenes.length, "scenes");
  const roots = new Set<number>();
  for (const entry of check.array(scenes[chosen === -1 ? 0 : chosen]!.nodes, "")) {
    let node = entry as number;
    if (nodes[node]!.parent !== -1) report.repaired(`/scenes: node ${node} is listed as a root but has a parent`);
    while (nodes[node]!.parent !== -1) node = nodes[node]!.parent;
    roots.add(node);
  }
  if (scenes.length > 1) report.ignored(`${scenes.length - 1} of ${scenes.length} scenes`);
  return roots.size > 0 ? [...roots] : all;
}
