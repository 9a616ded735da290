/** The definition of a state machine: states, transitions, declared parameters. Shared by all instances. @internal */
import { EventLog } from "../rig/event-log.js";
import { DEFAULT_ROOT_MOTION, type RootMotionMode } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { ClipTrack } from "./clip-track.js";
import { EDITS, type GraphDefinition } from "./definition.js";
import type { SharedGraph } from "./graph.js";
import { PoseFrame } from "./pose-frame.js";
import { type CompiledCondition, ParameterTable } from "./state-machine-conditions.js";

export interface MachineState {
  readonly name: string;
  readonly index: number;
  /** What plays: one of the three. */
  readonly track: ClipTrack | undefined;
  readonly graph: SharedGraph | undefined;
  readonly machine: MachineDefinition | undefined;
  readonly transitions: MachineTransition[];
  /** Being here ends the machine for the machine around it. */
  exit: boolean;
  /** Rate of what plays (one number, in an array, where it is not boxed), times the value of a float (its place among the parameters, -1 for none). */
  readonly speed: Float64Array;
  speedParameter: number;
}

/** What is shown of the source while a transition blends. */
export type TransitionMode = "live" | "frozen" | "inertial";
/** Whose transitions may break off a transition under way: nobody's, the destination's, the source's, both (source first). */
export type Interruption = "none" | "destination" | "source" | "both";

export interface MachineTransition {
  readonly id: number;
  /** undefined: from any state. */
  readonly from: MachineState | undefined;
  readonly to: MachineState;
  readonly blendSeconds: number;
  readonly conditions: CompiledCondition[];
  exitTime: number;
  hasExitTime: boolean;
  interruptible: Interruption;
  mode: TransitionMode;
  /** Where the destination begins, as a share of its clip; or where the source is, by markers or phase. One number. */
  readonly offset: Float64Array;
  synced: boolean;
}

export class MachineDefinition {
  readonly states: MachineState[] = [];
  readonly byName = new Map<string, MachineState>();
  readonly transitions: MachineTransition[] = [];
  readonly anyState: MachineTransition[] = [];
  readonly parameters = new ParameterTable();
  /** Where a new instance begins. */
  entry = 0;
  rootBone = -1;
  rootMode: RootMotionMode = { ...DEFAULT_ROOT_MOTION };
  eventPolicy: "target" | "dominant" | "all" = "target";
  /** Whether any transition is inertial, so that what is shown must be kept. */
  hasInertia = false;
  /** What instances record into when they are updated one by one. */
  readonly frame = new PoseFrame();
  /** Seconds of the step of the instance that is updated. */
  readonly step = new Float64Array(1);
  /** Events of a graph or machine inside, on their way to the log of the instance. */
  readonly innerLog = new EventLog();
  #users = 0;

  constructor(readonly skeleton: AnimSkeleton) {}

  /** One more instance, or a machine that has this one as a state. */
  retain(): void {
    this.#users++;
  }

  /** The last one frees what the definition owns. */
  release(): void {
    if (--this.#users > 0) return;
    this.frame.dispose();
    for (const state of this.states) {
      state.graph?.definition.release();
      state.machine?.release();
    }
  }

  add(name: string, track: ClipTrack | undefined, graph: SharedGraph | undefined, machine: MachineDefinition | undefined): MachineState {
    const state: MachineState = { name, index: this.states.length, track, graph, machine, transitions: [...this.anyState], exit: false, speed: Float64Array.of(1), speedParameter: -1 };
    graph?.definition.retain();
    machine?.retain();
    this.states.push(state);
    this.touch();
    this.byName.set(name, state);
    this.#prepareMotion(state);
    return state;
  }

  /** Structure or parameters have changed. */
  touch(): void {
    EDITS[0] = EDITS[0]! + 1;
  }

  addTransition(from: MachineState | undefined, to: MachineState, blendSeconds: number): MachineTransition {
    const transition: MachineTransition = {
      id: this.transitions.length, from, to, blendSeconds, conditions: [], exitTime: 0, hasExitTime: false, interruptible: "none", mode: "live", offset: new Float64Array(1), synced: false,
    };
    this.transitions.push(transition);
    this.touch();
    if (from !== undefined) {
      from.transitions.push(transition);
    } else {
      this.anyState.push(transition);
      for (const state of this.states) state.transitions.push(transition);
    }
    return transition;
  }

  /** Root motion of everything that the machine plays. */
  setRootMotion(bone: number, mode: RootMotionMode): void {
    this.rootBone = bone;
    this.rootMode = mode;
    for (const state of this.states) this.#prepareMotion(state);
  }

  #prepareMotion(state: MachineState): void {
    if (state.track !== undefined) {
      state.track.motion.setMode(this.rootMode);
      state.track.motion.setBone(this.rootBone);
    }
    // What stands in a machine moves as the machine says.
    const inner: GraphDefinition | MachineDefinition | undefined = state.graph?.definition ?? state.machine;
    if (inner !== undefined && (this.rootBone >= 0 || inner.rootBone >= 0)) inner.setRootMotion(this.rootBone, this.rootMode);
  }
}
