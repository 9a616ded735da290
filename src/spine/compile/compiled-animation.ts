import type { Rig } from "../rig.js";
import type { TimelineKind } from "../timelines/property.js";
import type { Timeline } from "../timelines/timeline.js";

/** A timeline that TypeScript decides in its place: everything but channels. @internal */
export class Step {
  /** Number of deform timelines from this one to the next step of another kind, if it is the first of them; else 0. */
  run = 0;
  /** Index of the deform record among those of the animation. */
  deformIndex = 0;

  constructor(
    readonly kind: TimelineKind,
    readonly timeline: Timeline,
    /** Index in the animation's list. */
    readonly index: number,
    /** Address of the deform record, 0 for other kinds. */
    readonly deform: number,
  ) {}
}

/** Timelines up to the next one of a class from outside: their channels, then the others in order. @internal */
export class Segment {
  constructor(
    /** Address of the header (AnimationField). */
    readonly header: number,
    /** Index of the first channel in the animation. */
    readonly firstChannel: number,
    readonly channelCount: number,
    /** Number of rotations; they come first. */
    readonly rotateCount: number,
    /** Index of the first rotation among those of the animation. */
    readonly firstRotation: number,
    readonly steps: readonly Step[],
    /** The timeline behind these that applies itself, or null at the end of the list. */
    readonly custom: Step | null,
  ) {}
}

/** What an animation became for one rig. Owned by the rig. @internal */
export class CompiledAnimation {
  /** Count of edits when the timelines were last looked at. */
  edits = -1;
  /** Sum of the timelines' revisions. */
  revisions = 0;
  /** Whether somebody uses the block as long as this object exists. */
  isHeld = false;
  /** Whether a program has taken `frames` of a timeline. */
  hasTaken = false;

  constructor(
    readonly rig: Rig,
    /** Address of the one block that holds everything, 0 if nothing had to be stored. */
    readonly block: number,
    /** Revision of the animation's timeline list, or of the lone timeline. */
    readonly revision: number,
    readonly segments: readonly Segment[],
    /** Address of the channel records, contiguous over all segments and sorted within each. */
    readonly channels: number,
    readonly channelCount: number,
    readonly rotateCount: number,
    /** Per channel: index of its timeline. */
    readonly timelineOfChannel: Uint32Array,
    /** Per deform record: index of its timeline. */
    readonly timelineOfDeform: Uint32Array,
    readonly timelineCount: number,
    /** Whether any timeline needs TypeScript: not only channels. */
    readonly hasSteps: boolean,
  ) {}
}
