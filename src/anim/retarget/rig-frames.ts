/**
 * A skeleton's local transforms and the model space ones that follow from them, in double precision. @internal
 *
 * Ten numbers a bone, px py pz qx qy qz qw sx sy sz as `AnimPose.writeLocalTo` writes them. Model space: a rotation
 * (product of the rotations), a 3 x 3 matrix with scales (rows), and a position.
 */
import { AnimMismatchError } from "../errors.js";
import { sampleTrack } from "../rig/track-sample.js";
import { multiplyRotations } from "../rig/rigid.js";
import type { BoneTracks } from "../rig/key-track.js";
import type { AnimSkeleton } from "../rig/skeleton.js";

export const LOCAL = 10;

const ROWS = /* @__PURE__ */ new Float64Array(9);

export class RigFrames {
  readonly boneCount: number;
  readonly parents: Int32Array;
  readonly bind: Float64Array;
  readonly local: Float64Array;
  readonly rotation: Float64Array;
  readonly matrix: Float64Array;
  readonly position: Float64Array;

  constructor(skeleton: AnimSkeleton) {
    const count = (this.boneCount = skeleton.getBoneCount());
    this.parents = Int32Array.from({ length: count }, (_, bone) => skeleton.getParent(bone));
    this.bind = new Float64Array(count * LOCAL);
    for (let bone = 0; bone < count; bone++) {
      this.bind.set([
        skeleton.getBindPositionX(bone), skeleton.getBindPositionY(bone), skeleton.getBindPositionZ(bone),
        skeleton.getBindRotationX(bone), skeleton.getBindRotationY(bone), skeleton.getBindRotationZ(bone), skeleton.getBindRotationW(bone),
        skeleton.getBindScaleX(bone), skeleton.getBindScaleY(bone), skeleton.getBindScaleZ(bone),
      ], bone * LOCAL);
      normalise(this.bind, bone * LOCAL + 3);
    }
    this.local = this.bind.slice();
    this.rotation = new Float64Array(count * 4);
    this.matrix = new Float64Array(count * 9);
    this.position = new Float64Array(count * 3);
    this.compose(0);
  }

  /** Takes the rotations of a pose (ten numbers a bone) onto the bind pose; undefined: the bind pose. @throws AnimMismatchError */
  stand(method: string, which: string, reference: Float32Array | undefined): void {
    if (reference !== undefined && reference.length !== this.boneCount * LOCAL) {
      throw new AnimMismatchError(`${method}: the reference pose of the ${which} has ${reference.length / LOCAL} bones, the skeleton ${this.boneCount}. Give a pose of the ${which} skeleton.`);
    }
    this.local.set(this.bind);
    for (let bone = 0; reference !== undefined && bone < this.boneCount; bone++) {
      for (let k = 3; k < 7; k++) this.local[bone * LOCAL + k] = reference[bone * LOCAL + k]!;
      normalise(this.local, bone * LOCAL + 3);
    }
    this.compose(0);
  }

  /** Locals from the tracks of a clip at a time that is not wrapped; bones and channels without keys take the bind value. */
  sample(tracks: readonly (BoneTracks | undefined)[], time: number): void {
    this.local.set(this.bind);
    for (let bone = 0; bone < Math.min(this.boneCount, tracks.length); bone++) {
      const one = tracks[bone], at = bone * LOCAL;
      if (one === undefined) continue;
      if (one.position !== undefined && one.position.count > 0) sampleTrack(one.position, time, this.local, at);
      if (one.rotation !== undefined && one.rotation.count > 0) {
        sampleTrack(one.rotation, time, this.local, at + 3);
        normalise(this.local, at + 3);
      }
      if (one.scale !== undefined && one.scale.count > 0) sampleTrack(one.scale, time, this.local, at + 7);
    }
    this.compose(0);
  }

  /** Model space of bones from `first` on. */
  compose(first: number): void {
    for (let bone = first; bone < this.boneCount; bone++) {
      this.composeRotation(bone);
      this.composePlace(bone);
    }
  }

