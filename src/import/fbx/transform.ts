import { axisRotation, multiplyQuaternions, type Quaternion, rotateVector } from "../angles.js";
import { numberOf, type Properties, vectorOf } from "./document.js";
import { length as lengthOf } from "../length.js";

type Vector = [number, number, number];

/** Translation, rotation and scale of a node. */
export interface FbxTransform {
  translation: Vector;
  rotation: Quaternion;
  scale: Vector;
}

/** Axis indices of every RotationOrder; the first is applied first. */
const ORDERS: readonly (readonly [number, number, number])[] = [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]];

/** Rotation of Euler angles in degrees; with order x y z the product is Rz · Ry · Rx. */
export function eulerRotation(degrees: readonly number[], order: number): Quaternion {
  const [first, second, third] = ORDERS[order] ?? ORDERS[0]!;
  return multiplyQuaternions(
    axisRotation(third, degrees[third]!),
    multiplyQuaternions(axisRotation(second, degrees[second]!), axisRotation(first, degrees[first]!)),
  );
}

/** How a node's animated values become its transform: everything about it that does not move. */
export class NodeTransform {
  readonly translation: Vector;
  readonly rotation: Vector;
  readonly scale: Vector;
  readonly order: number;
  readonly #before: Quaternion;
  readonly #after: Quaternion;
  readonly #rotationOffset: Vector;
  readonly #rotationPivot: Vector;
  readonly #scalingOffset: Vector;
  readonly #scalingPivot: Vector;
  readonly #unit: number;
  /** Conversion of the file's axes, for nodes that hang on the scene. */
  readonly #axes: Quaternion | undefined;

  constructor(properties: Properties, unit: number, axes: Quaternion | undefined) {
    const zero: Vector = [0, 0, 0];
    this.translation = vectorOf(properties, "Lcl Translation", zero);
    this.rotation = vectorOf(properties, "Lcl Rotation", zero);
    this.scale = vectorOf(properties, "Lcl Scaling", [1, 1, 1]);
    this.order = numberOf(properties, "RotationOrder", 0);
    this.#before = eulerRotation(vectorOf(properties, "PreRotation", zero), 0);
    const [x, y, z, w] = eulerRotation(vectorOf(properties, "PostRotation", zero), 0);
    this.#after = [-x, -y, -z, w];
    this.#rotationOffset = vectorOf(properties, "RotationOffset", zero);
    this.#rotationPivot = vectorOf(properties, "RotationPivot", zero);
    this.#scalingOffset = vectorOf(properties, "ScalingOffset", zero);
    this.#scalingPivot = vectorOf(properties, "ScalingPivot", zero);
    this.#unit = unit;
    this.#axes = axes;
  }

  /** Whether rotating or scaling also moves the node. */
  get hasPivots(): boolean {
    return [this.#rotationPivot, this.#scalingPivot, this.#scalingOffset].some((v) => v.some((n) => n !== 0));
  }

  /**
   * T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ as one transform. Only S scales and it stands last, so
   * the product is a translation, a rotation and a scale exactly.
   */
  compose(t: readonly number[], r: readonly number[], s: readonly number[]): FbxTransform {
    let rotation = multiplyQuaternions(multiplyQuaternions(this.#before, eulerRotation(r, this.order)), this.#after);
    const inner = [0, 1, 2].map((i) => -this.#rotationPivot[i]! + this.#scalingOffset[i]! + this.#scalingPivot[i]! - s[i]! * this.#scalingPivot[i]!) as Vector;
    const turned = rotateVector(rotation, inner);
    let translation = [0, 1, 2].map((i) => (t[i]! + this.#rotationOffset[i]! + this.#rotationPivot[i]! + turned[i]!) * this.#unit) as Vector;
    if (this.#axes !== undefined) {
      rotation = multiplyQuaternions(this.#axes, rotation);
      translation = rotateVector(this.#axes, translation);
    }
    const length = lengthOf(...rotation);
    return { translation, rotation: rotation.map((v) => v / length) as Quaternion, scale: [s[0]!, s[1]!, s[2]!] };
  }

  get rest(): FbxTransform {
    return this.compose(this.translation, this.rotation, this.scale);
  }
}

/**
 * Rotation that takes the file's axes to ours (+Y up, +Z front, X = coordinate axis); undefined when they agree.
 * `mirrored` tells a left-handed file, which a rotation cannot convert.
 */
export function axisConversion(settings: Properties): { rotation: Quaternion | undefined; mirrored: boolean; up: "x" | "y" | "z" } {
  const up = numberOf(settings, "UpAxis", 1), front = numberOf(settings, "FrontAxis", 2), coord = numberOf(settings, "CoordAxis", 0);
  const letters = ["x", "y", "z"] as const;
  if (new Set([up, front, coord]).size !== 3 || ![up, front, coord].every((a) => a === 0 || a === 1 || a === 2)) return { rotation: undefined, mirrored: false, up: "y" };
  const rows = [[coord, numberOf(settings, "CoordAxisSign", 1)], [up, numberOf(settings, "UpAxisSign", 1)], [front, numberOf(settings, "FrontAxisSign", 1)]].map(([axis, sign]) => {
    const row = [0, 0, 0];
    row[axis!] = sign! < 0 ? -1 : 1;
    return row;
  });
  const [a, b, c] = rows as [Vector, Vector, Vector];
  const determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  if (determinant < 0) return { rotation: undefined, mirrored: true, up: letters[up]! };
  const trace = a[0] + b[1] + c[2];
  if (trace === 3) return { rotation: undefined, mirrored: false, up: letters[up]! };
  // The largest of the four squared components is at least 1, so its root is safe to divide by.
  const squares = [1 + a[0] - b[1] - c[2], 1 - a[0] + b[1] - c[2], 1 - a[0] - b[1] + c[2], 1 + trace];
  const largest = squares.indexOf(Math.max(...squares));
  const candidates: Quaternion[] = [
    [squares[0]!, a[1] + b[0], a[2] + c[0], c[1] - b[2]],
    [a[1] + b[0], squares[1]!, b[2] + c[1], a[2] - c[0]],
    [a[2] + c[0], b[2] + c[1], squares[2]!, b[0] - a[1]],
    [c[1] - b[2], a[2] - c[0], b[0] - a[1], squares[3]!],
  ];
  const q = candidates[largest]!;
  const length = q[3] < 0 ? -lengthOf(...q) : lengthOf(...q);
  return { rotation: q.map((v) => v / length) as Quaternion, mirrored: false, up: letters[up]! };
}
