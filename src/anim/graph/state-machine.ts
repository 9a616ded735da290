import { AnimArgumentError, AnimStateError } from "../errors.js";
import { LONGEST_STEP, requireFinite, requireTime, show } from "../rig/checks.js";
import { AnimPose } from "../rig/pose.js";
import { retire } from "../rig/retire.js";
import { RIGID, setIdentity } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { AnimGraph } from "./graph.js";
import type { ClipResolver } from "./graph-json.js";
import type { MachineDefinition, MachineState } from "./machine-definition.js";
import { type MachineJson, machineFromJson, machineToJson } from "./machine-json.js";
import { FORCED, M } from "./machine-numbers.js";
import { MachineRecord, StateEvent, type TransitionRecord } from "./machine-record.js";
import { MachineRun } from "./machine-run.js";
import { captureMachine, checkMachineState, type MachineStateJson, restoreMachine } from "./machine-state.js";
import { MachineStructure } from "./machine-structure.js";
import { type PoseFrame, touchPose } from "./pose-frame.js";
import type { ParameterKind } from "./state-machine-conditions.js";

/** A definition to share, handed over by `instantiate`. @internal */
export interface SharedMachine {
  readonly definition: MachineDefinition;
  /** Parameters to start with; undefined: the initial ones. */
  readonly values: Float64Array | undefined;
}

/**
 * States that play a clip, a graph, a blend space or another machine each, and transitions between them that conditions on
 * parameters let happen.
 *
 * Rules: docs/state-machines.md. The state changes the moment a transition is taken; the pose follows over the blend. The
 * pose (`getPose()`) starts as the bind pose, and its world is stale after every update. Updates allocate nothing.
 *
 * `instantiate()` makes a further instance: states, transitions, conditions and modes are common to all instances; parameters,
 * the current state, clocks, events and the pose are each instance's own.
 */
export class AnimStateMachine extends MachineStructure {
  /** @internal */
  readonly run: MachineRun;
  readonly #delta = new Float64Array(RIGID);
  #moved = false;
  #consumed = "";
  #pose: AnimPose | undefined;