  /** Model space rotation of one bone whose parent is done. */
  composeRotation(bone: number): void {
    const parent = this.parents[bone]!;
    if (parent < 0) for (let k = 0; k < 4; k++) this.rotation[bone * 4 + k] = this.local[bone * LOCAL + 3 + k]!;
    else multiplyRotations(this.rotation, parent * 4, this.local, bone * LOCAL + 3, this.rotation, bone * 4);
  }

  /** Model space position and matrix of one bone whose parent is done. */
  composePlace(bone: number): void {
    const l = this.local, at = bone * LOCAL, m = bone * 9, p = this.parents[bone]!;
    const x = l[at + 3]!, y = l[at + 4]!, z = l[at + 5]!, w = l[at + 6]!, sx = l[at + 7]!, sy = l[at + 8]!, sz = l[at + 9]!;
    const rows = ROWS, M = this.matrix;
    rows[0] = (1 - 2 * (y * y + z * z)) * sx;
    rows[1] = 2 * (x * y - w * z) * sy;
    rows[2] = 2 * (x * z + w * y) * sz;
    rows[3] = 2 * (x * y + w * z) * sx;
    rows[4] = (1 - 2 * (x * x + z * z)) * sy;
    rows[5] = 2 * (y * z - w * x) * sz;
    rows[6] = 2 * (x * z - w * y) * sx;
    rows[7] = 2 * (y * z + w * x) * sy;
    rows[8] = (1 - 2 * (x * x + y * y)) * sz;
    for (let r = 0; r < 3; r++) {
      if (p < 0) {
        this.position[bone * 3 + r] = l[at + r]!;
        for (let c = 0; c < 3; c++) M[m + r * 3 + c] = rows[r * 3 + c]!;
        continue;
      }
      const a = M[p * 9 + r * 3]!, b = M[p * 9 + r * 3 + 1]!, d = M[p * 9 + r * 3 + 2]!;
      this.position[bone * 3 + r] = this.position[p * 3 + r]! + a * l[at]! + b * l[at + 1]! + d * l[at + 2]!;
      for (let c = 0; c < 3; c++) M[m + r * 3 + c] = a * rows[c]! + b * rows[3 + c]! + d * rows[6 + c]!;
    }
  }

  /** Gives a bone the local position that puts it at a point of model space. A flat parent leaves it where it is. */
  placeAt(bone: number, point: Float64Array): void {
    const p = this.parents[bone]!, at = bone * LOCAL;
    let x = point[0]!, y = point[1]!, z = point[2]!;
    if (p >= 0) {
      const M = this.matrix, m = p * 9, a = M[m]!, b = M[m + 1]!, c = M[m + 2]!, d = M[m + 3]!, e = M[m + 4]!, f = M[m + 5]!, g = M[m + 6]!, h = M[m + 7]!, k = M[m + 8]!;
      const c0 = e * k - f * h, c1 = f * g - d * k, c2 = d * h - e * g, determinant = a * c0 + b * c1 + c * c2;
      if (!(Math.abs(determinant) > 1e-20)) return;
      const rx = x - this.position[p * 3]!, ry = y - this.position[p * 3 + 1]!, rz = z - this.position[p * 3 + 2]!;
      x = (rx * c0 + ry * (c * h - b * k) + rz * (b * f - c * e)) / determinant;
      y = (rx * c1 + ry * (a * k - c * g) + rz * (c * d - a * f)) / determinant;
      z = (rx * c2 + ry * (b * g - a * h) + rz * (a * e - b * d)) / determinant;
    }
    this.local[at] = x;
    this.local[at + 1] = y;
    this.local[at + 2] = z;
  }
}

export function normalise(q: Float64Array, at: number): void {
  const scale = 1 / Math.sqrt(q[at]! ** 2 + q[at + 1]! ** 2 + q[at + 2]! ** 2 + q[at + 3]! ** 2);
  for (let k = 0; k < 4; k++) q[at + k] = q[at + k]! * scale;
}
