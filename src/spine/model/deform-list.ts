import { SlotRow } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { SlotPose } from "./slot-pose.js";

/**
 * The deform values of a pose as an array: every read and write goes to the pose's memory, wherever that lies by now. It can be
 * kept, grown and shortened like an array. Loops over many values are faster on a copy: `Array.from(pose.deform)`.
 * @internal
 */
export function deformList(pose: SlotPose): number[] {
  return new Proxy<number[]>([], new DeformHandler(pose));
}

class DeformHandler implements ProxyHandler<number[]> {
  readonly #pose: SlotPose;

  constructor(pose: SlotPose) {
    this.#pose = pose;
  }

  #resize(length: number): void {
    const before = this.#pose._deformLength;
    const ptr = this.#pose._setDeformLength(length);
    if (length > before) heap.f32.fill(0, (ptr >> 2) + before, (ptr >> 2) + length);
  }

  get(target: number[], key: string | symbol): unknown {
    if (key === "length") return this.#pose._deformLength;
    const i = indexOf(key);
    if (i < 0) return Reflect.get(target, key);
    return i < this.#pose._deformLength ? heap.f32[(heap.u32[this.#pose._at + SlotRow.DEFORM]! >>> 2) + i] : undefined;
  }

  set(target: number[], key: string | symbol, value: number): boolean {
    if (key === "length") {
      this.#resize(value);
      return true;
    }
    const i = indexOf(key);
    if (i < 0) return Reflect.set(target, key, value);
    if (i >= this.#pose._deformLength) this.#resize(i + 1);
    heap.f32[(heap.u32[this.#pose._at + SlotRow.DEFORM]! >>> 2) + i] = value;
    return true;
  }

  has(target: number[], key: string | symbol): boolean {
    const i = indexOf(key);
    return i < 0 ? Reflect.has(target, key) : i < this.#pose._deformLength;
  }

  // Methods that shorten an array delete elements before they set its length.
  deleteProperty(): boolean {
    return true;
  }

  ownKeys(): string[] {
    return [...Array.from({ length: this.#pose._deformLength }, (_, i) => String(i)), "length"];
  }

  defineProperty(target: number[], key: string | symbol, descriptor: PropertyDescriptor): boolean {
    return "value" in descriptor && this.set(target, key, descriptor.value as number);
  }

  getOwnPropertyDescriptor(target: number[], key: string | symbol): PropertyDescriptor | undefined {
    if (key === "length") return { value: this.#pose._deformLength, writable: true, enumerable: false, configurable: false };
    const i = indexOf(key);
    if (i < 0) return Reflect.getOwnPropertyDescriptor(target, key);
    return i < this.#pose._deformLength ? { value: this.get(target, key), writable: true, enumerable: true, configurable: true } : undefined;
  }
}

/** The number of an element, -1 for other keys. */
function indexOf(key: string | symbol): number {
  if (typeof key !== "string") return -1;
  const i = Number(key);
  return i >= 0 && i < 0xffffffff && String(i >>> 0) === key ? i : -1;
}
