import { AnimArgumentError, AnimMismatchError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { disposed, requireFinite, requireIndex, requireLength, requireName, requireObject, requireTime, show } from "../rig/checks.js";
import type { AnimClip } from "../rig/clip.js";
import { EventReader } from "../rig/event-reader.js";
import type { RootMotionMode } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { ClipTrack } from "./clip-track.js";
import { AnimGraph } from "./graph.js";
import { mergedMode } from "./graph-structure.js";
import { type Interruption, MachineDefinition, type MachineState, type MachineTransition, type TransitionMode } from "./machine-definition.js";
import type { AnimStateMachine } from "./state-machine.js";
import { type Condition, requireOp } from "./state-machine-conditions.js";

/** A clip at a position of a blend space on a line. */
export interface BlendPoint1D {
  x: number;
  clip: AnimClip;
}

/** A clip at a position of a blend space on a plane. */
export interface BlendPoint2D extends BlendPoint1D {
  y: number;
}

/** The definition of a state machine as its methods see it: states, transitions, conditions. All instances share it. */
export abstract class MachineStructure extends EventReader {
  /** @internal */
  readonly definition: MachineDefinition;
  protected isDisposed = false;

  /** Whether it was disposed. @internal */
  get isGone(): boolean { return this.isDisposed; }

  protected constructor(skeleton: AnimSkeleton, definition: MachineDefinition | undefined) {
    super();
    requireObject("AnimStateMachine", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("AnimStateMachine");
    this.definition = definition ?? new MachineDefinition(skeleton);
  }

  // ---- states -----------------------------------------------------------------------------------------------------

  /** @throws AnimArgumentError for an empty or taken name */
  addState(name: string, clip: AnimClip): void {
    this.#checkName("addState", name);
    requireObject("AnimStateMachine.addState", "clip", clip, "AnimClip");
    this.definition.add(name, new ClipTrack(this.definition.skeleton, clip), undefined, undefined);
  }

  /**
   * A state that plays a graph. The machine has an instance of it, which starts over whenever the state is entered; reach it
   * with `getStateGraph`. Floats of the machine that have the names of the graph's parameters drive them; they are declared.
   * @throws AnimMismatchError if the graph was made for another skeleton
   */
  addStateFromGraph(name: string, graph: AnimGraph): void {
    this.#checkName("addStateFromGraph", name);
    requireObject("AnimStateMachine.addStateFromGraph", "graph", graph, "AnimGraph");
    this.#checkSkeleton("addStateFromGraph", graph.getSkeleton());
    const shared = graph.share();
    this.definition.add(name, undefined, shared, undefined);
    for (const [i, parameter] of shared.definition.parameters.entries()) this.definition.parameters.declare("float", parameter.name, shared.values[i]);
    this.definition.touch();
  }

  /** A state that plays a blend space on a line, its position the float `parameter`, which is declared. */
  addStateFromBlendSpace1D(name: string, parameter: string, points: readonly BlendPoint1D[]): void {
    this.#checkName("addStateFromBlendSpace1D", name);
    this.#addSpace(name, (graph) => {
      graph.addParameter(parameter);
      const space = graph.addBlendSpace1D();
      for (const { x, clip } of points) graph.addBlendSpace1DPoint(space, x, graph.addClip(clip));
      graph.bindPosition1D(space, parameter);
      graph.setRoot(space);
    });
  }

  /** A state that plays a blend space on a plane, its position the floats `parameterX` and `parameterY`, which are declared. */
  addStateFromBlendSpace2D(name: string, parameterX: string, parameterY: string, points: readonly BlendPoint2D[]): void {
    this.#checkName("addStateFromBlendSpace2D", name);
    this.#addSpace(name, (graph) => {
      graph.addParameter(parameterX);
      graph.addParameter(parameterY);
      const space = graph.addBlendSpace2D();
      for (const { x, y, clip } of points) graph.addBlendSpace2DPoint(space, x, y, graph.addClip(clip));
      graph.bindPosition2D(space, parameterX, parameterY);
      graph.setRoot(space);
    });
  }

  /**
   * A state that plays a machine, which starts over whenever the state is entered; `getStateMachine` gives this machine's
   * instance. It sees this machine's parameters: those that it declares are declared here. A state of it that `setExit`
   * marks counts as the end: transitions with an exit time leave then.
   * @throws AnimMismatchError for another skeleton @throws AnimArgumentError if it contains this machine
   */
  addStateFromMachine(name: string, machine: AnimStateMachine): void {
    this.#checkName("addStateFromMachine", name);
    requireObject("AnimStateMachine.addStateFromMachine", "machine", machine, "AnimStateMachine");
    this.#checkSkeleton("addStateFromMachine", machine.getSkeleton());
    if (contains(machine.definition, this.definition)) {
      throw new AnimArgumentError("AnimStateMachine.addStateFromMachine: the machine contains this one, or is this one. Machines nest downward only.");
    }
    machine.run.fit();
    this.definition.add(name, undefined, undefined, machine.definition);
    for (const [i, { kind, name: parameter }] of machine.definition.parameters.list.entries()) this.definition.parameters.declare(kind, parameter, machine.run.values[i]);
    this.definition.touch();
  }

  /** Marks a state as an end of the machine, which counts where the machine is a state of another. */
  setExit(name: string, exit = true): void {
    this.state("setExit", "name", name).exit = exit;
  }

  /** Rate at which a state plays; default 1. A graph or machine inside runs at it as a whole, fades inside included. @param speed - 0 or more */
  setStateSpeed(name: string, speed: number): void {
    const state = this.state("setStateSpeed", "name", name);
    requireLength("AnimStateMachine.setStateSpeed", "speed", speed);
    state.speed[0] = speed;
  }

  getStateSpeed(name: string): number { return this.state("getStateSpeed", "name", name).speed[0]!; }

  /**
   * A float that the rate of a state is multiplied by; below 0 it counts as 0. It is declared with the value 1 if nothing has declared
   * it yet. null takes it away.
   */
  setStateSpeedParameter(name: string, parameter: string | null): void {
    const state = this.state("setStateSpeedParameter", "name", name);
    if (parameter !== null) requireName("AnimStateMachine.setStateSpeedParameter", "parameter", parameter);
    state.speedParameter = parameter === null ? -1 : this.definition.parameters.declare("float", parameter, 1);
    this.definition.touch();
  }

  /** "" without one. */
  getStateSpeedParameter(name: string): string {
    return this.definition.parameters.list[this.state("getStateSpeedParameter", "name", name).speedParameter]?.name ?? "";
  }

  hasState(name: string): boolean { return this.definition.byName.has(name); }
  getStateCount(): number { return this.definition.states.length; }

  /** @throws AnimIndexError */
  getStateName(index: number): string {
    requireIndex("AnimStateMachine.getStateName", "index", index, this.definition.states.length);
    return this.definition.states[index]!.name;
  }

  // ---- transitions ------------------------------------------------------------------------------------------------

  /**
   * @param from - a state, or "*" for any; a state may lead to itself, which restarts it
   * @param blendSeconds - real seconds, 0 or more
   * @returns the id of the transition; transitions of a state are tried in the order of ids
   */
  addTransition(from: string, to: string, blendSeconds: number): number {
    const source = from === "*" ? undefined : this.state("addTransition", "from", from), target = this.state("addTransition", "to", to);
    requireTime("AnimStateMachine.addTransition", "blendSeconds", blendSeconds);
    return this.definition.addTransition(source, target, blendSeconds).id;
  }

  getTransitionCount(): number { return this.definition.transitions.length; }

  /** All conditions of a transition must hold. @param op - > >= < <= == != (equal within 1e-5) */
  addFloatCondition(transition: number, param: string, op: string, threshold: number): void {
    requireOp(op);
    requireFinite("AnimStateMachine.addFloatCondition", "threshold", threshold);
    this.#addCondition("addFloatCondition", transition, { kind: "float", param, op, threshold, value: false });
  }

  addBoolCondition(transition: number, param: string, value: boolean): void {
    this.#addCondition("addBoolCondition", transition, { kind: "bool", param, op: "==", threshold: 0, value: value === true });
  }

  /** The trigger is taken back when the transition happens. */
  addTriggerCondition(transition: number, param: string): void {
    this.#addCondition("addTriggerCondition", transition, { kind: "trigger", param, op: "==", threshold: 0, value: true });
  }

  /**
   * Takes a trigger back that no transition took within this time, so that a late one does not surprise. Whatever its age, it is
   * looked at in one update at least that tests transitions of the state.
   * @param seconds - real seconds; Infinity (the default) keeps it
   * @throws AnimNameError if no condition uses the name
   */
  setTriggerTimeout(name: string, seconds: number): void {
    this.check("setTriggerTimeout");
    const { parameters } = this.definition, index = parameters.require("setTriggerTimeout", "trigger", name);
    if (seconds !== Infinity) requireTime("AnimStateMachine.setTriggerTimeout", "seconds", seconds);
    parameters.list[index]!.timeout = seconds;
    if (seconds !== Infinity) parameters.hasTimeouts = true;
  }

  /** Seconds; Infinity if it has none. @throws AnimNameError if no condition uses the name */
  getTriggerTimeout(name: string): number {
    this.check("getTriggerTimeout");
    const { parameters } = this.definition;
    return parameters.list[parameters.require("getTriggerTimeout", "trigger", name)]!.timeout;
  }

  /** The earliest point of the clip, 0..1 (clamped), and switches it on. */
  setExitTime(transition: number, normalizedTime: number): void {
    const target = this.#transition("setExitTime", transition);
    requireFinite("AnimStateMachine.setExitTime", "normalizedTime", normalizedTime);
    target.exitTime = Math.min(1, Math.max(0, normalizedTime));
    target.hasExitTime = true;
  }

  /** As `setExitTime` without the upper limit: 2.5 is half-way through the third pass of a looping clip, and of every later one. */
  setExitTimeExact(transition: number, normalizedTime: number): void {
    const target = this.#transition("setExitTimeExact", transition);
    requireLength("AnimStateMachine.setExitTimeExact", "normalizedTime", normalizedTime);
    target.exitTime = normalizedTime;
    target.hasExitTime = true;
  }

  /**
   * Where the destination begins: a share of its clip, 0 (the default) to 1, or "markers": at the time that corresponds to the
   * source's, by sync markers, else by phase. Exit times before it do not count in the first pass.
   * @throws AnimArgumentError if the destination plays no clip: graphs and machines begin at their beginning
   */
  setTransitionOffset(transition: number, offset: number | "markers"): void {
    const target = this.#transition("setTransitionOffset", transition), synced = offset === "markers";
    if (!synced && !(typeof offset === "number" && offset >= 0 && offset <= 1)) {
      throw new AnimArgumentError(`AnimStateMachine.setTransitionOffset: offset is ${show(offset)}, expected a number from 0 to 1, or "markers".`, { found: offset });
    }
    if (target.to.track === undefined && offset !== 0) {
      throw new AnimArgumentError(`AnimStateMachine.setTransitionOffset: state ${show(target.to.name)} plays no clip, so it begins at its beginning. Offsets are for states of addState.`, { found: offset });
    }
    target.offset[0] = synced ? 0 : (offset as number);
    target.synced = synced;
  }

  setHasExitTime(transition: number, enabled: boolean): void {
    this.#transition("setHasExitTime", transition).hasExitTime = enabled === true;
  }

  /** Whose transitions may break off this one while it blends; default "none". What is shown then fades out. */
  setInterruptible(transition: number, by: Interruption): void {
    const target = this.#transition("setInterruptible", transition);
    if (by !== "none" && by !== "destination" && by !== "source" && by !== "both") {
      throw new AnimArgumentError(`AnimStateMachine.setInterruptible: by is ${show(by)}, expected "none", "destination", "source" or "both".`, { found: by });
    }
    target.interruptible = by;
  }

  /**
   * "live" (default): what fades out plays on during the blend; "frozen": it stands still; "inertial": it is dropped and the
   * difference to it dies away with its velocity.
   */
  setTransitionMode(transition: number, mode: TransitionMode): void {
    const target = this.#transition("setTransitionMode", transition);
    if (mode !== "live" && mode !== "frozen" && mode !== "inertial") {
      throw new AnimArgumentError(`AnimStateMachine.setTransitionMode: mode is ${show(mode)}, expected "live", "frozen" or "inertial".`, { found: mode });
    }
    target.mode = mode;
    if (mode === "inertial") this.definition.hasInertia = true;
    this.definition.touch();
  }

  // ---- root motion and events -------------------------------------------------------------------------------------

  /** As on AnimPlayer; graphs and machines inside follow. */
  setRootMotionBone(bone: number): void {
    this.check("setRootMotionBone");
    if (bone !== -1) requireIndex("AnimStateMachine.setRootMotionBone", "bone", bone, this.definition.skeleton.getBoneCount());
    this.definition.setRootMotion(bone, this.definition.rootMode);
  }

  getRootMotionBone(): number { return this.definition.rootBone; }

  /** As on AnimPlayer. */
  setRootMotionMode(mode: Partial<RootMotionMode>): void {
    this.check("setRootMotionMode");
    this.definition.setRootMotion(this.definition.rootBone, mergedMode("AnimStateMachine.setRootMotionMode", this.definition.rootMode, mode));
  }

  /** Whose events fire during a blend: those of the destination ("target", default), of the heavier side, of both. */
  setEventPolicy(policy: "target" | "dominant" | "all"): void {
    if (policy !== "target" && policy !== "dominant" && policy !== "all") {
      throw new AnimArgumentError(`AnimStateMachine.setEventPolicy: policy is ${show(policy)}, expected "target", "dominant" or "all".`, { found: policy });
    }
    this.definition.eventPolicy = policy;
  }

  getSkeleton(): AnimSkeleton { return this.definition.skeleton; }

  protected state(method: string, argument: string, name: string): MachineState {
    this.check(method);
    const { byName } = this.definition, state = byName.get(name);
    if (state !== undefined) return state;
    throw new AnimNameError(`AnimStateMachine.${method}: ${argument} is ${show(name)}, which is no state.${nearMatches(String(name), byName.keys())}`, { found: name });
  }

  protected check(method: string): void {
    if (this.isDisposed) throw disposed(`AnimStateMachine.${method}`, "AnimStateMachine");
  }

  #addSpace(name: string, build: (graph: AnimGraph) => void): void {
    const graph = new AnimGraph(this.definition.skeleton);
    try {
      build(graph);
      this.addStateFromGraph(name, graph);
    } finally {
      graph.dispose();
    }
  }

  #addCondition(method: string, transition: number, condition: Condition): void {
    const target = this.#transition(method, transition);
    requireName(`AnimStateMachine.${method}`, "param", condition.param);
    this.definition.touch();
    target.conditions.push({ ...condition, index: this.definition.parameters.declare(condition.kind, condition.param) });
  }

  #transition(method: string, id: number): MachineTransition {
    this.check(method);
    requireIndex(`AnimStateMachine.${method}`, "transition", id, this.definition.transitions.length);
    return this.definition.transitions[id]!;
  }

  #checkName(method: string, name: string): void {
    this.check(method);
    requireName(`AnimStateMachine.${method}`, "name", name);
    if (name === "*" || this.definition.byName.has(name)) {
      throw new AnimArgumentError(`AnimStateMachine.${method}: name is ${show(name)}, expected one that is not in use${name === "*" ? ' ("*" means any state)' : ""}.`, { found: name });
    }
  }

  #checkSkeleton(method: string, skeleton: AnimSkeleton): void {
    if (skeleton !== this.definition.skeleton) throw new AnimMismatchError(`AnimStateMachine.${method}: it was made for another skeleton. Make it with the machine's.`);
  }
}

function contains(machine: MachineDefinition, wanted: MachineDefinition): boolean {
  return machine === wanted || machine.states.some((state) => state.machine !== undefined && contains(state.machine, wanted));
}
