import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber, checkPositive } from "../module/check.js";
import type { GraphicsLike, TrailMesh } from "../module/host.js";
import type { AnimPose } from "../rig/pose.js";
import type { CurveInterpolation } from "../sprite/speed-curve.js";
import { bonePoint, type TrailPlane } from "./bone-point.js";
import { TrailLook, type GradientStop, type WidthKey } from "./look.js";
import { boundsOf } from "./bounds.js";
import { RibbonPoints, addSquare, buildRibbon, createTrailMesh, reserveMesh } from "./ribbon.js";
import { TrailSamples } from "./samples.js";
import { smoothPoints } from "./smooth.js";
import { stampTrail } from "./stamp.js";

/** How a trail is drawn. */
export type TrailStyle = "line" | "points";
/** Points that `setSmoothing` may add to a segment. */
const MOST_EXTRA = 64;

/**
 * Remembers where something was and draws it as a fading path. Sample and `update(dt)` in the update step, `draw` in the
 * render step; drawing changes nothing. Nothing is allocated after construction but for a larger capacity.
 */
export class AnimTrail {
  readonly #samples: TrailSamples;
  readonly #look = new TrailLook();
  #breakNext = false;
  #minDistance = 0;
  #teleport = 0;
  #style: TrailStyle = "line";
  #scaleX = 1;
  #scaleY = 1;
  #offsetX = 0;
  #offsetY = 0;
  #emitting = true;
  #hasHead = false;
  readonly #head = { x: 0, y: 0, z: 0 };
  readonly #bone = new Float64Array(3);
  /** What is drawn: the points, and those with more between them where that is asked for. */
  #points: RibbonPoints;
  #smooth: RibbonPoints | null = null;
  #extra = 0;
  readonly #mesh = createTrailMesh();

  /** @param capacity - samples, 2..65536. @throws AnimArgumentError, AnimCapacityError */
  constructor(capacity = 64) {
    this.#samples = new TrailSamples(capacity);
    this.#points = new RibbonPoints(capacity + 2);
  }

