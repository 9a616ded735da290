/**
 * Names that programs written for other Spine runtimes may use although they are inner parts there: constants of the animation
 * state, property numbers, the notification queue and the reader of binary data.
 */
import { FormatError } from "../errors.js";
import type { Event } from "./model/event.js";
import type { AnimationStateListener } from "./animation-state/animation-state-listener.js";
import type { TrackEntry } from "./animation-state/track-entry.js";

/** Anything with elements by index. */
export interface ArrayLike<T> {
  length: number;
  [index: number]: T;
}

/** How a timeline is applied: from the current value. */
export const CURRENT = 0;
/** From the setup value. */
export const SETUP = 1;
/** First to set its property. */
export const FIRST = 2;
/** Mask of the three above. */
export const MODE = 3;
/** Kept by a following entry. */
export const HOLD = 4;
/** The attachment in a slot comes from the setup pose. */
export const ATTACH_SETUP = 1;
/** The attachment in a slot stays when the animation goes. */
export const ATTACH_RETAIN = 2;

/** Kinds of notifications. */
export enum EventType {
  start,
  interrupt,
  end,
  dispose,
  complete,
  event,
}

/** What timelines change: the first part of property ids. */
export enum Property {
  rotate,
  x,
  y,
  scaleX,
  scaleY,
  shearX,
  shearY,
  inherit,
  rgb,
  alpha,
  rgb2,
  attachment,
  deform,
  event,
  drawOrder,
  drawOrderFolder,
  ikConstraint,
  transformConstraint,
  pathConstraintPosition,
  pathConstraintSpacing,
  pathConstraintMix,
  physicsConstraintInertia,
  physicsConstraintStrength,
  physicsConstraintDamping,
  physicsConstraintMass,
  physicsConstraintWind,
  physicsConstraintGravity,
  physicsConstraintMix,
  physicsConstraintReset,
  sequence,
  sliderTime,
  sliderMix,
}

/** A queue of notifications of its own, for programs that drive one by hand. Animation states have theirs inside. */
export class EventQueue {
  /** Kind, entry and, for events, the event of each notification. */
  readonly objects: unknown[] = [];
  /** While true, `drain` does nothing. */
  drainDisabled = false;

  /** @param animState - whose listeners are called */
  constructor(readonly animState: { listeners: readonly AnimationStateListener[] }) {}

  start(entry: TrackEntry): void {
    this.objects.push(EventType.start, entry);
  }

  interrupt(entry: TrackEntry): void {
    this.objects.push(EventType.interrupt, entry);
  }

  end(entry: TrackEntry): void {
    this.objects.push(EventType.end, entry);
  }

  dispose(entry: TrackEntry): void {
    this.objects.push(EventType.dispose, entry);
  }

  complete(entry: TrackEntry): void {
    this.objects.push(EventType.complete, entry);
  }

  event(entry: TrackEntry, event: Event): void {
    this.objects.push(EventType.event, entry, event);
  }

  /** Delivers what waits: to the entry's listener first, then to those of the state. */
  drain(): void {
    if (this.drainDisabled) return;
    this.drainDisabled = true;
    try {
      for (let i = 0; i < this.objects.length; i += 2) {
        const kind = this.objects[i] as EventType;
        const entry = this.objects[i + 1] as TrackEntry;
        const event = kind === EventType.event ? (this.objects[i++ + 2] as Event) : null;
        this.#deliver(kind, entry, event);
        if (kind === EventType.end) this.#deliver(EventType.dispose, entry, null);
      }
    } finally {
      this.clear();
      this.drainDisabled = false;
    }
  }

  #deliver(kind: EventType, entry: TrackEntry, event: Event | null): void {
    const receivers = entry.listener === null ? this.animState.listeners : [entry.listener, ...this.animState.listeners];
    for (const listener of receivers) {
      if (kind === EventType.event) listener.event?.(entry, event!);
      else listener[EventType[kind] as "start"]?.(entry);
    }
  }

  /** Discards what waits. */
  clear(): void {
    this.objects.length = 0;
  }
}

/** Reads big-endian numbers and strings as binary skeletons have them. */
export class BinaryInput {
  /** Table of strings that `readStringRef` looks into. */
  strings: string[];
  private index: number;
  private readonly buffer: DataView;

  constructor(data: Uint8Array | ArrayBuffer, strings: string[] = [], index = 0, buffer?: DataView) {
    this.strings = strings;
    this.index = index;
    this.buffer = buffer ?? (ArrayBuffer.isView(data) ? new DataView(data.buffer, data.byteOffset, data.byteLength) : new DataView(data));
  }

  /** A signed byte. */
  readByte(): number {
    return this.buffer.getInt8(this.#take(1));
  }

  readUnsignedByte(): number {
    return this.buffer.getUint8(this.#take(1));
  }

  readShort(): number {
    return this.buffer.getInt16(this.#take(2));
  }

  readInt32(): number {
    return this.buffer.getInt32(this.#take(4));
  }

  /** An integer of one to five bytes. @param optimizePositive - whether it is unsigned */
  readInt(optimizePositive: boolean): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.readUnsignedByte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return optimizePositive ? value >>> 0 : (value >>> 1) ^ -(value & 1);
  }

  /** A string of the table, null for none. */
  readStringRef(): string | null {
    const index = this.readInt(true);
    return index === 0 ? null : (this.strings[index - 1] ?? null);
  }

  /** A string in UTF-8, null for none. */
  readString(): string | null {
    const length = this.readInt(true);
    if (length === 0) return null;
    const start = this.#take(length - 1);
    const bytes = new Uint8Array(this.buffer.buffer, this.buffer.byteOffset + start, length - 1);
    return new TextDecoder().decode(bytes.slice());
  }

  readFloat(): number {
    return this.buffer.getFloat32(this.#take(4));
  }

  readBoolean(): boolean {
    return this.readByte() !== 0;
  }

  #take(bytes: number): number {
    const at = this.index;
    if (at + bytes > this.buffer.byteLength) {
      throw new FormatError("truncated", `byte ${at}: ${bytes} bytes were expected, ${this.buffer.byteLength - at} are left.`, { byteOffset: at });
    }
    this.index = at + bytes;
    return at;
  }
}
