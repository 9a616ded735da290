import type { JsonCheck, JsonObject } from "../json-check.js";
import { mergeInfluences, type VertexInfluences } from "../model/influences.js";
import type { ModelMesh, ModelMorphTarget } from "../model/model-data.js";
import type { ReportBuilder } from "../model/report.js";
import type { Accessors } from "./decode.js";
import type { GltfNode } from "./nodes.js";

/** Where a glTF mesh is drawn: once for every skin it is used with. */
interface Use {
  node: number;
  skin: number;
}

/** Upper limit of mesh entries, so that a small file cannot name one mesh without end. */
const MAXIMUM_MESHES = 1 << 16;

/** Reads every primitive that has triangles; returns the entries and, per node, which of them it draws. */
export function readMeshes(
  check: JsonCheck, json: JsonObject, nodes: readonly GltfNode[], jointCounts: readonly number[], accessors: Accessors, report: ReportBuilder,
): { meshes: ModelMesh[]; meshesOfNode: number[][] } {
  const definitions = check.objects(json.meshes, "/meshes");
  const materials = check.objects(json.materials, "/materials").map((m, i) => check.optionalString(m.name, `/materials/${i}/name`, `material_${i}`));
  const uses: Use[][] = definitions.map(() => []);
  nodes.forEach((node, i) => {
    if (node.mesh < 0) return;
    if (!uses[node.mesh]!.some((use) => use.skin === node.skin)) uses[node.mesh]!.push({ node: i, skin: node.skin });
  });

  const meshes: ModelMesh[] = [];
  const entries = new Map<string, number[]>();
  definitions.forEach((mesh, m) => {
    const pointer = `/meshes/${m}`;
    const name = check.optionalString(mesh.name, `${pointer}/name`, `mesh_${m}`);
    const primitives = check.objects(mesh.primitives, `${pointer}/primitives`);
    if (primitives.length === 0) check.fail(`${pointer}/primitives`, "must have at least one entry");
    const targetNames = namesOfTargets(mesh);
    const restWeights = mesh.weights === undefined ? [] : check.numbers(mesh.weights, `${pointer}/weights`, check.array(mesh.weights, `${pointer}/weights`).length, []);
    for (const use of uses[m]!.length > 0 ? uses[m]! : [{ node: -1, skin: -1 }]) {
      const made: number[] = [];
      primitives.forEach((primitive, p) => {
        const entry = readPrimitive(`${pointer}/primitives/${p}`, primitive, use);
        if (entry === undefined) return;
        const weights = use.node >= 0 ? nodes[use.node]!.morphWeights ?? restWeights : restWeights;
        made.push(meshes.length);
        meshes.push({ ...entry, name: primitives.length > 1 ? `${name}_${p}` : name, targetWeights: entry.targets.map((_, t) => weights[t] ?? 0) });
        if (meshes.length > MAXIMUM_MESHES) check.fail(pointer, `brings the file to more than ${MAXIMUM_MESHES} meshes`);
      });
      entries.set(`${m}/${use.skin}`, made);
    }

    function readPrimitive(at: string, primitive: JsonObject, use: Use): ModelMesh | undefined {
      const mode = check.optionalInteger(primitive.mode, `${at}/mode`, 4, 0, 6);
      const attributes = check.object(primitive.attributes, `${at}/attributes`);
      const attribute = (key: string, components: readonly number[]): number => {
        if (attributes[key] === undefined) return -1;
        const index = check.index(attributes[key], `${at}/attributes/${key}`, accessors.count, "accessors");
        if (!components.includes(accessors.info(index).components)) check.fail(`${at}/attributes/${key}`, `is ${accessors.info(index).type}`, index);
        return index;
      };
      const position = attribute("POSITION", [3]);
      if (mode < 4) {
        report.ignored(`${at}: points and lines`);
        return undefined;
      }
      if (position < 0) {
        report.ignored(`${at}: it has no POSITION`);
        return undefined;
      }
      const vertexCount = accessors.info(position).count;
      const sized = (index: number, key: string): number => {
        if (index >= 0 && accessors.info(index).count !== vertexCount) {
          check.fail(`${at}/${key}`, `has ${accessors.info(index).count} elements, POSITION has ${vertexCount}`, index);
        }
        return index;
      };
      const optional = (key: string, components: readonly number[]): Float32Array | undefined => {
        const index = sized(attribute(key, components), `attributes/${key}`);
        return index < 0 ? undefined : accessors.floats(index);
      };
      const influences = use.skin < 0 ? undefined : readInfluences(at, vertexCount, use.skin, attribute, sized);
      if (use.skin >= 0 && influences === undefined) report.ignored(`${at}: its node has a skin, but it has no JOINTS_0 and WEIGHTS_0`);
      const targets = check.objects(primitive.targets, `${at}/targets`).map((target, t): ModelMorphTarget => {
        const displacement = (key: string): Float32Array | undefined => {
          if (target[key] === undefined) return undefined;
          const index = check.index(target[key], `${at}/targets/${t}/${key}`, accessors.count, "accessors");
          if (accessors.info(index).components !== 3) check.fail(`${at}/targets/${t}/${key}`, `is ${accessors.info(index).type}, expected VEC3`, index);
          return accessors.floats(sized(index, `targets/${t}/${key}`));
        };
        return { name: targetNames[t] ?? `target_${t}`, positions: displacement("POSITION"), normals: displacement("NORMAL"), tangents: displacement("TANGENT") };
      });
      const material = check.optionalIndex(primitive.material, `${at}/material`, materials.length, "materials");
      return {
        name: "",
        material: material < 0 ? "" : materials[material]!,
        skin: influences === undefined ? -1 : use.skin,
        node: use.node,
        vertexCount,
        positions: accessors.floats(position),
        normals: optional("NORMAL", [3]),
        tangents: optional("TANGENT", [4]),
        uvs: optional("TEXCOORD_0", [2]),
        colors: readColors(optional("COLOR_0", [3, 4]), vertexCount),
        joints: influences?.joints,
        weights: influences?.weights,
        influences: influences?.influences ?? 0,
        indices: readIndices(at, primitive, mode, vertexCount),
        targets,
        targetWeights: [],
      };
    }

    function readInfluences(
      at: string, vertexCount: number, skin: number, attribute: (key: string, components: readonly number[]) => number, sized: (index: number, key: string) => number,
    ): VertexInfluences | undefined {
      const sets = [0, 1].flatMap((set) => {
        const joints = sized(attribute(`JOINTS_${set}`, [4]), `attributes/JOINTS_${set}`);
        const weights = sized(attribute(`WEIGHTS_${set}`, [4]), `attributes/WEIGHTS_${set}`);
        if ((joints < 0) !== (weights < 0)) check.fail(`${at}/attributes`, `has only one of JOINTS_${set} and WEIGHTS_${set}`);
        return joints < 0 ? [] : [{ joints: accessors.integers(joints), weights: accessors.floats(weights) }];
      });
      if (sets.length === 0) return undefined;
      return mergeInfluences(sets, vertexCount, jointCounts[skin]!, (problem) => check.fail(at, problem), (line) => report.repaired(`${at}: ${line}`));
    }

    function readIndices(at: string, primitive: JsonObject, mode: number, vertexCount: number): Uint32Array {
      const index = check.optionalIndex(primitive.indices, `${at}/indices`, accessors.count, "accessors");
      if (index >= 0 && accessors.info(index).components !== 1) check.fail(`${at}/indices`, `is ${accessors.info(index).type}, expected SCALAR`, index);
      const list = index < 0 ? Uint32Array.from({ length: vertexCount }, (_, i) => i) : accessors.integers(index);
      for (let i = 0; i < list.length; i++) {
        if (list[i]! >= vertexCount) check.fail(`${at}/indices`, `names vertex ${list[i]} of ${vertexCount}`, list[i]);
      }
      return triangles(list, mode);
    }
  });
  return { meshes, meshesOfNode: nodes.map((node) => (node.mesh < 0 ? [] : entries.get(`${node.mesh}/${node.skin}`) ?? [])) };
}

