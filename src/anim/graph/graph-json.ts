/** The JSON form of animation graphs. */
import { AnimNameError, AnimStateError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { show } from "../rig/checks.js";
import type { AnimClip } from "../rig/clip.js";
import { DEFAULT_ROOT_MOTION, type RootMotionMode } from "../rig/root-motion.js";
import type { AnimMirror, MirrorAxis } from "../rig/mirror.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { AnimBoneMask } from "./bone-mask.js";
import type { GraphDefinition } from "./definition.js";
import type { GraphRun } from "./evaluator.js";
import type { AnimGraph } from "./graph.js";
import { at, JsonReader } from "./json-reader.js";
import { type BlendSpaceMode, type BlendSpaceSync, type GraphNode, NodeKind, NodeNumber } from "./node.js";

/** Where clips of a JSON form come from: a function, a map, or clips that are found by their names. */
export type ClipResolver = ((name: string) => AnimClip | null | undefined) | ReadonlyMap<string, AnimClip> | readonly AnimClip[];

/** Weights of bones by name; bones that are not named have `fill`. */
export interface MaskJson {
  fill: number;
  bones: Record<string, number>;
}

/** Root motion of a graph or state machine: the bone by name, and what is taken of its motion (see `RootMotionMode`). */
export interface RootMotionJson extends Partial<RootMotionMode> {
  bone: string;
}

/** A node; inputs are indices of nodes before it, except for those of blend space points. */
export type NodeJson = { name?: string } & (
  | { kind: "clip"; clip: string; speed?: number; speedParameter?: string; driver?: number }
  | { kind: "blend"; a: number; b: number; weight: number; weightParameter?: string; mask?: MaskJson }
  | { kind: "additive"; base: number; delta: number; weight: number; weightParameter?: string; reference?: "identity" | "bind"; mask?: MaskJson }
  | { kind: "layer"; base: number; overlay: number; weight: number; weightParameter?: string; mask?: MaskJson }
  | { kind: "one-shot"; base: number; shot: number; fadeIn: number; fadeOut: number; mode?: "fade" | "inertial"; mask?: MaskJson }
  | { kind: "blend-space-1d"; sync: BlendSpaceSync; position: number; positionParameter?: string; points: { x: number; node: number }[] }
  | { kind: "blend-space-2d"; sync: BlendSpaceSync; position: [number, number]; positionParameters?: [string, string]; points: { x: number; y: number; node: number }[]; mode?: BlendSpaceMode }
  | { kind: "inertialize"; input: number }
  /** Counterparts of bones by names, one entry a pair; bones that are not named are their own. */
  | { kind: "mirror"; input: number; pairs: Record<string, string>; axis?: MirrorAxis }
);

/** The JSON form of a graph: `AnimGraph.toJSON()`, `AnimGraph.fromJSON()`. */
export interface GraphJson {
  type: "osteon-graph";
  version: 1;
  /** Declared parameters and their values. */
  parameters?: Record<string, number>;
  nodes: NodeJson[];
  root?: number;
  events?: "dominant" | "all";
  rootMotion?: RootMotionJson;
}

// ---- saving ---------------------------------------------------------------------------------------------------------

/** @internal */
export function graphToJson(definition: GraphDefinition, run: GraphRun): GraphJson {
  run.fit();
  const json: GraphJson = { type: "osteon-graph", version: 1, nodes: definition.nodes.map((node) => nodeToJson(definition, run, node)) };
  if (definition.parameters.length > 0) json.parameters = Object.fromEntries(definition.parameters.map(({ name }, i) => [name, run.values[i]!]));
  if (definition.root >= 0) json.root = definition.root;
  if (definition.allEvents) json.events = "all";
  if (definition.rootBone >= 0) json.rootMotion = rootMotionToJson(definition.skeleton, definition.rootBone, definition.rootMode);
  for (const node of definition.nodes) {
    const entry = json.nodes[node.index]!;
    // Only where loading would find another.
    if (entry.kind === "clip" && node.driver !== undefined && node.driver !== firstUser(definition, node)) entry.driver = node.driver.index;
  }
  return json;
}

/** @internal */
export function rootMotionToJson(skeleton: AnimSkeleton, bone: number, mode: RootMotionMode): RootMotionJson {
  const json: RootMotionJson = { bone: skeleton.getBoneName(bone) };
  for (const key of ["translation", "rotation", "apply", "space"] as const) if (mode[key] !== DEFAULT_ROOT_MOTION[key]) Object.assign(json, { [key]: mode[key] });
  return json;
}

/** @internal */
export function clipName(method: string, clip: AnimClip): string {
  if (clip.getName() !== "") return clip.getName();
  throw new AnimStateError(`${method}: a clip has no name, so it could not be found again. Give it one with setName.`);
}

function nodeToJson(definition: GraphDefinition, run: GraphRun, node: GraphNode): NodeJson {
  const number = (which: NodeNumber): number => run.numbers[node.at + which]!;
  const parameter = (which: NodeNumber): string | undefined => {
    const binding = definition.bindings.find((one) => one.node === node && one.number === which);
    return binding === undefined ? undefined : definition.parameters[binding.parameter]!.name;
  };
  const [a, b] = node.inputs.map((input) => input.index), weight = number(NodeNumber.WEIGHT);
  const common = { ...(node.name !== "" && { name: node.name }) };
  const blended = {
    ...(parameter(NodeNumber.WEIGHT) !== undefined && { weightParameter: parameter(NodeNumber.WEIGHT)! }),
    ...(node.mask !== undefined && { mask: maskToJson(definition.skeleton, node.mask) }),
  };
  switch (node.kind) {
    case NodeKind.CLIP: {
      const speed = number(NodeNumber.SPEED), bound = parameter(NodeNumber.SPEED);
      return { kind: "clip", ...common, clip: clipName("AnimGraph.toJSON", node.track!.clip), ...(speed !== 1 && { speed }), ...(bound !== undefined && { speedParameter: bound }) };
    }
    case NodeKind.BLEND: return { kind: "blend", ...common, a: a!, b: b!, weight, ...blended };
    case NodeKind.ADDITIVE: return { kind: "additive", ...common, base: a!, delta: b!, weight, ...(node.bindReference && { reference: "bind" }), ...blended };
    case NodeKind.LAYER: return { kind: "layer", ...common, base: a!, overlay: b!, weight, ...blended };
    case NodeKind.ONE_SHOT: return { kind: "one-shot", ...common, base: a!, shot: b!, fadeIn: node.fadeIn, fadeOut: node.fadeOut, ...(node.inertial && { mode: "inertial" }), ...blended };
    case NodeKind.INERTIALIZE: return { kind: "inertialize", ...common, input: a! };
    case NodeKind.MIRROR: return { kind: "mirror", ...common, input: a!, pairs: mirrorToJson(definition.skeleton, node.mirror!), ...(node.mirror!.getAxis() !== "x" && { axis: node.mirror!.getAxis() }) };
    case NodeKind.SPACE_1D: {
      const bound = parameter(NodeNumber.X);
      return {
        kind: "blend-space-1d", ...common, sync: node.sync, position: number(NodeNumber.X), ...(bound !== undefined && { positionParameter: bound }),
        points: node.inputs.map((input, i) => ({ x: node.xs[i]!, node: input.index })),
      };
    }
    case NodeKind.SPACE_2D: {
      const boundX = parameter(NodeNumber.X), boundY = parameter(NodeNumber.Y);
      return {
        kind: "blend-space-2d", ...common, sync: node.sync, ...(node.mode !== "delaunay" && { mode: node.mode }), position: [number(NodeNumber.X), number(NodeNumber.Y)],
        ...(boundX !== undefined && boundY !== undefined && { positionParameters: [boundX, boundY] as [string, string] }),
        points: node.inputs.map((input, i) => ({ x: node.xs[i]!, y: node.ys[i]!, node: input.index })),
      };
    }
  }
}

function mirrorToJson(skeleton: AnimSkeleton, mirror: AnimMirror): Record<string, string> {
  const pairs: Record<string, string> = {};
  mirror.map.forEach((other, bone) => {
    if (bone < other) pairs[skeleton.getBoneName(bone)] = skeleton.getBoneName(other);
  });
  return pairs;
}

function maskToJson(skeleton: AnimSkeleton, mask: AnimBoneMask): MaskJson {
  const weights = Array.from({ length: mask.getBoneCount() }, (_, bone) => mask.getBoneWeight(bone));
  const counts = new Map<number, number>();
  for (const weight of weights) counts.set(weight, (counts.get(weight) ?? 0) + 1);
  const fill = [...counts].toSorted((one, other) => other[1] - one[1] || one[0] - other[0])[0]?.[0] ?? 0;
  const bones: Record<string, number> = {};
  weights.forEach((weight, bone) => {
    if (weight !== fill) bones[skeleton.getBoneName(bone)] = weight;
  });
  return { fill, bones };
}

/** What would drive the clip if points and one-shots were added in the order of nodes. */
function firstUser(definition: GraphDefinition, clip: GraphNode): GraphNode | undefined {
  const shot = definition.nodes.find((node) => node.kind === NodeKind.ONE_SHOT && node.inputs[1] === clip);
  return shot ?? definition.nodes.find((node) => node.isSpace && node.inputs.includes(clip));
}

// ---- loading --------------------------------------------------------------------------------------------------------

/** @internal */
export function graphFromJson(json: unknown, skeleton: AnimSkeleton, clips: ClipResolver, make: (skeleton: AnimSkeleton) => AnimGraph): AnimGraph {
  return readGraph(JsonReader.open(json, "AnimGraph.fromJSON"), skeleton, clips, make);
}

/** Builds a graph; nothing is left behind if it throws. @internal */
export function readGraph(reader: JsonReader, skeleton: AnimSkeleton, clips: ClipResolver, make: (skeleton: AnimSkeleton) => AnimGraph): AnimGraph {
  reader.fields("type", "version", "parameters", "nodes", "root", "events", "rootMotion");
  reader.get("type").oneOf("osteon-graph");
  if (reader.get("version").value !== 1) reader.get("version").fail("1, the only version so far");
  const graph = make(skeleton);
  try {
    for (const [name, value] of reader.find("parameters")?.entries() ?? []) at(value, () => graph.addParameter(name, value.number()));
    const nodes = reader.get("nodes").list(), count = nodes.length;
    for (const node of nodes) addNode(graph, node, skeleton, clips);
    // One-shots took their clips above, so the spaces come second, as they do when `firstUser` looks.
    for (const [i, node] of nodes.entries()) addPoints(graph, i, node, count);
    for (const [i, node] of nodes.entries()) setDriver(graph, i, node, count);
    const root = reader.find("root");
    if (root !== undefined) graph.setRoot(root.index(count, "a node"));
    graph.setEventPolicy(reader.find("events")?.oneOf("dominant", "all") ?? "dominant");
    const motion = reader.find("rootMotion");
    if (motion !== undefined) {
      graph.setRootMotionBone(boneOf(motion.get("bone"), skeleton));
      graph.setRootMotionMode(readRootMotion(motion));
    }
    return graph;
  } catch (error) {
    graph.dispose();
    throw error;
  }
}

/** @internal */
export function readRootMotion(reader: JsonReader): Partial<RootMotionMode> {
  reader.fields("bone", "translation", "rotation", "apply", "space");
  return {
    translation: reader.find("translation")?.oneOf("xyz", "xz", "y", "none") ?? DEFAULT_ROOT_MOTION.translation,
    rotation: reader.find("rotation")?.oneOf("full", "yaw", "none") ?? DEFAULT_ROOT_MOTION.rotation,
    apply: reader.find("apply")?.oneOf("extract", "measure") ?? DEFAULT_ROOT_MOTION.apply,
    space: reader.find("space")?.oneOf("model", "local") ?? DEFAULT_ROOT_MOTION.space,
  };
}

/** @throws AnimNameError @internal */
export function boneOf(reader: JsonReader, skeleton: AnimSkeleton): number {
  return boneNamed(reader.text(), reader, skeleton);
}

function boneNamed(name: string, reader: JsonReader, skeleton: AnimSkeleton): number {
  const bone = skeleton.findBone(name);
  if (bone >= 0) return bone;
  const names = Array.from({ length: skeleton.getBoneCount() }, (_, i) => skeleton.getBoneName(i));
  throw new AnimNameError(`${reader.method}: ${reader.pointer}: the skeleton has no bone named ${show(name)}.${nearMatches(name, names)}`, { pointer: reader.pointer, found: name });
}

/** @throws AnimNameError @internal */
export function resolveClip(reader: JsonReader, clips: ClipResolver): AnimClip {
  const name = reader.text();
  const clip = typeof clips === "function" ? clips(name) : Array.isArray(clips) ? (clips as readonly AnimClip[]).find((one) => one.getName() === name) : (clips as ReadonlyMap<string, AnimClip>).get(name);
  if (clip != null) return clip;
  const names = typeof clips === "function" ? [] : Array.isArray(clips) ? (clips as readonly AnimClip[]).map((one) => one.getName()) : (clips as ReadonlyMap<string, AnimClip>).keys();
  throw new AnimNameError(`${reader.method}: ${reader.pointer}: there is no clip named ${show(name)}.${nearMatches(name, names)}`, { pointer: reader.pointer, found: name });
}

function addNode(graph: AnimGraph, reader: JsonReader, skeleton: AnimSkeleton, clips: ClipResolver): void {
  const kind = reader.get("kind").oneOf("clip", "blend", "additive", "layer", "one-shot", "blend-space-1d", "blend-space-2d", "inertialize", "mirror");
  const before = graph.getNodeCount();
  const input = (key: string): number => reader.get(key).index(before, "a node before this one");
  const weight = (): number => reader.find("weight")?.number(0, kind === "additive" ? Infinity : 1) ?? (kind === "blend" ? 0.5 : 1);
  let node: number;
  switch (kind) {
    case "clip":
      reader.fields("kind", "name", "clip", "speed", "speedParameter", "driver");
      node = graph.addClip(resolveClip(reader.get("clip"), clips));
      graph.setSpeed(node, reader.find("speed")?.number(0) ?? 1);
      bind(reader, "speedParameter", (name) => graph.bindSpeed(node, name));
      break;
    case "blend":
      reader.fields("kind", "name", "a", "b", "weight", "weightParameter", "mask");
      node = graph.addBlend(input("a"), input("b"), weight());
      break;
    case "additive":
      reader.fields("kind", "name", "base", "delta", "weight", "weightParameter", "reference", "mask");
      node = graph.addAdditive(input("base"), input("delta"), weight());
      graph.setAdditiveReference(node, reader.find("reference")?.oneOf("identity", "bind") ?? "identity");
      break;
    case "layer":
      reader.fields("kind", "name", "base", "overlay", "weight", "weightParameter", "mask");
      node = graph.addLayer(input("base"), input("overlay"), weight());
      break;
    case "one-shot":
      reader.fields("kind", "name", "base", "shot", "fadeIn", "fadeOut", "mode", "mask");
      node = at(reader.get("shot"), () => graph.addOneShot(input("base"), input("shot"), reader.find("fadeIn")?.number(0) ?? 0.1, reader.find("fadeOut")?.number(0) ?? 0.1));
      graph.setOneShotMode(node, reader.find("mode")?.oneOf("fade", "inertial") ?? "fade");
      break;
    case "inertialize":
      reader.fields("kind", "name", "input");
      node = graph.addInertialize(input("input"));
      break;
    case "mirror": {
      reader.fields("kind", "name", "input", "pairs", "axis");
      const map = Int32Array.from({ length: skeleton.getBoneCount() }, (_, bone) => bone), pairs = reader.get("pairs");
      for (const [name, other] of pairs.entries()) {
        const bone = boneNamed(name, other, skeleton), counterpart = boneOf(other, skeleton);
        map[bone] = counterpart;
        map[counterpart] = bone;
      }
      node = at(pairs, () => graph.addMirror(input("input"), map, reader.find("axis")?.oneOf("x", "y", "z") ?? "x"));
      break;
    }
    default: {
      const plane = kind === "blend-space-2d";
      reader.fields("kind", "name", "sync", "position", "points", ...(plane ? ["positionParameters", "mode"] : ["positionParameter"]));
      node = plane ? graph.addBlendSpace2D() : graph.addBlendSpace1D();
      if (plane) graph.setBlendSpaceMode(node, reader.find("mode")?.oneOf("delaunay", "gradientBand", "directional") ?? "delaunay");
      graph.setBlendSpaceSync(node, reader.find("sync")?.oneOf("phase", "markers", "none") ?? "phase");
      placeSpace(graph, node, reader, plane);
    }
  }
  bind(reader, "weightParameter", (name) => graph.bindWeight(node, name));
  const mask = reader.find("mask");
  if (mask !== undefined) readMask(graph, node, mask, skeleton);
  const name = reader.find("name");
  if (name !== undefined) at(name, () => graph.setNodeName(node, name.text()));
}

function bind(reader: JsonReader, key: string, to: (name: string) => void): void {
  const name = reader.find(key);
  if (name !== undefined) at(name, () => to(name.text()));
}

function placeSpace(graph: AnimGraph, node: number, reader: JsonReader, plane: boolean): void {
  const position = reader.find("position");
  if (!plane) {
    if (position !== undefined) graph.setPosition1D(node, position.number());
    bind(reader, "positionParameter", (name) => graph.bindPosition1D(node, name));
    return;
  }
  if (position !== undefined) {
    const [x, y] = pair(position);
    graph.setPosition2D(node, x.number(), y.number());
  }
  const parameters = reader.find("positionParameters");
  if (parameters === undefined) return;
  const [x, y] = pair(parameters);
  at(parameters, () => graph.bindPosition2D(node, x.text(), y.text()));
}

function pair(reader: JsonReader): [JsonReader, JsonReader] {
  const list = reader.list();
  if (list.length !== 2) reader.fail("a list of two");
  return [list[0]!, list[1]!];
}

function readMask(graph: AnimGraph, node: number, reader: JsonReader, skeleton: AnimSkeleton): void {
  reader.fields("fill", "bones");
  graph.fillBoneMask(node, reader.find("fill")?.number(0, 1) ?? 0);
  for (const [name, weight] of reader.find("bones")?.entries() ?? []) graph.setBoneMask(node, boneNamed(name, weight, skeleton), weight.number(0, 1));
}

function addPoints(graph: AnimGraph, space: number, reader: JsonReader, count: number): void {
  const plane = reader.get("kind").value === "blend-space-2d";
  if (!plane && reader.get("kind").value !== "blend-space-1d") return;
  for (const point of reader.find("points")?.list() ?? []) {
    point.fields(...(plane ? ["x", "y", "node"] : ["x", "node"]));
    const x = point.get("x").number(), y = plane ? point.get("y").number() : 0, node = point.get("node").index(count, "a node");
    at(point, () => (plane ? graph.addBlendSpace2DPoint(space, x, y, node) : graph.addBlendSpace1DPoint(space, x, node)));
  }
}

/** Which blend space or one-shot runs a clip that several have. */
function setDriver(graph: AnimGraph, index: number, reader: JsonReader, count: number): void {
  const driver = reader.get("kind").value === "clip" ? reader.find("driver") : undefined;
  if (driver === undefined) return;
  const nodes = graph.definition.nodes, clip = nodes[index]!, chosen = nodes[driver.index(count, "a node")]!;
  if (!chosen.isSpace || !chosen.inputs.includes(clip)) driver.fail("a blend space that has this clip as a point");
  clip.driver = chosen;
  graph.definition.touch();
}
