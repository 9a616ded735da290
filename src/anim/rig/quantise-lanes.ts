/** What the channels of a clip are before they are quantised: bases, steps, and rotations as parameters. @internal */

/** Local transforms of every frame, ten numbers a bone, and which channels (position, rotation, scale) have keys. */
export interface SampledClip {
  boneCount: number;
  frameCount: number;
  /** Frames a second. */
  rate: number;
  values: Float32Array;
  present: readonly (readonly [boolean, boolean, boolean])[];
}

/** Step of every bone's components: lengths, half rotation vectors (radians), scale factors. */
export interface Steps {
  position: Float64Array;
  rotation: Float64Array;
  scale: Float64Array;
}

/** One channel of one bone. */
export interface Lane {
  bone: number;
  /** Whether it leaves its constant by more than a step. */
  moves: boolean;
  /** Whether every block has a base of its own. */
  roams: boolean;
  step: number;
  /** Middle of the positions or scales, base rotation. */
  constant: number[];
}

/** First number of position, rotation and scale in a bone's ten. */
export const CHANNEL_OFFSETS = [0, 3, 7] as const;

/** Half angles from a lane's base beyond which every block gets a base of its own. */
const ROAMING = 1.2;
/** Codes must fit 31 bits with room for the polynomial: a step is at least this share of what it covers. */
const FINEST = 2 ** -26;

/** A channel (0 position, 1 rotation, 2 scale) of a bone; undefined if it has no keys. */
export function planLane(clip: SampledClip, bone: number, channel: number, steps: Steps): Lane | undefined {
  if (!clip.present[bone]![channel]) return undefined;
  if (channel === 1) return planRotation(clip, bone, steps.rotation[bone]!);
  let step = (channel === 0 ? steps.position : steps.scale)[bone]!, extent = 0;
  const constant = [0, 1, 2].map((k) => {
    let low = Infinity, high = -Infinity;
    for (let frame = 0; frame < clip.frameCount; frame++) {
      const value = clip.values[indexOf(clip, frame, bone, channel) + k]!;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    extent = Math.max(extent, high - low);
    return Math.fround((low + high) / 2);
  });
  step = Math.fround(Math.max(step, extent * FINEST));
  return { bone, moves: extent > step, roams: false, step, constant };
}

/** Index of a channel's first number in `clip.values`. */
export function indexOf(clip: SampledClip, frame: number, bone: number, channel: number): number {
  return (frame * clip.boneCount + bone) * 10 + CHANNEL_OFFSETS[channel]!;
}

function planRotation(clip: SampledClip, bone: number, wanted: number): Lane {
  const sum = [0, 0, 0, 0], { values } = clip;
  for (let frame = 0; frame < clip.frameCount; frame++) {
    const i = indexOf(clip, frame, bone, 1), sign = dot(sum, values, i) < 0 ? -1 : 1;
    for (let k = 0; k < 4; k++) sum[k]! += sign * values[i + k]!;
  }
  const length = Math.hypot(...sum), base = (length > 1e-6 ? sum.map((v) => v / length) : [0, 0, 0, 1]).map(Math.fround);
  let furthest = 0;
  for (let frame = 0; frame < clip.frameCount; frame++) {
    const p = parametersOf(base, values, indexOf(clip, frame, bone, 1), true);
    furthest = Math.max(furthest, 2 * Math.atan(Math.hypot(...p)));
  }
  // A parameter is half a half angle, or less where it is large.
  const step = Math.fround(Math.max(wanted, FINEST) / 2);
  return { bone, moves: furthest > step, roams: furthest > ROAMING, step, constant: base };
}

export function dot(a: readonly number[], q: ArrayLike<number>, i: number): number {
  return a[0]! * q[i]! + a[1]! * q[i + 1]! + a[2]! * q[i + 2]! + a[3]! * q[i + 3]!;
}

/** Modified Rodrigues parameters of conj(base) q; `short`: of whichever of q and -q is nearer. */
export function parametersOf(base: readonly number[], q: ArrayLike<number>, i: number, short: boolean): [number, number, number] {
  const [bx, by, bz, bw] = base as [number, number, number, number];
  const qx = q[i]!, qy = q[i + 1]!, qz = q[i + 2]!, qw = q[i + 3]!;
  const x = bw * qx - bx * qw - by * qz + bz * qy, y = bw * qy - by * qw - bz * qx + bx * qz;
  const z = bw * qz - bz * qw - bx * qy + by * qx, w = bw * qw + bx * qx + by * qy + bz * qz;
  const sign = short && w < 0 ? -1 : 1;
  // The limit keeps the parameters of a rotation opposite the base finite.
  const scale = sign / Math.max(1 + sign * w, 1e-6);
  return [x * scale, y * scale, z * scale];
}

/** The unit quaternion of parameters. */
export function quaternionOf(p: readonly number[]): [number, number, number, number] {
  const k = 2 / (1 + p[0]! ** 2 + p[1]! ** 2 + p[2]! ** 2);
  return [p[0]! * k, p[1]! * k, p[2]! * k, k - 1];
}

/**
 * Furthest that the rotation of the mean of two parameter vectors is from slerp, at a quarter and a half of the way, as a distance
 * of unit quaternions (half angles).
 */
export function blendDeviation(a: readonly number[], b: readonly number[]): number {
  const qa = quaternionOf(a), qb = quaternionOf(b), cosine = Math.min(1, dot(qa, qb, 0));
  const angle = Math.acos(Math.max(-1, cosine)), sine = Math.sin(angle);
  let worst = 0;
  for (const t of [0.25, 0.5, 0.75]) {
    const q = quaternionOf(a.map((v, k) => v + (b[k]! - v) * t));
    const wa = sine > 1e-6 ? Math.sin((1 - t) * angle) / sine : 1 - t, wb = sine > 1e-6 ? Math.sin(t * angle) / sine : t;
    worst = Math.max(worst, Math.hypot(...q.map((v, k) => v - (qa[k]! * wa + qb[k]! * wb))));
  }
  return worst;
}