/** Strips (5) and fans (6) as a triangle list; a list loses an incomplete last triangle. */
function triangles(list: Uint32Array, mode: number): Uint32Array {
  if (mode === 4) return list.length % 3 === 0 ? list : list.subarray(0, list.length - (list.length % 3));
  const count = Math.max(0, list.length - 2);
  const out = new Uint32Array(count * 3);
  for (let i = 0; i < count; i++) {
    const odd = mode === 5 && i % 2 === 1;
    out[i * 3] = mode === 6 ? list[0]! : list[odd ? i + 1 : i]!;
    out[i * 3 + 1] = mode === 6 ? list[i + 1]! : list[odd ? i : i + 1]!;
    out[i * 3 + 2] = list[i + 2]!;
  }
  return out;
}

function readColors(colors: Float32Array | undefined, vertexCount: number): Float32Array | undefined {
  if (colors === undefined || colors.length === vertexCount * 4) return colors;
  const out = new Float32Array(vertexCount * 4).fill(1);
  for (let v = 0; v < vertexCount; v++) out.set(colors.subarray(v * 3, v * 3 + 3), v * 4);
  return out;
}

/** Names of morph targets, which exporters keep in the mesh's extras. */
function namesOfTargets(mesh: JsonObject): readonly string[] {
  const extras = mesh.extras as { targetNames?: unknown } | undefined;
  const names = typeof extras === "object" && extras !== null ? extras.targetNames : undefined;
  return Array.isArray(names) ? names.map((n, i) => (typeof n === "string" && n !== "" ? n : `target_${i}`)) : [];
}
