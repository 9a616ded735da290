import { AnimArgumentError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { disposed, requireFinite, requireIndex, requireName, requireObject, requireTime, show } from "../rig/checks.js";
import { type AnimClip, NO_LENGTH } from "../rig/clip.js";
import { EventReader } from "../rig/event-reader.js";
import { AnimPlayer } from "../rig/player.js";
import type { AnimPose } from "../rig/pose.js";
import type { RootMotionMode } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { type CompareOp, type Condition, Parameters, requireDeclared, requireOp } from "./state-machine-conditions.js";

interface State {
  readonly name: string;
  readonly clip: AnimClip;
  readonly transitions: Transition[];
}

interface Transition {
  readonly id: number;
  /** undefined: from any state. */
  readonly from: State | undefined;
  readonly to: State;
  readonly blendSeconds: number;
  readonly conditions: Condition[];
  exitTime: number;
  hasExitTime: boolean;
  interruptible: Interruption;
  inertial: boolean;
}

/** Whose transitions may break off a transition under way: nobody's, the destination's, the source's, both (source first). */
export type Interruption = "none" | "destination" | "source" | "both";

/** Fades shorter than this are switches. */
const NO_FADE = 1e-6;

/**
 * States that play a clip each, and transitions between them that conditions on parameters let happen.
 *
 * Rules: docs/state-machines.md. The state changes the moment a transition is taken; the pose follows over the blend. The
 * pose (`getPose()`) starts as the bind pose, and its world is stale after every update. Updates allocate nothing.
 */
export class AnimStateMachine extends EventReader {
  readonly #player: AnimPlayer;
  readonly #states: State[] = [];
  readonly #byName = new Map<string, State>();
  readonly #transitions: Transition[] = [];
  readonly #anyState: Transition[] = [];
  readonly #parameters = new Parameters();
  #current: State | undefined;
  #stateTime = 0;
  /** State time over duration at the last test of the state's transitions; below 0 before the first. */
  #tested = -1;
  /** The transition under way, its source, and its clocks. */
  #taken: Transition | undefined;
  #source: State | undefined;
  #elapsed = 0;
  #duration = 0;
  #disposed = false;

  constructor(skeleton: AnimSkeleton) {
    requireObject("AnimStateMachine", "skeleton", skeleton, "AnimSkeleton");
    const player = new AnimPlayer(skeleton);
    super(player.eventLog);
    this.#player = player;
  }

  // ---- definition -------------------------------------------------------------------------------------------------

  /** @throws AnimArgumentError for an empty or taken name */
  addState(name: string, clip: AnimClip): void {
    this.#check("addState");
    requireName("AnimStateMachine.addState", "name", name);
    requireObject("AnimStateMachine.addState", "clip", clip, "AnimClip");
    if (name === "*" || this.#byName.has(name)) {
      throw new AnimArgumentError(`AnimStateMachine.addState: name is ${show(name)}, expected one that is not in use${name === "*" ? ' ("*" means any state)' : ""}.`, { found: name });
    }
    const state: State = { name, clip, transitions: [...this.#anyState] };
    this.#states.push(state);
    this.#byName.set(name, state);
  }

  /** Enters a state at once, at time 0, without a blend. Without it the first update enters the state added first. */
  setEntry(name: string): void {
    this.#enter(this.#state("setEntry", "name", name));
  }

  hasState(name: string): boolean { return this.#byName.has(name); }
  getStateCount(): number { return this.#states.length; }
  /** The logical state: during a blend already the destination. "" before the entry. */
  getCurrentState(): string { return this.#current?.name ?? ""; }

  /**
   * @param from - a state, or "*" for any; a state may lead to itself, which restarts it
   * @param blendSeconds - real seconds, 0 or more
   * @returns the id of the transition; transitions of a state are tried in the order of ids
   */
  addTransition(from: string, to: string, blendSeconds: number): number {
    const source = from === "*" ? undefined : this.#state("addTransition", "from", from), target = this.#state("addTransition", "to", to);
    requireTime("AnimStateMachine.addTransition", "blendSeconds", blendSeconds);
    const transition: Transition = {
      id: this.#transitions.length, from: source, to: target, blendSeconds, conditions: [], exitTime: 0, hasExitTime: false,
      interruptible: "none", inertial: false,
    };
    this.#transitions.push(transition);
    if (source !== undefined) {
      source.transitions.push(transition);
    } else {
      this.#anyState.push(transition);
      for (const state of this.#states) state.transitions.push(transition);
    }
    return transition.id;
  }

  /** All conditions of a transition must hold. @param op - > >= < <= == != (equal within 1e-5) */
  addFloatCondition(transition: number, param: string, op: string, threshold: number): void {
    requireOp(op);
    requireFinite("AnimStateMachine.addFloatCondition", "threshold", threshold);
    this.#addCondition("addFloatCondition", transition, { kind: "float", param, op: op satisfies CompareOp, threshold });
  }

  addBoolCondition(transition: number, param: string, value: boolean): void {
    this.#addCondition("addBoolCondition", transition, { kind: "bool", param, value: value === true });
  }

  /** The trigger is taken back when the transition happens. */
  addTriggerCondition(transition: number, param: string): void {
    this.#addCondition("addTriggerCondition", transition, { kind: "trigger", param });
  }

  /** The earliest point of the clip, 0..1 (clamped), and switches it on. */
  setExitTime(transition: number, normalizedTime: number): void {
    const target = this.#transition("setExitTime", transition);
    requireFinite("AnimStateMachine.setExitTime", "normalizedTime", normalizedTime);
    target.exitTime = Math.min(1, Math.max(0, normalizedTime));
    target.hasExitTime = true;
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

  /** "live" (default): the outgoing clip plays on during the blend; "inertial": it is dropped and the difference to it dies away. */
  setTransitionMode(transition: number, mode: "live" | "inertial"): void {
    const target = this.#transition("setTransitionMode", transition);
    if (mode !== "live" && mode !== "inertial") {
      throw new AnimArgumentError(`AnimStateMachine.setTransitionMode: mode is ${show(mode)}, expected "live" or "inertial".`, { found: mode });
    }
    target.inertial = mode === "inertial";
  }

  // ---- parameters -------------------------------------------------------------------------------------------------

  /** @throws AnimNameError if no condition uses the name */
  setFloat(name: string, value: number): void {
    this.#check("setFloat");
    requireDeclared("setFloat", "float", name, this.#parameters.floats);
    requireFinite("AnimStateMachine.setFloat", "value", value);
    this.#parameters.floats.set(name, value);
  }

  /** 0 for an unknown name. */
  getFloat(name: string): number { return this.#parameters.floats.get(name) ?? 0; }

  /** @throws AnimNameError if no condition uses the name */
  setBool(name: string, value: boolean): void {
    this.#check("setBool");
    requireDeclared("setBool", "bool", name, this.#parameters.bools);
    this.#parameters.bools.set(name, value === true);
  }

  /** false for an unknown name. */
  getBool(name: string): boolean { return this.#parameters.bools.get(name) ?? false; }

  /** Stays set until a transition takes it or `resetTrigger`. @throws AnimNameError if no condition uses the name */
  setTrigger(name: string): void {
    this.#check("setTrigger");
    requireDeclared("setTrigger", "trigger", name, this.#parameters.triggers);
    this.#parameters.triggers.set(name, true);
  }

  /** @throws AnimNameError if no condition uses the name */
  resetTrigger(name: string): void {
    this.#check("resetTrigger");
    requireDeclared("resetTrigger", "trigger", name, this.#parameters.triggers);
    this.#parameters.triggers.set(name, false);
  }

  /** false for an unknown name. */
  getTrigger(name: string): boolean { return this.#parameters.triggers.get(name) ?? false; }

  // ---- playback ---------------------------------------------------------------------------------------------------

  /** The output pose; the same object for the life of the machine. */
  getPose(): AnimPose { return this.#player.getPose(); }
  getSkeleton(): AnimSkeleton { return this.#player.getSkeleton(); }
  /** Seconds in the current state, not wrapped. */
  getStateTime(): number { return this.#stateTime; }
  /** Whether a transition is under way. */
  isBlending(): boolean { return this.#taken !== undefined; }
  /** 0..1 of the transition under way, 1 without one. */
  getTransitionProgress(): number { return this.#taken === undefined ? 1 : this.#elapsed / this.#duration; }

  /** As on AnimPlayer. */
  setRootMotionBone(bone: number): void { this.#player.setRootMotionBone(bone); }
  getRootMotionBone(): number { return this.#player.getRootMotionBone(); }
  /** As on AnimPlayer. */
  setRootMotionMode(mode: Partial<RootMotionMode>): void { this.#player.setRootMotionMode(mode); }
  getRootMotionX(): number { return this.#player.getRootMotionX(); }
  getRootMotionY(): number { return this.#player.getRootMotionY(); }
  getRootMotionZ(): number { return this.#player.getRootMotionZ(); }
  getRootMotionRotationX(): number { return this.#player.getRootMotionRotationX(); }
  getRootMotionRotationY(): number { return this.#player.getRootMotionRotationY(); }
  getRootMotionRotationZ(): number { return this.#player.getRootMotionRotationZ(); }
  getRootMotionRotationW(): number { return this.#player.getRootMotionRotationW(); }

  /** Whose events fire during a blend: those of the destination ("target", default), of the heavier clip, of both. */
  setEventPolicy(policy: "target" | "dominant" | "all"): void { this.#player.setEventPolicy(policy); }

  /** Advances by `dt` real seconds: a negative dt throws, one that is not finite is ignored. Takes at most one transition. */
  update(dt: number): void {
    this.#check("update");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimStateMachine.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    if (!Number.isFinite(dt)) {
      this.#player.update(dt);
      return;
    }
    if (this.#current === undefined) {
      if (this.#states.length === 0) return;
      this.#enter(this.#states[0]!);
    }
    this.#player.update(dt);
    this.#stateTime += dt;
    const taken = this.#taken;
    if (taken !== undefined) {
      this.#elapsed += dt;
      if (this.#elapsed < this.#duration) {
        if (taken.interruptible !== "none") this.#interrupt(taken);
        return;
      }
      this.#taken = undefined;
      this.#source = undefined;
    }
    this.#try(this.#current!, true);
  }

  /** Frees the pose and the samplers; clips and skeleton stay. Safe to call twice. */
  dispose(): void {
    this.#disposed = true;
    this.#player.dispose();
  }

  #enter(state: State): void {
    this.#player.play(state.clip);
    this.#current = state;
    this.#stateTime = 0;
    this.#tested = -1;
    this.#taken = undefined;
    this.#source = undefined;
  }

  #interrupt(taken: Transition): void {
    const bySource = taken.interruptible === "source" || taken.interruptible === "both";
    if (bySource && this.#source !== undefined && this.#try(this.#source, false)) return;
    if (taken.interruptible !== "source") this.#try(this.#current!, true);
  }

  /** Takes the first transition of `state` that may happen. `timed`: exit times count; those of a source are over. */
  #try(state: State, timed: boolean): boolean {
    const transitions = state.transitions;
    const duration = state.clip.getDuration(), now = duration <= NO_LENGTH ? 1 : this.#stateTime / duration, before = this.#tested;
    if (timed) this.#tested = now;
    for (let i = 0; i < transitions.length; i++) {
      const transition = transitions[i]!;
      if (transition === this.#taken) continue;
      if (transition.hasExitTime) {
        if (!timed) continue;
        const pass = Math.floor(now - transition.exitTime);
        // A point of the clip lies between the last test and this one, the start of the state included.
        if (state.clip.getLoop() && duration > NO_LENGTH ? pass < 0 || pass <= Math.floor(before - transition.exitTime) : now < transition.exitTime) continue;
      }
      if (!this.#parameters.holds(transition.conditions)) continue;
      this.#take(transition);
      return true;
    }
    return false;
  }

  #take(transition: Transition): void {
    this.#parameters.consume(transition.conditions);
    const source = this.#current!;
    if (transition.blendSeconds <= NO_FADE) {
      this.#enter(transition.to);
      return;
    }
    this.#player.setFadeCurve(transition.inertial ? "inertial" : "linear");
    this.#player.crossFade(transition.to.clip, transition.blendSeconds);
    this.#current = transition.to;
    this.#source = source;
    this.#taken = transition;
    this.#stateTime = 0;
    this.#tested = -1;
    this.#elapsed = 0;
    this.#duration = transition.blendSeconds;
  }

  #addCondition(method: string, transition: number, condition: Condition): void {
    const target = this.#transition(method, transition);
    requireName(`AnimStateMachine.${method}`, "param", condition.param);
    this.#parameters.declare(condition);
    target.conditions.push(condition);
  }

  #state(method: string, argument: string, name: string): State {
    this.#check(method);
    const state = this.#byName.get(name);
    if (state === undefined) {
      throw new AnimNameError(`AnimStateMachine.${method}: ${argument} is ${show(name)}, which is no state.${nearMatches(String(name), this.#byName.keys())}`, { found: name });
    }
    return state;
  }

  #transition(method: string, id: number): Transition {
    this.#check(method);
    requireIndex(`AnimStateMachine.${method}`, "transition", id, this.#transitions.length);
    return this.#transitions[id]!;
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`AnimStateMachine.${method}`, "AnimStateMachine");
  }
}
