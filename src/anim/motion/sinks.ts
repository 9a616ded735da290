import { LANES } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { AnimArgumentError } from "../errors.js";
import { checkInteger } from "../module/check.js";
import { ValueType, componentsOf, isList, namesOf, type MotionColor, type MotionQuat, type MotionValue, type Vec2, type Vec3 } from "./types.js";

/** Receives a number. */
export interface IMotionFloatSink {
  setFloat(value: number): void;
}
/** Receives two numbers. */
export interface IMotionVec2Sink {
  setVec2(x: number, y: number): void;
}
/** Receives three numbers. */
export interface IMotionVec3Sink {
  setVec3(x: number, y: number, z: number): void;
}
/** Receives a straight colour. */
export interface IMotionColorSink {
  setColor(r: number, g: number, b: number, a: number): void;
}
/** Receives a unit quaternion. */
export interface IMotionQuatSink {
  setQuat(x: number, y: number, z: number, w: number): void;
}

/** A number behind a reference: the sink of a native pointer. */
export class FloatRef implements IMotionFloatSink {
  constructor(public value = 0) {}
  setFloat(value: number): void {
    this.value = value;
  }
}
export { FloatRef as FloatPointerSink };

/** Made by `propertySink`. */
export class PropertySink {
  constructor(readonly target: object, readonly key: string) {}
}

/** Made by `arraySink`. */
export class ArraySink {
  constructor(readonly target: Float32Array | Float64Array | number[], readonly offset: number) {}
}

/**
 * Writes one property of an object: `target[key] = value`.
 * @throws AnimArgumentError unless the property exists and is a number
 */
export function propertySink(target: object, key: string): PropertySink {
  if (typeof (target as Record<string, unknown> | null)?.[key] !== "number") {
    throw new AnimArgumentError(`Property "${key}" is ${typeof (target as Record<string, unknown> | null)?.[key]}, expected a number. Set it first.`);
  }
  return new PropertySink(target, key);
}

/**
 * Writes consecutive elements of an array, as many as the value has components.
 * @throws AnimArgumentError if `offset` lies outside the array
 */
export function arraySink(target: Float32Array | Float64Array | number[], offset = 0): ArraySink {
  if (!isList(target)) throw new AnimArgumentError("arraySink needs an array of numbers.", { found: target });
  checkInteger(offset, "offset", 0, target.length - 1);
  return new ArraySink(target, offset);
}

/** What `bind` and `to` accept for a value of type V. Functions get an object that is reused between calls. */
export type MotionSink<V> =
  | ((value: V) => void)
  | ArraySink
  | (V extends number ? IMotionFloatSink | FloatRef | PropertySink
    : V extends MotionColor ? IMotionColorSink
    : V extends MotionQuat ? IMotionQuatSink
    : V extends Vec3 ? IMotionVec3Sink
    : V extends Vec2 ? IMotionVec2Sink
    : never);

/** How a sink is written. @internal */
export const enum SinkKind {
  None = 0,
  Property = 1,
  Ref = 2,
  Function = 3,
  Setter = 4,
  Array = 5,
}

/* eslint-disable @typescript-eslint/no-explicit-any */
type AnySink = any;

/** Method that a setter sink of a type has. */
function setterOf(type: ValueType): string {
  return `set${["Float", "Vec2", "Vec3", "Color", "Quat"][type]}`;
}

/**
 * How to write a sink for values of one type.
 * @throws AnimArgumentError if it is none
 * @internal
 */
export function sinkKindOf(sink: unknown, type: ValueType): SinkKind {
  if (typeof sink === "function") return SinkKind.Function;
  if (sink instanceof ArraySink) {
    if (sink.offset + componentsOf(type) <= sink.target.length) return SinkKind.Array;
  } else if (type === ValueType.Float && sink instanceof PropertySink) {
    return SinkKind.Property;
  } else if (type === ValueType.Float && sink instanceof FloatRef) {
    return SinkKind.Ref;
  } else if (typeof (sink as AnySink)?.[setterOf(type)] === "function") {
    return SinkKind.Setter;
  }
  throw new AnimArgumentError(`The sink does not fit: expected a function, an object with ${setterOf(type)}(), or an array with ${componentsOf(type)} free elements.`);
}

/** Copies a value out of a column group into an object (or returns the number). @internal */
export function readValue(type: ValueType, at: number, out?: AnySink): MotionValue {
  const f64 = heap.f64;
  if (type === ValueType.Float) return f64[at]!;
  const object = out ?? {};
  const names = namesOf(type);
  const components = componentsOf(type);
  for (let i = 0; i < components; i++) object[names[i]!] = f64[at + i * LANES]!;
  return object as MotionValue;
}

/**
 * Pushes the value at f64 index `at` (components LANES apart) into a sink.
 * @param reused - the object that function sinks of vectors get
 * @internal
 */
export function pushValue(type: ValueType, kind: SinkKind, target: AnySink, key: AnySink, at: number, reused: object): void {
  const f64 = heap.f64;
  const x = f64[at]!;
  if (kind === SinkKind.Array) {
    const components = componentsOf(type);
    for (let i = 0; i < components; i++) target[key + i] = f64[at + i * LANES]!;
  } else if (type === ValueType.Float) {
    if (kind === SinkKind.Property) target[key] = x;
    else if (kind === SinkKind.Ref) target.value = x;
    else if (kind === SinkKind.Function) target(x);
    else target.setFloat(x);
  } else if (kind === SinkKind.Function) {
    target(readValue(type, at, reused));
  } else {
    const y = f64[at + LANES]!;
    const z = f64[at + 2 * LANES]!;
    const w = f64[at + 3 * LANES]!;
    if (type === ValueType.Vec2) target.setVec2(x, y);
    else if (type === ValueType.Vec3) target.setVec3(x, y, z);
    else if (type === ValueType.Color) target.setColor(x, y, z, w);
    else target.setQuat(x, y, z, w);
  }
}