  /** Samples that are kept; shrinking drops the oldest. @throws AnimArgumentError, AnimCapacityError */
  setCapacity(n: number): void {
    this.#samples.resize(n);
    this.#points = new RibbonPoints(n + 2);
    this.setSmoothing(this.#extra);
  }

  getCapacity(): number {
    return this.#samples.capacity;
  }

  /** Seconds that a sample lives; 0 or less: until the capacity removes it. @throws AnimArgumentError */
  setDuration(seconds: number): void {
    this.#look.duration = checkNumber(seconds, "duration");
  }

  getDuration(): number {
    return this.#look.duration;
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
    this.#look.width = checkPositive(pixels, "width");
  }

  getWidth(): number {
    return this.#look.width;
  }

  /** Straight colour. @throws AnimArgumentError */
  setColor(r: number, g: number, b: number, a = 1): void {
    for (const [value, name] of [[r, "r"], [g, "g"], [b, "b"], [a, "a"]] as const) checkNumber(value, name);
    Object.assign(this.#look.color, { r, g, b, a });
  }

  getColorR(): number {
    return this.#look.color.r;
  }

  getColorG(): number {
    return this.#look.color.g;
  }

  getColorB(): number {
    return this.#look.color.b;
  }

  getColorA(): number {
    return this.#look.color.a;
  }

  /** Whether samples fade with their age. */
  setFade(on: boolean): void {
    this.#look.fade = on;
  }

  getFade(): boolean {
    return this.#look.fade;
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
    this.#look.taperHead = checkNumber(head, "head", 0);
    this.#look.taperTail = tail;
  }

  /**
   * Colours over age / duration (over the length where samples do not expire). Replaces the colour, multiplies the alpha;
   * null: the one colour again.
   * @throws AnimArgumentError for an empty list or numbers that are not finite
   */
  setGradient(stops: readonly GradientStop[] | null): void {
    this.#look.setGradient(stops);
  }

  /**
   * Factors of the width along the trail, `at` 0 at the newest end and 1 at the oldest, besides the taper; null: none.
   * @throws AnimArgumentError for an empty list, or a key with a number that is negative or not finite
   */
  setWidthCurve(keys: readonly WidthKey[] | null, interpolation: CurveInterpolation = "linear"): void {
    this.#look.setWidthCurve(keys, interpolation);
  }

  /** Points that are drawn between any two samples, on a smooth curve through them; 0..64, default 0. @throws AnimArgumentError */
  setSmoothing(extra: number): void {
    this.#extra = checkInteger(extra, "extra", 0, MOST_EXTRA);
    this.#smooth = extra === 0 ? null : new RibbonPoints((this.#samples.capacity + 2) * (extra + 1));
  }

  /** A jump longer than this starts a new strip; 0 turns that off. @throws AnimArgumentError */
  setTeleportDistance(distance: number): void {
    this.#teleport = checkNumber(distance, "distance", 0);
  }

  /** The next sample starts a new strip. */
  breakTrail(): void {
    this.#breakNext = true;
  }

  /** Off: samples are ignored, those that exist age away. Switched on again, a new strip begins. */
  setEmitting(on: boolean): void {
    if (on && !this.#emitting) this.#breakNext = true;
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
    return this.#add(x, y, z, 0, 0, false);
  }

  /**
   * Records a blade: both edges of the trail at once, in place of a point and the width, which only taper and width curve still
   * scale. Its point is the middle; distances are those of the end that moved further.
   * @returns false if it was too close to the newest
   * @throws AnimArgumentError, and nothing is recorded
   */
  addEdge(x0: number, y0: number, x1: number, y1: number): boolean {
    checkNumber(x0, "x0");
    checkNumber(y0, "y0");
    checkNumber(x1, "x1");
    checkNumber(y1, "y1");
    return this.#add((x0 + x1) / 2, (y0 + y1) / 2, 0, (x0 - x1) / 2, (y0 - y1) / 2, true);
  }

  #add(x: number, y: number, z: number, edgeX: number, edgeY: number, isBlade: boolean): boolean {
    if (!this.#emitting) return false;
    const samples = this.#samples;
    let begins = this.#breakNext || samples.count === 0;
    if (samples.count > 0) {
      const distance = samples.distance(x, y, z, edgeX, edgeY);
      if (distance < this.#minDistance) return false;
      begins ||= this.#teleport > 0 && distance > this.#teleport;
    }
    samples.add(x, y, z, edgeX, edgeY, isBlade, begins);
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
    bonePoint(pose, bone, ox, oy, oz, plane, space, this.#bone);
    this.addPoint3(this.#bone[0]!, this.#bone[1]!, this.#bone[2]!);
  }

  /** Removes all samples. */
  clear(): void {
    this.#samples.clear();
    this.#hasHead = this.#breakNext = false;
  }

  /** Ages all samples and removes those past the duration. @throws AnimArgumentError */
  update(dt: number): void {
    checkNumber(dt, "dt", 0);
    const { duration } = this.#look;
    this.#samples.advance(dt, duration > 0 ? duration + TIME_EPS : Infinity);
  }

  getPointCount(): number {
    return this.#samples.count;
  }

  /** 0 is the oldest. @throws AnimIndexError, as all questions about a point */
  getPointX(i: number): number {
    return this.#samples.x[this.#samples.checked(i)]!;
  }

  getPointY(i: number): number {
    return this.#samples.y[this.#samples.checked(i)]!;
  }

  getPointZ(i: number): number {
    return this.#samples.z[this.#samples.checked(i)]!;
  }

  /** Seconds since it was recorded. */
  getPointAge(i: number): number {
    return this.#samples.age[this.#samples.checked(i)]!;
  }

  /** The colour's alpha times the fade; a gradient multiplies it. */
  getPointAlpha(i: number): number {
    const age = this.#samples.age[this.#samples.checked(i)]!;
    this.#look.colorAt(age, this.#samples.shareAt(i, this.#scaleX, this.#scaleY));
    return this.#look.paint.a;
  }

  /** Smallest rectangle around the samples on screen, with the width: left, top, right, bottom. False without samples. */
  getBounds(out: Float32Array | number[]): boolean {
    return boundsOf(this.#samples, this.#look, this.#scaleX, this.#scaleY, this.#offsetX, this.#offsetY, out);
  }

  /** The trail as triangles in screen pixels; `out` comes from `createTrailMesh` and is grown when needed. */
  buildMesh(out: TrailMesh): void {
    const points = this.#collect();
    reserveMesh(out, points.x.length * 5, points.x.length * 9);
    if (this.#style === "line") {
      buildRibbon(points, out);
      return;
    }
    for (let i = 0; i < points.count; i++) addSquare(points, i, out);
  }

  /**
   * Draws through whatever the graphics object offers; nothing for null or without samples.
   * @throws AnimStateError if it offers neither drawTriangles nor drawSolidRect
   */
  draw(gfx: GraphicsLike | null): void {
    if (gfx == null || this.#samples.count === 0) return;
    if (gfx.drawTriangles !== undefined) {
      this.buildMesh(this.#mesh);
      gfx.drawTriangles(this.#mesh);
      return;
    }
    if (gfx.drawSolidRect === undefined) throw new AnimStateError("The graphics object has neither drawTriangles() nor drawSolidRect().");
    stampTrail(this.#collect(), this.#style, gfx, this.#look.paint);
  }

  /** Gathers the points to draw, newest first: the head, the samples, and the end of the tail. */
  #collect(): RibbonPoints {
    const samples = this.#samples;
    const look = this.#look;
    let points = this.#points;
    points.count = 0;
    if (this.#hasHead) this.#addPoint(this.#head.x, this.#head.y, 0, 0, false, 0);
    for (let i = samples.count - 1; i >= 0; i--) {
      const slot = samples.slot(i);
      this.#addPoint(samples.x[slot]!, samples.y[slot]!, samples.edgeX[slot]!, samples.edgeY[slot]!, samples.isBlade[slot] === 1, samples.age[slot]!);
      if (samples.begins[slot] === 1) points.breakStrip();
    }
    const { expired } = samples;
    const oldest = samples.slot(0);
    if (expired.isJoined && samples.count > 0 && look.duration > 0 && this.#style === "line" && samples.begins[oldest] === 0) {
      // Where a sample of exactly the duration's age would lie.
      const age = samples.age[oldest]!;
      const end = Math.min(look.duration, expired.age);
      const share = expired.age > age ? Math.max(0, end - age) / (expired.age - age) : 0;
      this.#addPoint(
        mix(samples.x[oldest]!, expired.x, share), mix(samples.y[oldest]!, expired.y, share), mix(samples.edgeX[oldest]!, expired.edgeX, share),
        mix(samples.edgeY[oldest]!, expired.edgeY, share), samples.isBlade[oldest] === 1 && expired.isBlade, end,
      );
    }
    if (this.#smooth !== null) {
      smoothPoints(points, this.#extra, this.#smooth);
      points = this.#smooth;
    }
    const length = points.count > 0 ? points.u[points.count - 1]! : 0;
    for (let i = 0; i < points.count; i++) {
      const u = length > 0 ? points.u[i]! / length : 0;
      points.u[i] = u;
      points.factors[i] = look.widthFactorAt(u);
      points.halfWidths[i] = (look.width / 2) * points.factors[i]!;
      // The age was left in the alpha.
      look.colorAt(points.colors[i * 4 + 3]!, u);
      points.colors[i * 4] = look.paint.r;
      points.colors[i * 4 + 1] = look.paint.g;
      points.colors[i * 4 + 2] = look.paint.b;
      points.colors[i * 4 + 3] = look.paint.a;
    }
    return points;
  }

  #addPoint(x: number, y: number, edgeX: number, edgeY: number, isBlade: boolean, age: number): void {
    const points = this.#points;
    if (points.add(this.#screenX(x), this.#screenY(y), edgeX * this.#scaleX, edgeY * this.#scaleY, isBlade)) points.colors[(points.count - 1) * 4 + 3] = age;
  }

  #screenX(x: number): number {
    return x * this.#scaleX + this.#offsetX;
  }

  #screenY(y: number): number {
    return y * this.#scaleY + this.#offsetY;
  }
}

function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
