import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimCapacityError, AnimIndexError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber, checkPositive } from "../module/check.js";
import type { GraphicsLike, Rgba, TrailMesh } from "../module/host.js";
import type { AnimPose } from "../rig/pose.js";
import { RibbonPoints, addSquare, buildRibbon, createTrailMesh, reserveMesh } from "./ribbon.js";
import { stampTrail } from "./stamp.js";

/** How a trail is drawn. */
export type TrailStyle = "line" | "points";
/** Which two axes of a bone's position become x and y; the third is the depth. */
export type TrailPlane = "xy" | "xz" | "yz";
/** A colour of the gradient; `at` is 0 at the newest end, 1 at the oldest. */
export interface GradientStop extends Rgba {
  at: number;
}

const MOST = 65536;
const AXES: Record<TrailPlane, readonly [number, number, number]> = { xy: [0, 1, 2], xz: [0, 2, 1], yz: [1, 2, 0] };

/**
 * Remembers where something was and draws it as a fading path. Sample and `update(dt)` in the update step, `draw` in the
 * render step; drawing changes nothing. Nothing is allocated after construction but for a larger capacity.
 */
export class AnimTrail {
  #capacity: number;
  /** Ring of samples: x, y, z, age. */
  #x: Float64Array;
  #y: Float64Array;
  #z: Float64Array;
  #age: Float64Array;
  /** 1 where a strip begins: not joined to the sample before. */
  #begins: Uint8Array;
  #first = 0;
  #count = 0;
  #breakNext = false;
  #duration = 0.5;
  #minDistance = 0;
  #teleport = 0;
  #width = 3;
  readonly #color: Rgba = { r: 1, g: 0.85, b: 0.35, a: 1 };
  #fade = true;
  #style: TrailStyle = "line";
  #scaleX = 1;
  #scaleY = 1;
  #offsetX = 0;
  #offsetY = 0;
  #taperHead = 1;
  #taperTail = 1;
  #gradient: GradientStop[] = [];
  #emitting = true;
  #hasHead = false;
  readonly #head = { x: 0, y: 0, z: 0 };
  /** The sample that expired last; the tail ends between it and the oldest that is left. */
  readonly #expired = { x: 0, y: 0, age: 0, isJoined: false };
  #points: RibbonPoints;
  readonly #mesh = createTrailMesh();
  readonly #paint: Rgba = { r: 0, g: 0, b: 0, a: 0 };

  /** @param capacity - samples, 2..65536. @throws AnimArgumentError, AnimCapacityError */
  constructor(capacity = 64) {
    this.#capacity = checkCapacity(capacity);
    this.#x = new Float64Array(capacity);
    this.#y = new Float64Array(capacity);
    this.#z = new Float64Array(capacity);
    this.#age = new Float64Array(capacity);
    this.#begins = new Uint8Array(capacity);
    this.#points = new RibbonPoints(capacity + 2);
  }

