/** One instance of a state machine: its numbers, and an update of them. @internal */
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { dropAll, takeBlock } from "../rig/blocks.js";
import { LONGEST_STEP } from "../rig/checks.js";
import type { EventLog } from "../rig/event-log.js";
import { GROUP_BYTES } from "../rig/layout.js";
import { RIGID, setIdentity } from "../rig/rigid.js";
import { SLERP_WEIGHT } from "../rig/track-sample.js";
import { PACE } from "./clip-track.js";
import { EDITS } from "./definition.js";
import type { AnimGraph } from "./graph.js";
import type { MachineDefinition, MachineState, MachineTransition } from "./machine-definition.js";
import { FORCED, M, NO_FADE } from "./machine-numbers.js";
import { ageTriggers, type Child, handDown, placesOf, takeBack } from "./machine-parameters.js";
import { type MachineRecord, StateEvent } from "./machine-record.js";
import { findInterruption, findTransition, startAtOffset } from "./machine-transitions.js";
import { type PoseFrame, touchNumbers } from "./pose-frame.js";
import { PoseInertia } from "./pose-inertia.js";
import { mixDeltas } from "./root-delta.js";
import type { AnimStateMachine } from "./state-machine.js";
import { consume } from "./state-machine-conditions.js";

/** Seconds that the state in hand moves, and its rate. */
const PACED = /* @__PURE__ */ new Float64Array(2);
/** Clip time of the state that is left, and room for a number. */
const LEFT = /* @__PURE__ */ new Float64Array(2);

export class MachineRun {
  /** Seconds of the step, set before an update: in an array, because doubles in arguments are boxed. */
  readonly step: Float64Array;
  readonly numbers = new Float64Array(M.COUNT);
  /** Values of the parameters, in the order of declaration. */
  values = new Float64Array(0);
  /** Seconds that triggers have been set, by parameter. */
  ages = new Float64Array(0);
  readonly delta = new Float64Array(RIGID);
  readonly children: (Child | undefined)[] = [];
  lod = 0;
  /** States entered and left and transitions taken, from when somebody asks on. */
  record: MachineRecord | undefined;
  /** Poses and samples that one evaluation takes at most. */
  poseCount = 0;
  sampleCount = 0;
  #preparedAt = -1;
  /** By state: for each parameter of what is inside, the place of ours, or -1. */
  readonly #places: (Int32Array | undefined)[] = [];
  inertia: PoseInertia | undefined;
  /** Address of the frozen pose, 0 before it is needed. */
  #frozen = 0;
  readonly #owned: number[] = [];
  readonly #outgoingDelta = new Float64Array(RIGID);

