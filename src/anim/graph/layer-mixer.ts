import { AnimArgumentError, AnimMismatchError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { disposed, requireFinite, requireIndex, requireName, requireObject, requireTime, show } from "../rig/checks.js";
import { EventReader } from "../rig/event-reader.js";
import { AnimPlayer } from "../rig/player.js";
import { AnimPose } from "../rig/pose.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { AnimBoneMask } from "./bone-mask.js";
import type { AnimGraph } from "./graph.js";
import { requireMaskSize } from "./graph-structure.js";
import { MOST_ADDED } from "./node.js";
import { PoseFrame } from "./pose-frame.js";
import { PoseInertia } from "./pose-inertia.js";
import type { AnimStateMachine } from "./state-machine.js";

type Source = AnimPlayer | AnimGraph | AnimStateMachine;
export type LayerMode = "override" | "additive";

interface Layer {
  readonly name: string;
  readonly source: Source;
  readonly mask: AnimBoneMask | null;
  readonly mode: LayerMode;
  /** Weight, where a fade leads it, and weight a second of the fade (0: none): typed, so that nothing is boxed. */
  readonly numbers: Float64Array;
  enabled: boolean;
  /** Whether events are kept back; undefined: only while the layer is off. */
  muted: boolean | undefined;
  bindReference: boolean;
}

const WEIGHT = 0, GOAL = 1, RATE = 2;

/**
 * Lays players, graphs and state machines over a base, in the order in which the layers were added, each on the bones of
 * its mask.
 *
 * Updates every source once, so do not update them too. The pose (`getPose()`) starts as the bind pose, which is also what
 * a mixer without base begins with; its world is stale after every update. Updates allocate nothing.
 */
export class AnimLayerMixer extends EventReader {
  readonly #skeleton: AnimSkeleton;
  readonly #pose = new AnimPose();
  readonly #frame = new PoseFrame();
  readonly #step = new Float64Array(1);
  #inertia: PoseInertia | undefined;
  #updates = 0;
  readonly #layers: Layer[] = [];
  #base: Source | null = null;
  #updatesSources = true;
  #disposed = false;

  constructor(skeleton: AnimSkeleton) {
    super();
    requireObject("AnimLayerMixer", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("AnimLayerMixer");
    this.#skeleton = skeleton;
    skeleton.applyBindPose(this.#pose);
  }

  /** The base, in place of any other. @throws AnimMismatchError for another skeleton */
  setBasePlayer(player: AnimPlayer): void {
    this.#base = this.#source("setBasePlayer", "player", player, "AnimPlayer");
  }

  /** @throws AnimMismatchError for another skeleton */
  setBaseGraph(graph: AnimGraph): void {
    this.#base = this.#source("setBaseGraph", "graph", graph, "AnimGraph");
  }

  /** @throws AnimMismatchError for another skeleton */
  setBaseStateMachine(machine: AnimStateMachine): void {
    this.#base = this.#source("setBaseStateMachine", "machine", machine, "AnimStateMachine");
  }

  /** null without a base, or if it is a graph or a state machine. */
  getBasePlayer(): AnimPlayer | null {
    return this.#base instanceof AnimPlayer ? this.#base : null;
  }

  /**
   * @param name - not in use yet
   * @param mask - the bones of the layer; null is all of them
   * @param weight - override: clamped to 0..1; additive: 0 or more
   * @returns the layer's index
   */
  addLayer(name: string, player: AnimPlayer, mask: AnimBoneMask | null = null, mode: LayerMode = "override", weight = 1): number {
    return this.#add("addLayer", name, this.#source("addLayer", "player", player, "AnimPlayer"), mask, mode, weight);
  }

  /** As `addLayer`. */
  addGraphLayer(name: string, graph: AnimGraph, mask: AnimBoneMask | null = null, mode: LayerMode = "override", weight = 1): number {
    return this.#add("addGraphLayer", name, this.#source("addGraphLayer", "graph", graph, "AnimGraph"), mask, mode, weight);
  }

  /** As `addLayer`. */
  addStateMachineLayer(name: string, machine: AnimStateMachine, mask: AnimBoneMask | null = null, mode: LayerMode = "override", weight = 1): number {
    return this.#add("addStateMachineLayer", name, this.#source("addStateMachineLayer", "machine", machine, "AnimStateMachine"), mask, mode, weight);
  }

  /** Removes a layer and empties the event list of the last update. */
  removeLayer(name: string): void {
    this.#layers.splice(this.#layers.indexOf(this.#layer("removeLayer", name)), 1);
    this.eventLog.beginUpdate();
  }

  /** Override: clamped to 0..1; additive: 0 or more. */
  setLayerWeight(name: string, weight: number): void {
    const layer = this.#layer("setLayerWeight", name);
    requireFinite("AnimLayerMixer.setLayerWeight", "weight", weight);
    setWeight(layer, clampWeight(layer.mode, weight));
  }

  getLayerWeight(name: string): number { return this.#layer("getLayerWeight", name).numbers[WEIGHT]!; }

  /**
   * Leads the weight of a layer to `weight` over `seconds` of real time. "linear" (default) ramps it; "inertial" sets it at
   * once, and the difference to what was shown dies away.
   */
  fadeLayer(name: string, weight: number, seconds: number, curve: "linear" | "inertial" = "linear"): void {
    const layer = this.#layer("fadeLayer", name);
    requireFinite("AnimLayerMixer.fadeLayer", "weight", weight);
    requireTime("AnimLayerMixer.fadeLayer", "seconds", seconds);
    if (curve !== "linear" && curve !== "inertial") {
      throw new AnimArgumentError(`AnimLayerMixer.fadeLayer: curve is ${show(curve)}, expected "linear" or "inertial".`, { found: curve });
    }
    const goal = clampWeight(layer.mode, weight), numbers = layer.numbers;
    if (curve === "inertial" || seconds <= 1e-6) {
      setWeight(layer, goal);
      if (curve === "inertial") this.requestTransition(seconds);
      return;
    }
    numbers[GOAL] = goal;
    numbers[RATE] = Math.abs(goal - numbers[WEIGHT]!) / seconds;
  }

  /**
   * The next pose goes on from the one shown and the difference dies away in about `seconds`: for any change that would make
   * the pose jump (another base, a layer switched on or off, a source that seeks). The first one knows no velocity; call
   * `prepareTransitions` early for that.
   */
  requestTransition(seconds: number): void {
    if (this.#disposed) throw disposed("AnimLayerMixer.requestTransition", "AnimLayerMixer");
    requireTime("AnimLayerMixer.requestTransition", "seconds", seconds);
    this.#prepareInertia().request(seconds);
  }

  /** Keeps what is shown from now on, so that the first transition goes on with its velocity. Costs a copy an update. */
  prepareTransitions(): void {
    this.#prepareInertia();
  }

  /** A layer that is off keeps the time of its source but changes nothing and reports no events. */
  setLayerEnabled(name: string, enabled: boolean): void {
    this.#layer("setLayerEnabled", name).enabled = enabled === true;
  }

  getLayerEnabled(name: string): boolean { return this.#layer("getLayerEnabled", name).enabled; }

  /** Whether a layer reports no events: true never, false always, also while it is off; null (the default) not while it is off. */
  setLayerMuteEvents(name: string, muted: boolean | null): void {
    this.#layer("setLayerMuteEvents", name).muted = muted === null ? undefined : muted === true;
  }

  /**
   * Moves a layer to another place in the order of application.
   * @param index - its place afterwards, 0..layers - 1 @throws AnimIndexError
   */
  moveLayer(name: string, index: number): void {
    const layer = this.#layer("moveLayer", name), layers = this.#layers;
    requireIndex("AnimLayerMixer.moveLayer", "index", index, layers.length);
    layers.splice(layers.indexOf(layer), 1);
    layers.splice(index, 0, layer);
    this.eventLog.beginUpdate();
  }

  /** The pose of a layer's source, before weight and mask. */
  getLayerPose(name: string): AnimPose { return this.#layer("getLayerPose", name).source.getPose(); }

  /**
   * Whether `update` advances base and layers (default true). With false the mixer only combines what they show and reports the events
   * of their last updates: for sources that something else advances, such as players of a sync group.
   */
  setUpdateSources(update: boolean): void { this.#updatesSources = update === true; }

  /** What an additive layer's pose is: a pose whose difference to the bind pose counts ("bind", the default), or a delta ("identity"). */
  setLayerAdditiveReference(name: string, reference: "bind" | "identity"): void {
    const layer = this.#layer("setLayerAdditiveReference", name);
    if (reference !== "bind" && reference !== "identity") {
      throw new AnimArgumentError(`AnimLayerMixer.setLayerAdditiveReference: reference is ${show(reference)}, expected "bind" or "identity".`, { found: reference });
    }
    layer.bindReference = reference === "bind";
  }

  getLayerAdditiveReference(name: string): "bind" | "identity" {
    return this.#layer("getLayerAdditiveReference", name).bindReference ? "bind" : "identity";
  }

  getLayerCount(): number { return this.#layers.length; }

  /** @throws AnimIndexError */
  getLayerName(index: number): string {
    requireIndex("AnimLayerMixer.getLayerName", "index", index, this.#layers.length);
    return this.#layers[index]!.name;
  }

  getLayerMode(name: string): LayerMode { return this.#layer("getLayerMode", name).mode; }

  /** The output pose; the same object for the life of the mixer. */
  getPose(): AnimPose { return this.#pose; }
  getSkeleton(): AnimSkeleton { return this.#skeleton; }

  /** Where an event of the last update came from: a layer's name, or "base". @throws AnimIndexError */
  getEventLayer(i: number): string {
    requireIndex("AnimLayerMixer.getEventLayer", "i", i, this.eventLog.count);
    const source = this.eventLog.source(i);
    return source < 0 ? "base" : this.#layers[source]?.name ?? "";
  }

  /** Advances base and layers by `dt` real seconds: a negative dt throws, one that is not finite is ignored. */
  update(dt: number): void {
    if (this.#disposed) throw disposed("AnimLayerMixer.update", "AnimLayerMixer");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimLayerMixer.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    const layers = this.#layers;
    this.eventLog.beginUpdate();
    if (!Number.isFinite(dt)) return;
    this.#step[0] = dt;
    if (this.#updatesSources) this.#base?.update(dt);
    for (let i = 0; i < layers.length; i++) advanceFade(layers[i]!, this.#step);
    for (let i = 0; i < layers.length; i++) if (this.#updatesSources && !this.#isUpdated(layers[i]!.source, i)) layers[i]!.source.update(dt);
    this.#combine();
    if (this.#base !== null) this.#collect(this.#base, -1);
    for (let i = 0; i < layers.length; i++) {
      if (reports(layers[i]!) && !this.#isHeard(layers[i]!.source, i)) this.#collect(layers[i]!.source, i);
    }
  }

  /** Frees the pose; sources and masks stay. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#pose.dispose();
    this.#frame.dispose();
    this.#inertia?.dispose();
    this.#layers.length = 0;
    this.#base = null;
    retire(this, "AnimLayerMixer");
  }

  /** Whether the base or a layer before `index` has the same source; such a source counts once. */
  #isUpdated(source: Source, index: number): boolean {
    if (source === this.#base) return true;
    for (let i = 0; i < index; i++) if (this.#layers[i]!.source === source) return true;
    return false;
  }

  /** Whether the base or a layer before `index` reports the events of the same source. */
  #isHeard(source: Source, index: number): boolean {
    if (source === this.#base) return true;
    for (let i = 0; i < index; i++) if (reports(this.#layers[i]!) && this.#layers[i]!.source === source) return true;
    return false;
  }

  #combine(): void {
    const frame = this.#frame, program = frame.program, out = this.#pose.localPtr, layers = this.#layers, bind = this.#skeleton.bindPtr;
    frame.reserve(this.#pose.groupCount, 0, 0);
    program.copy(out, this.#base === null ? bind : this.#base.getPose().localPtr);
    for (let i = 0; i < layers.length; i++) {
      const layer = layers[i]!;
      if (!layer.enabled || layer.numbers[WEIGHT]! <= 0) continue;
      const pose = layer.source.getPose().localPtr, mask = layer.mask === null ? 0 : layer.mask.lanesPtr;
      if (layer.mode === "override") program.blend(out, out, pose, 1, mask);
      else if (layer.bindReference) program.addDifference(out, out, pose, bind, 1, mask);
      else program.add(out, out, pose, 1, mask);
      program.weighLastBy(layer.numbers, WEIGHT);
    }
    this.#updates++;
    this.#inertia?.process(frame, out, out, this.#step, this.#updates);
    frame.finish();
    this.#pose.markStale();
  }

  #prepareInertia(): PoseInertia {
    if (this.#inertia !== undefined) return this.#inertia;
    const inertia = (this.#inertia = new PoseInertia(this.#pose.groupCount));
    // What is shown now.
    if (this.#updates > 0) {
      this.#frame.reserve(this.#pose.groupCount, 0, 0);
      inertia.process(this.#frame, this.#pose.localPtr, this.#pose.localPtr, new Float64Array(1), this.#updates);
      this.#frame.finish();
    }
    return inertia;
  }

  #collect(source: Source, index: number): void {
    const from = source.eventLog, log = this.eventLog;
    for (let i = 0; i < from.count; i++) log.copy(from, i, index);
  }

  #add(method: string, name: string, source: Source, mask: AnimBoneMask | null, mode: LayerMode, weight: number): number {
    requireName(`AnimLayerMixer.${method}`, "name", name);
    requireFinite(`AnimLayerMixer.${method}`, "weight", weight);
    if (mode !== "override" && mode !== "additive") {
      throw new AnimArgumentError(`AnimLayerMixer.${method}: mode is ${show(mode)}, expected "override" or "additive".`, { found: mode });
    }
    if (this.#layers.some((layer) => layer.name === name)) {
      throw new AnimArgumentError(`AnimLayerMixer.${method}: a layer named ${show(name)} exists already. Names are unique.`, { found: name });
    }
    if (mask !== null) {
      requireObject(`AnimLayerMixer.${method}`, "mask", mask, "AnimBoneMask");
      requireMaskSize(`AnimLayerMixer.${method}`, mask, this.#skeleton);
    }
    this.#layers.push({ name, source, mask, mode, numbers: Float64Array.of(clampWeight(mode, weight), 0, 0), enabled: true, muted: undefined, bindReference: true });
    return this.#layers.length - 1;
  }

  #source<T extends Source>(method: string, argument: string, source: T, type: string): T {
    if (this.#disposed) throw disposed(`AnimLayerMixer.${method}`, "AnimLayerMixer");
    requireObject(`AnimLayerMixer.${method}`, argument, source, type);
    if (source.getSkeleton() !== this.#skeleton) {
      throw new AnimMismatchError(`AnimLayerMixer.${method}: ${argument} belongs to another skeleton. Use sources made with the mixer's.`);
    }
    return source;
  }

  #layer(method: string, name: string): Layer {
    for (let i = 0; i < this.#layers.length; i++) if (this.#layers[i]!.name === name) return this.#layers[i]!;
    throw new AnimNameError(
      `AnimLayerMixer.${method}: there is no layer named ${show(name)}.${nearMatches(String(name), this.#layers.map((layer) => layer.name))}`, { found: name });
  }
}

function reports(layer: Layer): boolean {
  return layer.muted === undefined ? layer.enabled : !layer.muted;
}

function setWeight(layer: Layer, weight: number): void {
  layer.numbers[WEIGHT] = weight;
  layer.numbers[RATE] = 0;
}

/** One step of a fade. */
function advanceFade(layer: Layer, step: Float64Array): void {
  const numbers = layer.numbers, rate = numbers[RATE]!;
  if (rate === 0) return;
  const left = numbers[GOAL]! - numbers[WEIGHT]!, way = rate * step[0]!;
  if (Math.abs(left) <= way) {
    numbers[WEIGHT] = numbers[GOAL]!;
    numbers[RATE] = 0;
  } else {
    numbers[WEIGHT] = numbers[WEIGHT]! + (left > 0 ? way : -way);
  }
}

function clampWeight(mode: LayerMode, weight: number): number {
  return mode === "override" ? Math.min(1, Math.max(0, weight)) : Math.min(MOST_ADDED, Math.max(0, weight));
}