  /** @param shared - a definition to share; use `instantiate()` */
  constructor(skeleton: AnimSkeleton, shared?: SharedMachine) {
    super(skeleton, shared?.definition);
    this.run = new MachineRun(this.definition, instanceOf);
    setIdentity(this.#delta, 0);
    if (shared?.values === undefined) return;
    this.run.fit();
    this.run.values.set(shared.values);
  }

  /** A machine from its JSON form. @throws AnimFormatError with a pointer to what is wrong, AnimNameError for a clip or bone that is missing */
  static fromJSON(json: unknown, skeleton: AnimSkeleton, clips: ClipResolver): AnimStateMachine {
    return machineFromJson(json, skeleton, clips, (of) => new AnimStateMachine(of), (of) => new AnimGraph(of));
  }

  /** The JSON form: states with clips by name and graphs and machines in place, transitions, parameters as they are now. The current state is not part of it. */
  toJSON(): MachineJson {
    this.check("toJSON");
    return machineToJson(this);
  }

  /** A further instance of this machine with the present parameters, not started. */
  instantiate(): AnimStateMachine {
    this.check("instantiate");
    this.run.fit();
    return new AnimStateMachine(this.definition.skeleton, { definition: this.definition, values: this.run.values.slice() });
  }

  /** Enters a state at once, at time 0, without a blend. Without it the first update enters the state added first. */
  setEntry(name: string): void {
    const state = this.state("setEntry", "name", name);
    this.definition.entry = state.index;
    this.run.enter(state);
    this.#showNow();
  }

  /**
   * Changes the state whatever the transitions say: a hit, a cut scene, a respawn. A blend that is under way fades out with what it
   * shows. Transitions of the new state are tested when the blend is over.
   * @param blendSeconds - real seconds; 0 (the default) switches at once
   * @throws AnimNameError for a state that is not there
   */
  forceState(name: string, blendSeconds = 0): void {
    const state = this.state("forceState", "name", name);
    requireTime("AnimStateMachine.forceState", "blendSeconds", blendSeconds);
    this.run.force(state, blendSeconds, this.getPose().localPtr);
    this.#showNow();
  }

  /** The logical state: during a blend already the destination. "" before the entry. */
  getCurrentState(): string { return this.run.current?.name ?? ""; }

  // ---- parameters -------------------------------------------------------------------------------------------------

  /** @throws AnimNameError if no condition or state uses the name */
  setFloat(name: string, value: number): void {
    const index = this.#declared("setFloat", "float", name);
    if (!Number.isFinite(value)) requireFinite("AnimStateMachine.setFloat", "value", value);
    this.run.values[index] = value;
  }

  /** 0 for an unknown name. */
  getFloat(name: string): number { return this.#value("float", name); }

  /** @throws AnimNameError if no condition uses the name */
  setBool(name: string, value: boolean): void {
    const index = this.#declared("setBool", "bool", name);
    this.run.values[index] = value === true ? 1 : 0;
  }

  /** false for an unknown name. */
  getBool(name: string): boolean { return this.#value("bool", name) === 1; }

  /** Stays set until a transition takes it or `resetTrigger`. @throws AnimNameError if no condition uses the name */
  setTrigger(name: string): void {
    const index = this.#declared("setTrigger", "trigger", name);
    this.run.values[index] = 1;
    this.run.ages[index] = 0;
  }

  /** @throws AnimNameError if no condition uses the name */
  resetTrigger(name: string): void {
    const index = this.#declared("resetTrigger", "trigger", name);
    this.run.values[index] = 0;
  }

  /** false for an unknown name. */
  getTrigger(name: string): boolean { return this.#value("trigger", name) === 1; }

  /** Names of the declared floats, bools or triggers, in the order of declaration. */
  getParameterNames(kind: ParameterKind): string[] {
    return this.definition.parameters.list.filter((parameter) => parameter.kind === kind).map((parameter) => parameter.name);
  }

  // ---- results ----------------------------------------------------------------------------------------------------

  /** The output pose; the same object for the life of the machine. */
  getPose(): AnimPose {
    if (this.#pose === undefined) {
      this.check("getPose");
      this.#pose = new AnimPose();
      this.definition.skeleton.applyBindPose(this.#pose);
    }
    return this.#pose;
  }

  /** Seconds in the current state, not wrapped. */
  getStateTime(): number { return this.run.numbers[M.STATE_TIME]!; }
  /** Whether a transition is under way. */
  isBlending(): boolean { return this.run.numbers[M.TAKEN]! >= 0; }
  /** The transition under way, -1 without one and for one that was forced. */
  getTransition(): number { return this.run.numbers[M.TAKEN] === FORCED ? -1 : this.run.numbers[M.TAKEN]!; }
  /** 0..1 of the transition under way, 1 without one. */
  getTransitionProgress(): number {
    const { numbers } = this.run;
    return numbers[M.TAKEN]! < 0 ? 1 : Math.min(1, numbers[M.ELAPSED]! / numbers[M.DURATION]!);
  }

  /** States that transitions lead to from a state (the current one unless told, before the entry the first), directly or through others, in the order of addition. */
  getReachableStates(from = this.getCurrentState()): string[] {
    const { states } = this.definition, start = from === "" ? states[this.definition.entry] : this.state("getReachableStates", "from", from);
    const reached = new Set<MachineState>(), next = start === undefined ? [] : [start];
    for (let state = next.pop(); state !== undefined; state = next.pop()) {
      for (const { to } of state.transitions) {
        if (reached.has(to)) continue;
        reached.add(to);
        next.push(to);
      }
    }
    return states.filter((state) => reached.has(state)).map((state) => state.name);
  }

  /**
   * Takes the oldest of the states that were entered or left off a queue (64 at most, the oldest are dropped): "enter" or "exit", and
   * "" when it is empty; `getConsumedState` says which state. Kept from `recordStates(true)` on.
   */
  consumeStateEvent(): "enter" | "exit" | "" {
    const event = this.run.record?.shift() ?? -1;
    this.#consumed = event < 0 ? "" : this.definition.states[event >> 2]!.name;
    return event < 0 ? "" : (event & 3) === StateEvent.ENTER ? "enter" : "exit";
  }

  /** The state of the event that `consumeStateEvent` returned last. */
  getConsumedState(): string { return this.#consumed; }

  /** The last 64 transitions that were taken, the oldest first, with the values that their conditions saw. Kept from `recordStates(true)` on. */
  getTransitionLog(): TransitionRecord[] {
    this.check("getTransitionLog");
    return this.run.record?.list() ?? [];
  }

  /** Whether states and transitions are remembered from now on, for `consumeStateEvent` and `getTransitionLog`. Default false; false forgets them. */
  recordStates(record = true): void {
    this.check("recordStates");
    if (!record) this.run.record = undefined;
    else this.run.record ??= new MachineRecord(this.definition);
  }

  /** This machine's instance of the graph that a state plays; it starts over when the state is entered. @throws AnimArgumentError if it plays none */
  getStateGraph(name: string): AnimGraph {
    const child = this.#child("getStateGraph", name);
    if (child instanceof AnimGraph) return child;
    throw new AnimArgumentError(`AnimStateMachine.getStateGraph: state ${show(name)} plays no graph or blend space.`, { found: name });
  }

  /** This machine's instance of the machine that a state plays. @throws AnimArgumentError if it plays none */
  getStateMachine(name: string): AnimStateMachine {
    const child = this.#child("getStateMachine", name);
    if (child instanceof AnimStateMachine) return child;
    throw new AnimArgumentError(`AnimStateMachine.getStateMachine: state ${show(name)} plays no machine.`, { found: name });
  }

  getRootMotionX(): number { return this.#delta[0]!; }
  getRootMotionY(): number { return this.#delta[1]!; }
  getRootMotionZ(): number { return this.#delta[2]!; }
  getRootMotionRotationX(): number { return this.#delta[3]!; }
  getRootMotionRotationY(): number { return this.#delta[4]!; }
  getRootMotionRotationZ(): number { return this.#delta[5]!; }
  getRootMotionRotationW(): number { return this.#delta[6]!; }

  /** Level of detail that clips are sampled at; 0 is full. */
  setLod(level: number): void {
    if (!(Number.isInteger(level) && level >= 0 && level <= 255)) {
      throw new AnimArgumentError(`AnimStateMachine.setLod: level is ${show(level)}, expected a whole number of 0..255.`, { found: level });
    }
    this.run.lod = level;
  }

  // ---- playback ---------------------------------------------------------------------------------------------------

  /** Advances by `dt` real seconds: a negative dt throws, one that is not finite is ignored. Takes at most one transition. */
  update(dt: number): void {
    this.check("update");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimStateMachine.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    this.run.step[0] = Math.min(LONGEST_STEP, dt);
    const frame = this.definition.frame;
    this.record(frame);
    frame.finish();
  }

  /** Makes ready for an update. @internal */
  prepare(): void {
    this.run.prepare();
  }

  /** Reads what an update will read, see AnimGraphBatch. @internal */
  touch(): number {
    return this.run.touch() + (this.#pose === undefined ? 0 : touchPose(this.#pose));
  }

  /** `update` by `run.step` into a frame that the caller runs. @internal */
  record(frame: PoseFrame): void {
    const run = this.run;
    this.eventLog.beginUpdate();
    if (this.#moved) setIdentity(this.#delta, 0);
    this.#moved = false;
    if (!Number.isFinite(run.step[0]!) || this.definition.states.length === 0) return;
    const pose = this.getPose();
    run.prepare();
    frame.reserve(this.definition.skeleton.groupCount, run.poseCount, run.sampleCount);
    run.evaluate(frame, pose.localPtr, this.eventLog);
    if (this.definition.rootBone >= 0) {
      this.#delta.set(run.delta);
      this.#moved = true;
    }
    pose.markStale();
  }

  /** States, clocks, transitions under way and parameters as plain JSON; events that are queued are not part of it. */
  captureState(): MachineStateJson {
    this.check("captureState");
    return captureMachine(this);
  }

  /**
   * Takes up a state that this machine, or another of the same definition, captured; what follows has the same bits.
   * @throws AnimStateError for anything else; then nothing changes
   */
  restoreState(state: unknown): void {
    this.check("restoreState");
    checkMachineState("AnimStateMachine.restoreState", this, state);
    restoreMachine(this, state as MachineStateJson);
    this.#showNow();
  }

  /** Parameters at 0 and false, the entry state at its beginning, no blend. */
  resetToDefaults(): void {
    this.check("resetToDefaults");
    if (this.definition.states.length === 0) throw new AnimStateError("AnimStateMachine.resetToDefaults: the machine has no states. Add one first.");
    this.run.fit();
    this.run.clear();
    this.run.restart();
    this.#showNow();
  }

  /** Frees the pose and what the states play; clips, graphs that were handed in and skeleton stay. Safe to call twice. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.#pose?.dispose();
    this.run.dispose();
    retire(this, "AnimStateMachine");
  }

  #showNow(): void {
    const frame = this.definition.frame, pose = this.getPose(), run = this.run;
    setIdentity(this.#delta, 0);
    this.eventLog.beginUpdate();
    run.prepare();
    frame.reserve(this.definition.skeleton.groupCount, run.poseCount, run.sampleCount);
    run.show(frame, pose.localPtr);
    frame.finish();
    pose.markStale();
  }

  #child(method: string, name: string): AnimGraph | AnimStateMachine | undefined {
    const state = this.state(method, "name", name);
    this.run.fit();
    return this.run.children[state.index];
  }

  #declared(method: string, kind: ParameterKind, name: string): number {
    this.check(method);
    const index = this.definition.parameters.require(method, kind, name);
    this.run.fit();
    return index;
  }

  #value(kind: ParameterKind, name: string): number {
    const index = this.definition.parameters[kind].get(name);
    this.run.fit();
    return index === undefined ? 0 : this.run.values[index]!;
  }
}

/** What a state plays, for one more instance of the machine. */
function instanceOf(state: MachineState): AnimGraph | AnimStateMachine {
  if (state.graph !== undefined) return new AnimGraph(state.graph.definition.skeleton, state.graph);
  return new AnimStateMachine(state.machine!.skeleton, { definition: state.machine!, values: undefined });
}