  /** Samples that are kept; shrinking drops the oldest. @throws AnimArgumentError, AnimCapacityError */
  setCapacity(n: number): void {
    checkCapacity(n);
    const kept = Math.min(n, this.#count);
    const skip = this.#count - kept;
    const copy = <T extends Float64Array | Uint8Array>(from: T, to: T): T => {
      for (let i = 0; i < kept; i++) to[i] = from[this.#slot(skip + i)]!;
      return to;
    };
    this.#x = copy(this.#x, new Float64Array(n));
    this.#y = copy(this.#y, new Float64Array(n));
    this.#z = copy(this.#z, new Float64Array(n));
    this.#age = copy(this.#age, new Float64Array(n));
    this.#begins = copy(this.#begins, new Uint8Array(n));
    this.#capacity = n;
    this.#first = 0;
    this.#count = kept;
    this.#points = new RibbonPoints(n + 2);
    this.#expired.isJoined = false;
  }

  getCapacity(): number {
    return this.#capacity;
  }

  /** Seconds that a sample lives; 0 or less: until the capacity removes it. @throws AnimArgumentError */
  setDuration(seconds: number): void {
    this.#duration = checkNumber(seconds, "duration");
  }

  getDuration(): number {
    return this.#duration;
  }

  /** A sample closer than this to the newest is skipped. @throws AnimArgumentError */
  setMinDistance(distance: number): void {
    this.#minDistance = checkNumber(distance, "minDistance", 0);
  }

  getMinDistance(): number {
    return this.#minDistance;
  }

  /** Width in pixels, above 0. @throws AnimArgumentError */
  setWidth(pixels: number): void {
    this.#width = checkPositive(pixels, "width");
  }

  getWidth(): number {
    return this.#width;
  }

  /** Straight colour. @throws AnimArgumentError */
  setColor(r: number, g: number, b: number, a = 1): void {
    for (const [value, name] of [[r, "r"], [g, "g"], [b, "b"], [a, "a"]] as const) checkNumber(value, name);
    Object.assign(this.#color, { r, g, b, a });
  }

  getColorR(): number {
    return this.#color.r;
  }

  getColorG(): number {
    return this.#color.g;
  }

  getColorB(): number {
    return this.#color.b;
  }

  getColorA(): number {
    return this.#color.a;
  }

  /** Whether samples fade with their age. */
  setFade(on: boolean): void {
    this.#fade = on;
  }

  getFade(): boolean {
    return this.#fade;
  }

  /** @throws AnimArgumentError unless "line" or "points" */
  setStyle(style: TrailStyle): void {
    if (style !== "line" && style !== "points") throw new AnimArgumentError(`The style is "${style as string}", expected "line" or "points".`, { found: style });
    this.#style = style;
  }

  getStyle(): TrailStyle {
    return this.#style;
  }

  /** Screen = position x scale + offset. @throws AnimArgumentError */
  setDrawScale(sx: number, sy: number): void {
    checkNumber(sy, "sy");
    this.#scaleX = checkNumber(sx, "sx");
    this.#scaleY = sy;
  }

  getDrawScaleX(): number {
    return this.#scaleX;
  }

  getDrawScaleY(): number {
    return this.#scaleY;
  }

  /** Screen = position x scale + offset. @throws AnimArgumentError */
  setDrawOffset(ox: number, oy: number): void {
    checkNumber(oy, "oy");
    this.#offsetX = checkNumber(ox, "ox");
    this.#offsetY = oy;
  }

  getDrawOffsetX(): number {
    return this.#offsetX;
  }

  getDrawOffsetY(): number {
    return this.#offsetY;
  }

  /** Factors of the width at the newest and at the oldest end, linear between. @throws AnimArgumentError */
  setTaper(head: number, tail: number): void {
    checkNumber(tail, "tail", 0);
    this.#taperHead = checkNumber(head, "head", 0);
    this.#taperTail = tail;
  }

  /**
   * Colours over age / duration (over the length where samples do not expire). Replaces the colour, multiplies the alpha;
   * null: the one colour again.
   * @throws AnimArgumentError for an empty list or numbers that are not finite
   */
  setGradient(stops: readonly GradientStop[] | null): void {
    if (stops !== null && stops.length === 0) throw new AnimArgumentError("A gradient needs at least one stop; null takes it away.");
    for (const stop of stops ?? []) for (const name of ["at", "r", "g", "b", "a"] as const) checkNumber(stop[name], name);
    this.#gradient = (stops ?? []).map((stop) => ({ ...stop })).toSorted((a, b) => a.at - b.at);
  }

  /** A jump longer than this starts a new strip; 0 turns that off. @throws AnimArgumentError */
  setTeleportDistance(distance: number): void {
    this.#teleport = checkNumber(distance, "distance", 0);
  }

  /** The next sample starts a new strip. */
  breakTrail(): void {
    this.#breakNext = true;
  }

  /** Off: samples are ignored, those that exist age away. */
  setEmitting(on: boolean): void {
    this.#emitting = on;
    if (!on) this.#hasHead = false;
  }

  /** A provisional newest point: drawn, and recorded once it is `minDistance` away. @throws AnimArgumentError */
  setHead(x: number, y: number, z = 0): void {
    if (this.addPoint3(x, y, z)) {
      this.#hasHead = false;
      return;
    }
    this.#hasHead = this.#emitting;
    this.#head.x = x;
    this.#head.y = y;
    this.#head.z = z;
  }

  /** Records a position. @throws AnimArgumentError, and nothing is recorded */
  addPoint(x: number, y: number): void {
    this.addPoint3(x, y, 0);
  }

  /** Records a position with a depth; false if it was too close to the newest. @throws AnimArgumentError, and nothing is recorded */
  addPoint3(x: number, y: number, z: number): boolean {
    checkNumber(x, "x");
    checkNumber(y, "y");
    checkNumber(z, "z");
    if (!this.#emitting) return false;
    let begins = this.#breakNext || this.#count === 0;
    if (this.#count > 0) {
      const newest = this.#slot(this.#count - 1);
      const distance = Math.hypot(x - this.#x[newest]!, y - this.#y[newest]!, z - this.#z[newest]!);
      if (distance < this.#minDistance) return false;
      begins ||= this.#teleport > 0 && distance > this.#teleport;
    }
    if (this.#count === this.#capacity) this.#dropOldest(false);
    const slot = this.#slot(this.#count++);
    this.#x[slot] = x;
    this.#y[slot] = y;
    this.#z[slot] = z;
    this.#age[slot] = 0;
    this.#begins[slot] = begins ? 1 : 0;
    this.#breakNext = this.#hasHead = false;
    return true;
  }

  /**
   * Records a bone's world position, projected onto a plane.
   * @throws AnimArgumentError, AnimIndexError
   * @throws AnimStateError if the pose's world was not computed
   */
  sampleBone(pose: AnimPose, bone: number, plane: TrailPlane | "" = "xy"): void {
    this.sampleBoneOffset(pose, bone, 0, 0, 0, plane);
  }

  /**
   * Records a point beside a bone.
   * @param space - whether the offset is in world axes or turns with the bone
   * @throws as sampleBone
   */
  sampleBoneOffset(pose: AnimPose, bone: number, ox: number, oy: number, oz: number, plane: TrailPlane | "" = "xy", space: "world" | "bone" = "world"): void {
    if (pose == null) throw new AnimArgumentError("A pose is needed.");
    const axes = AXES[plane === "" ? "xy" : plane];
    if (axes === undefined) throw new AnimArgumentError(`The plane is "${plane}", expected "xy", "xz" or "yz".`, { found: plane });
    if (space !== "world" && space !== "bone") throw new AnimArgumentError(`The space is "${space as string}", expected "world" or "bone".`, { found: space });
    checkNumber(ox, "ox");
    checkNumber(oy, "oy");
    checkNumber(oz, "oz");
    if (!(Number.isInteger(bone) && bone >= 0 && bone < pose.getBoneCount())) throw new AnimIndexError(`Bone ${bone} does not exist, the pose has ${pose.getBoneCount()}.`, { found: bone });
    if (!pose.isWorldValid()) throw new AnimStateError("The pose has no world transforms. Call pose.computeWorld(skeleton) first.");
    let x = ox;
    let y = oy;
    let z = oz;
    if (space === "bone") {
      const qx = pose.getWorldRotationX(bone);
      const qy = pose.getWorldRotationY(bone);
      const qz = pose.getWorldRotationZ(bone);
      const qw = pose.getWorldRotationW(bone);
      // v + 2 q x (q x v + w v)
      const tx = qy * oz - qz * oy + qw * ox;
      const ty = qz * ox - qx * oz + qw * oy;
      const tz = qx * oy - qy * ox + qw * oz;
      x += 2 * (qy * tz - qz * ty);
      y += 2 * (qz * tx - qx * tz);
      z += 2 * (qx * ty - qy * tx);
    }
    x += pose.getWorldPositionX(bone);
    y += pose.getWorldPositionY(bone);
    z += pose.getWorldPositionZ(bone);
    const pick = (axis: number): number => (axis === 0 ? x : axis === 1 ? y : z);
    this.addPoint3(pick(axes[0]), pick(axes[1]), pick(axes[2]));
  }

  /** Removes all samples. */
  clear(): void {
    this.#count = this.#first = 0;
    this.#hasHead = this.#breakNext = this.#expired.isJoined = false;
  }

  /** Ages all samples and removes those past the duration. @throws AnimArgumentError */
  update(dt: number): void {
    checkNumber(dt, "dt", 0);
    for (let i = 0; i < this.#count; i++) {
      const slot = this.#slot(i);
      this.#age[slot] = this.#age[slot]! + dt;
    }
    this.#expired.age += dt;
    // All age alike, so only the oldest can be past.
    while (this.#duration > 0 && this.#count > 0 && this.#age[this.#first]! > this.#duration + TIME_EPS) this.#dropOldest(true);
  }

  getPointCount(): number {
    return this.#count;
  }

  /** 0 is the oldest. @throws AnimIndexError, as all questions about a point */
  getPointX(i: number): number {
    return this.#x[this.#checked(i)]!;
  }

  getPointY(i: number): number {
    return this.#y[this.#checked(i)]!;
  }

  getPointZ(i: number): number {
    return this.#z[this.#checked(i)]!;
  }

  /** Seconds since it was recorded. */
  getPointAge(i: number): number {
    return this.#age[this.#checked(i)]!;
  }

  /** The colour's alpha times the fade; a gradient multiplies it. */
  getPointAlpha(i: number): number {
    const age = this.#age[this.#checked(i)]!;
    this.#colorAt(age, this.#count > 1 ? 1 - i / (this.#count - 1) : 0);
    return this.#paint.a;
  }

  /** Smallest rectangle around the samples on screen, with the width: left, top, right, bottom. False without samples. */
  getBounds(out: Float32Array | number[]): boolean {
    if (this.#count === 0) return false;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < this.#count; i++) {
      const x = this.#screenX(this.#x[this.#slot(i)]!);
      const y = this.#screenY(this.#y[this.#slot(i)]!);
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    const h = (this.#width / 2) * Math.max(this.#taperHead, this.#taperTail);
    out[0] = left - h;
    out[1] = top - h;
    out[2] = right + h;
    out[3] = bottom + h;
    return true;
  }

  /** The trail as triangles in screen pixels; `out` comes from `createTrailMesh` and is grown when needed. */
  buildMesh(out: TrailMesh): void {
    this.#collect();
    const points = this.#points;
    reserveMesh(out, points.x.length * 5, points.x.length * 9);
    if (this.#style === "line") {
      buildRibbon(points, out);
      return;
    }
    for (let i = 0; i < points.count; i++) if (points.colors[i * 4 + 3]! > 0) addSquare(points, i, out);
  }

  /**
   * Draws through whatever the graphics object offers; nothing for null or without samples.
   * @throws AnimStateError if it offers neither drawTriangles nor drawSolidRect
   */
  draw(gfx: GraphicsLike | null): void {
    if (gfx === null || this.#count === 0) return;
    if (gfx.drawTriangles !== undefined) {
      this.buildMesh(this.#mesh);
      gfx.drawTriangles(this.#mesh);
      return;
    }
    if (gfx.drawSolidRect === undefined) throw new AnimStateError("The graphics object has neither drawTriangles() nor drawSolidRect().");
    this.#collect();
    stampTrail(this.#points, this.#style, gfx, this.#paint);
  }

  /** Gathers the points to draw, newest first: the head, the samples, and the end of the tail. */
  #collect(): void {
    const points = this.#points;
    points.count = 0;
    const oldest = this.#slot(0);
    if (this.#hasHead) this.#addPoint(this.#head.x, this.#head.y, 0);
    for (let i = this.#count - 1; i >= 0; i--) {
      const slot = this.#slot(i);
      this.#addPoint(this.#x[slot]!, this.#y[slot]!, this.#age[slot]!);
      if (this.#begins[slot] === 1) points.breakStrip();
    }
    const expired = this.#expired;
    if (expired.isJoined && this.#count > 0 && this.#duration > 0 && this.#style === "line" && this.#begins[oldest] === 0) {
      // Where a sample of exactly the duration's age would lie.
      const span = expired.age - this.#age[oldest]!;
      const share = span > 0 ? (this.#duration - this.#age[oldest]!) / span : 0;
      const x = this.#x[oldest]! + (expired.x - this.#x[oldest]!) * share;
      const y = this.#y[oldest]! + (expired.y - this.#y[oldest]!) * share;
      this.#addPoint(x, y, this.#duration);
    }
    const length = points.count > 0 ? points.u[points.count - 1]! : 0;
    for (let i = 0; i < points.count; i++) {
      const u = length > 0 ? points.u[i]! / length : 0;
      points.u[i] = u;
      points.halfWidths[i] = (this.#width / 2) * (this.#taperHead + (this.#taperTail - this.#taperHead) * u);
      // The age was left in the alpha.
      this.#colorAt(points.colors[i * 4 + 3]!, u);
      points.colors[i * 4] = this.#paint.r;
      points.colors[i * 4 + 1] = this.#paint.g;
      points.colors[i * 4 + 2] = this.#paint.b;
      points.colors[i * 4 + 3] = this.#paint.a;
    }
  }

  #addPoint(x: number, y: number, age: number): void {
    const points = this.#points;
    if (points.add(this.#screenX(x), this.#screenY(y))) points.colors[(points.count - 1) * 4 + 3] = age;
  }

  /** Colour of a sample, into #paint. */
  #colorAt(age: number, u: number): void {
    const { r, g, b, a } = this.#color;
    const paint = this.#paint;
    const lifetime = this.#duration > 0 ? Math.min(1, age / this.#duration) : u;
    const alpha = this.#fade && this.#duration > 0 ? a * (1 - lifetime) : a;
    if (this.#gradient.length === 0) {
      paint.r = r;
      paint.g = g;
      paint.b = b;
      paint.a = alpha;
      return;
    }
    const stops = this.#gradient;
    let i = 0;
    while (i + 1 < stops.length - 1 && stops[i + 1]!.at <= lifetime) i++;
    const from = stops[i]!;
    const to = stops[Math.min(i + 1, stops.length - 1)]!;
    const span = to.at - from.at;
    const share = span > 0 ? Math.min(1, Math.max(0, (lifetime - from.at) / span)) : lifetime >= to.at ? 1 : 0;
    paint.r = from.r + (to.r - from.r) * share;
    paint.g = from.g + (to.g - from.g) * share;
    paint.b = from.b + (to.b - from.b) * share;
    paint.a = alpha * (from.a + (to.a - from.a) * share);
  }

  #dropOldest(expired: boolean): void {
    const slot = this.#first;
    const last = this.#expired;
    last.x = this.#x[slot]!;
    last.y = this.#y[slot]!;
    last.age = this.#age[slot]!;
    last.isJoined = expired;
    this.#first = (this.#first + 1) % this.#capacity;
    this.#count--;
  }

  #screenX(x: number): number {
    return x * this.#scaleX + this.#offsetX;
  }

  #screenY(y: number): number {
    return y * this.#scaleY + this.#offsetY;
  }

  #slot(i: number): number {
    return (this.#first + i) % this.#capacity;
  }

  #checked(i: number): number {
    if (!(Number.isInteger(i) && i >= 0 && i < this.#count)) throw new AnimIndexError(`Point ${i} does not exist, the trail has ${this.#count}.`, { found: i });
    return this.#slot(i);
  }
}

function checkCapacity(n: number): number {
  checkInteger(n, "capacity", 2, 2 ** 53);
  if (n > MOST) throw new AnimCapacityError(`capacity is ${n}, at most ${MOST} samples are kept.`, { found: n });
  return n;
}