  /** @param make - an instance of a state's graph or machine */
  constructor(readonly definition: MachineDefinition, readonly make: (state: MachineState) => Child) {
    definition.retain();
    this.step = definition.step;
    freeWhenCollected(this, this.#owned);
    this.clear();
  }

  /** Not started: no state, parameters at their initial values. */
  clear(): void {
    const n = this.numbers;
    n.fill(0);
    n[M.CURRENT] = n[M.SOURCE] = n[M.TAKEN] = n[M.OUTGOING] = n[M.TESTED] = -1;
    n[M.WEIGHT] = 1;
    this.inertia?.reset();
    setIdentity(this.delta, 0);
    this.values.fill(0);
    this.ages.fill(0);
    for (let i = 0; i < this.values.length; i++) this.values[i] = this.definition.parameters.list[i]!.initial;
  }

  /** Takes in what was added to the definition. */
  fit(): void {
    const { definition, children } = this, { states, parameters } = definition;
    while (children.length < states.length) {
      const state = states[children.length]!;
      children.push(state.track === undefined ? this.make(state) : undefined);
      state.track?.clip.data();
    }
    if (this.values.length < parameters.list.length) {
      const values = new Float64Array(parameters.list.length);
      for (let i = 0; i < values.length; i++) values[i] = i < this.values.length ? this.values[i]! : parameters.list[i]!.initial;
      this.values = values;
      const ages = new Float64Array(parameters.list.length);
      ages.set(this.ages);
      this.ages = ages;
    }
    if (definition.transitions.length > 0 && this.#frozen === 0) this.#frozen = takeBlock(this.#owned, this.#poseBytes);
    if (definition.hasInertia) this.inertia ??= new PoseInertia(definition.skeleton.groupCount);
  }

  get current(): MachineState | undefined {
    return this.definition.states[this.numbers[M.CURRENT]!];
  }

  /** Enters a state at its beginning, without a blend. */
  enter(state: MachineState): void {
    this.fit();
    const n = this.numbers;
    n[M.TAKEN] = n[M.SOURCE] = n[M.OUTGOING] = -1;
    n[M.FROZEN] = 0;
    n[M.WEIGHT] = 1;
    this.inertia?.reset();
    this.#begin(state);
  }

  /**
   * Enters a state whatever the transitions say, as a transition of that blend would.
   * @param shown - address of the pose that is shown
   */
  force(state: MachineState, seconds: number, shown: number): void {
    this.fit();
    const source = this.current;
    if (source === undefined || seconds <= NO_FADE) {
      this.enter(state);
      return;
    }
    if (this.#frozen === 0) this.#frozen = takeBlock(this.#owned, this.#poseBytes);
    if (this.#leave(source, state, "live")) heap.u8.copyWithin(this.#frozen, shown, shown + this.#poseBytes);
    this.numbers[M.DURATION] = seconds;
    this.#enterBlending(state, source, FORCED);
  }

  /** To the beginning of the entry state; parameters stay. */
  restart(): void {
    const { definition } = this;
    if (definition.states.length > 0) this.enter(definition.states[definition.entry]!);
  }

  /**
   * One update by `step`: advances the states, records the pose into the frame, which has room, then takes at most one
   * transition.
   * @param out - where the pose goes
   */
  evaluate(frame: PoseFrame, out: number, log: EventLog): void {
    const { numbers: n, definition } = this, dt = this.step[0]!;
    n[M.UPDATES] = n[M.UPDATES]! + 1;
    if (n[M.CURRENT]! < 0) {
      if (definition.states.length === 0) {
        frame.program.copy(out, definition.skeleton.bindPtr);
        return;
      }
      this.enter(definition.states[definition.entry]!);
    }
    const taken = n[M.TAKEN]!;
    if (taken >= 0) n[M.ELAPSED] = n[M.ELAPSED]! + dt;
    this.#pose(frame, out, log);
    this.#pace(this.current!);
    n[M.STATE_TIME] = n[M.STATE_TIME]! + PACED[0]!;
    let next = -1;
    if (taken >= 0 && n[M.ELAPSED]! < n[M.DURATION]!) {
      next = taken === FORCED ? -1 : findInterruption(this, definition.transitions[taken]!);
    } else {
      n[M.TAKEN] = n[M.SOURCE] = -1;
      next = findTransition(this, this.current!, true);
    }
    if (next >= 0) this.#take(definition.transitions[next]!, frame, out, log);
    if (definition.parameters.hasTimeouts) ageTriggers(this);
  }

  /** The pose at the present clocks, into the frame; nothing else happens. */
  show(frame: PoseFrame, out: number): void {
    this.step[0] = 0;
    this.numbers[M.UPDATES] = this.numbers[M.UPDATES]! + 1;
    // Nothing is passed without a step.
    if (this.numbers[M.CURRENT]! >= 0) this.#pose(frame, out, this.definition.innerLog);
    else frame.program.copy(out, this.definition.skeleton.bindPtr);
  }

  /** Reads every cache line of the numbers, and of what plays. */
  touch(): number {
    const child = this.children[this.numbers[M.CURRENT]!];
    return touchNumbers(this.numbers) + touchNumbers(this.values) + (child === undefined ? 0 : child.run.touch());
  }

  /** Makes ready for an update: takes in what was added to definitions, down to the innermost. */
  prepare(): void {
    if (this.#preparedAt === EDITS[0]) return;
    this.fit();
    let poses = 0, samples = 1;
    for (let i = 0; i < this.children.length; i++) {
      const child = this.children[i];
      if (child === undefined) continue;
      child.prepare();
      poses = Math.max(poses, child.run.poseCount);
      samples = Math.max(samples, child.run.sampleCount);
      this.#places[i] = placesOf(this, child);
    }
    // Two states under way, one that is entered, and what they are blended in.
    this.poseCount = 3 * poses + 5;
    this.sampleCount = 3 * samples;
    this.#preparedAt = EDITS[0]!;
  }

  /** The frozen pose as numbers, or null. */
  captureFrozen(): number[] | null {
    if (this.numbers[M.FROZEN] === 0) return null;
    return Array.from(heap.f32.subarray(this.#frozen >>> 2, (this.#frozen + this.#poseBytes) >>> 2));
  }

  /** Floats of a frozen pose. */
  get frozenFloats(): number { return this.#poseBytes >>> 2; }

  restoreFrozen(floats: readonly number[]): void {
    heap.f32.set(floats, this.#frozen >>> 2);
  }

  dispose(): void {
    for (const child of this.children) child?.dispose();
    dropAll(this, this.#owned);
    this.inertia?.dispose();
    this.definition.release();
  }

  get #poseBytes(): number { return Math.max(1, this.definition.skeleton.groupCount) * GROUP_BYTES; }

  // ---- pose -------------------------------------------------------------------------------------------------------

  #pose(frame: PoseFrame, out: number, log: EventLog): void {
    const { numbers: n, definition } = this, states = definition.states, current = states[n[M.CURRENT]!]!, policy = definition.eventPolicy;
    const fading = n[M.OUTGOING]! >= 0 || n[M.FROZEN] === 1;
    if (fading) n[M.WEIGHT] = Math.min(1, n[M.ELAPSED]! / n[M.DURATION]!);
    const own = policy !== "dominant" || !fading || n[M.WEIGHT]! >= 0.5, voice = n[M.VOICE]!;
    const shown = this.#play(current, voice, frame, fading ? frame.take() : out, own ? log : undefined, 0, this.delta);
    let pose = shown;
    if (fading) {
      const ended = n[M.ELAPSED]! >= n[M.DURATION]!;
      let from = this.#frozen;
      if (n[M.OUTGOING]! >= 0) {
        const heard = !own || policy === "all";
        const other = this.#play(states[n[M.OUTGOING]!]!, 1 - voice, frame, frame.take(), heard ? log : undefined, 1, this.#outgoingDelta);
        if (definition.rootBone >= 0 && !ended) {
          SLERP_WEIGHT[0] = n[M.WEIGHT]!;
          mixDeltas(this.#outgoingDelta, 0, this.delta, 0, this.delta, 0);
        }
        if (n[M.FROZEN] === 1) {
          const between = frame.take();
          frame.program.blend(between, from, other, 1);
          frame.program.weighLastBy(n, M.WEIGHT);
          from = between;
        } else {
          from = other;
        }
      }
      if (ended) {
        n[M.OUTGOING] = -1;
        n[M.FROZEN] = 0;
        n[M.WEIGHT] = 1;
      } else {
        frame.program.blend(out, from, shown, 1);
        frame.program.weighLastBy(n, M.WEIGHT);
        pose = out;
      }
    }
    if (this.inertia !== undefined) pose = this.inertia.process(frame, pose, out, this.step, n[M.UPDATES]!);
    if (pose !== out) frame.program.copy(out, pose);
  }

  /**
   * Advances a state and records its pose.
   * @param voice - the clock, if it is a clip
   * @param log - undefined: its events are not heard
   * @returns where the pose is: `out`
   */
  #play(state: MachineState, voice: number, frame: PoseFrame, out: number, log: EventLog | undefined, source: number, delta: Float64Array): number {
    const n = this.numbers, { track } = state;
    this.#pace(state);
    if (track !== undefined) {
      const at = M.CLOCK_A + 2 * voice, loop = track.clip.loop;
      PACE[0] = PACED[0]!;
      PACE[1] = PACED[1]!;
      track.advance(n, at, loop, log, source);
      if (track.motion.isActive) delta.set(track.motion.delta);
      frame.sample(track, this.definition.skeleton, n, at, loop, this.lod, out);
      return out;
    }
    const child = this.children[state.index]!;
    child.run.step[0] = PACED[0]!;
    child.run.lod = this.lod;
    handDown(this, child, this.#places[state.index]!);
    const inner = this.definition.innerLog;
    inner.clear();
    if (state.graph !== undefined) this.#playGraph(child as AnimGraph, frame, out, inner, delta);
    else this.#playMachine(child as AnimStateMachine, state.index, frame, out, inner, delta);
    if (log !== undefined) {
      this.#pace(state);
      inner.slowDown(PACED);
      for (let i = 0; i < inner.count; i++) log.copy(inner, i, source);
    }
    return out;
  }

  #playGraph(graph: AnimGraph, frame: PoseFrame, out: number, log: EventLog, delta: Float64Array): void {
    const { run, definition } = graph;
    if (definition.root < 0) {
      frame.program.copy(out, definition.skeleton.bindPtr);
      return;
    }
    run.evaluate(frame, out, log);
    if (definition.rootBone >= 0) delta.set(run.delta);
    if (graph === this.children[this.numbers[M.CURRENT]!] && run.pass[0]! > 0) {
      this.numbers[M.PASSES] = this.numbers[M.PASSES]! + PACED[0]! / run.pass[0]!;
    }
  }

  /** Sets `PACED` for a state: the step times its speed, and the speed, 0 without a step. */
  #pace(state: MachineState): void {
    const dt = this.step[0]!;
    PACED[1] = state.speed[0]!;
    if (state.speedParameter >= 0) PACED[1] = PACED[1]! * Math.max(0, this.values[state.speedParameter]!);
    PACED[0] = Math.min(LONGEST_STEP, dt * PACED[1]!);
    if (!(dt > 0)) PACED[1] = 0;
  }

  #playMachine(machine: AnimStateMachine, state: number, frame: PoseFrame, out: number, log: EventLog, delta: Float64Array): void {
    const { run } = machine;
    run.evaluate(frame, out, log);
    if (machine.definition.rootBone >= 0) delta.set(run.delta);
    takeBack(this, machine, this.#places[state]!);
  }

  // ---- transitions ------------------------------------------------------------------------------------------------

  #take(transition: MachineTransition, frame: PoseFrame, out: number, log: EventLog): void {
    const n = this.numbers, { to, mode } = transition, source = this.current!;
    this.record?.transition(transition, source, n, this.values);
    consume(transition.conditions, this.values);
    LEFT[0] = n[M.CLOCK_A + 2 * n[M.VOICE]!]!;
    if (transition.blendSeconds <= NO_FADE) {
      this.enter(to);
      startAtOffset(this, transition, source, LEFT);
      this.#showEntered(to, frame, out, log);
      return;
    }
    if (mode === "inertial") {
      n[M.OUTGOING] = -1;
      n[M.FROZEN] = 0;
      n[M.DURATION] = transition.blendSeconds;
      this.inertia!.requestBy(n, M.DURATION);
    } else if (this.#leave(source, to, mode)) {
      frame.program.copy(this.#frozen, out);
    }
    n[M.DURATION] = transition.blendSeconds;
    this.#enterBlending(to, source, transition.id);
    startAtOffset(this, transition, source, LEFT);
  }

  /** What fades out when a state is left. @returns whether the pose that is shown does, and is to be kept */
  #leave(source: MachineState, to: MachineState, mode: "live" | "frozen"): boolean {
    const n = this.numbers;
    // A clip has a clock for each side; a graph or machine that is entered again cannot play on as well.
    const restarts = to === source && to.track === undefined, settling = this.inertia?.isActive === true;
    const shown = n[M.OUTGOING]! >= 0 || n[M.FROZEN] === 1 || settling || mode === "frozen" || restarts;
    n[M.FROZEN] = shown ? 1 : 0;
    n[M.OUTGOING] = mode === "frozen" || restarts ? -1 : source.index;
    if (settling) this.inertia!.reset();
    return shown;
  }

  /** The duration of the blend is among the numbers already. */
  #enterBlending(to: MachineState, source: MachineState, transition: number): void {
    const n = this.numbers;
    n[M.TAKEN] = transition;
    n[M.SOURCE] = source.index;
    n[M.ELAPSED] = 0;
    n[M.WEIGHT] = 0;
    this.#begin(to);
  }

  #begin(state: MachineState): void {
    const n = this.numbers, voice = 1 - n[M.VOICE]!;
    if (this.record !== undefined) {
      if (n[M.CURRENT]! >= 0) this.record.push(StateEvent.EXIT, n[M.CURRENT]!);
      this.record.push(StateEvent.ENTER, state.index);
    }
    n[M.VOICE] = voice;
    n[M.CLOCK_A + 2 * voice] = 0;
    n[M.FRESH_A + 2 * voice] = 1;
    n[M.CURRENT] = state.index;
    n[M.STATE_TIME] = n[M.PASSES] = 0;
    n[M.TESTED] = -1;
    this.children[state.index]?.run.restart();
  }

  /** After a switch without blend, the beginning of the destination is the pose of the same update. */
  #showEntered(state: MachineState, frame: PoseFrame, out: number, log: EventLog): void {
    const dt = this.step[0]!, pose = frame.take();
    this.step[0] = 0;
    this.#play(state, this.numbers[M.VOICE]!, frame, pose, log, 0, this.#outgoingDelta);
    this.step[0] = dt;
    frame.program.copy(out, pose);
  }
}
