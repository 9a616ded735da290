// One crowd on one canvas: spawns everybody, moves them on, poses them, draws them, and says how long each stage took.
import { Crowd } from "../../dist/crowd/index.js";
import { Physics, PhysicsConstraintData, Skeleton } from "../../dist/spine/index.js";
import { InstancedRenderer } from "./gl/renderer.js";
import { hazeAt } from "./stage.js";
import { Walkers } from "./walkers.js";

/** Looks of a rig that are cast; a rig with very many would make very many tables. */
const MOST_SKINS = 12;
const PEOPLE_PADDING = 1024;

export class Show {
  constructor(rig, count, gl, width, height, animation) {
    this.rig = rig;
    this.width = width;
    this.height = height;
    const { data } = rig;
    const named = data.skins.filter((skin) => skin !== data.defaultSkin).map(({ name }) => name).slice(0, MOST_SKINS);
    this.skins = named.length > 0 ? named : [null];
    this.crowd = new Crowd(data, { capacity: count, slots: true });
    this.walkers = new Walkers(this.crowd, count, width, height, boundsOf(data, this.skins[0]), { animation, skins: named });
    this.renderer = new InstancedRenderer(gl, this.crowd, this.skins, rig.atlas.pages.map((page, i) => ({ image: rig.pages[i], texture: page.texture })));
    this.#arrange();
    this.time = { move: 0, pose: 0, draw: 0 };
    this.frames = 0;
    this.baked = null;
  }

  /** Painter's order: rows from far to near, in a row look by look, so that few calls draw them. */
  #arrange() {
    const { count, row, look, depth } = this.walkers;
    this.order = Array.from({ length: count }, (_, i) => i).toSorted((a, b) => row[a] - row[b] || look[a] - look[b] || a - b);
    this.runs = [];
    this.order.forEach((i, place) => {
      const last = this.runs.at(-1);
      if (last?.range === look[i]) last.count++;
      else this.runs.push({ range: look[i], first: place, count: 1 });
    });
    this.people = new Float32Array(Math.ceil(count / PEOPLE_PADDING) * PEOPLE_PADDING * 4);
    this.order.forEach((i, place) => (this.people[place * 4 + 2] = hazeAt(depth[i])));
  }

  /** One frame. Times are milliseconds, smoothed. */
  frame(seconds) {
    const { crowd, walkers, people, order } = this;
    const t0 = performance.now();
    walkers.step(seconds);
    const t1 = performance.now();
    crowd.update(seconds);
    const t2 = performance.now();
    for (let place = 0; place < order.length; place++) people[place * 4] = crowd.row(walkers.ids[order[place]]);
    this.renderer.draw(people, order.length, this.runs, this.width, this.height);
    const t3 = performance.now();
    const share = this.frames++ < 5 ? 0.5 : 0.06;
    this.time.move += (t1 - t0 - this.time.move) * share;
    this.time.pose += (t2 - t1 - this.time.pose) * share;
    this.time.draw += (t3 - t2 - this.time.draw) * share;
  }

  /** Plays from resampled rows, or exactly again. */
  bake(on) {
    this.baked = null;
    if (!on) return this.crowd.unbake();
    const clips = this.crowd.bake();
    const good = clips.filter(({ isBaked }) => isBaked);
    this.baked = { clips: good.length, all: clips.length, error: Math.max(0, ...good.map(({ error }) => error)) };
  }

  dispose() {
    this.renderer.dispose();
    this.crowd.dispose();
  }
}

/** Lets the physics constraints of a rig act or not, for crowds that are made afterwards. */
export function setPhysics(data, isOn) {
  for (const constraint of data.constraints) {
    if (!(constraint instanceof PhysicsConstraintData)) continue;
    mixes.set(constraint, mixes.get(constraint) ?? constraint.setupPose.mix);
    constraint.setupPose.mix = isOn ? mixes.get(constraint) : 0;
  }
}

/** Mixes as they were loaded. */
const mixes = new WeakMap();

/** Lower edge and height of the setup pose. Art that reaches a little below the origin, as shadows do, still stands on it. */
function boundsOf(data, skin) {
  const skeleton = new Skeleton(data);
  if (skin) skeleton.setSkin(skin);
  skeleton.setupPose();
  skeleton.updateWorldTransform(Physics.reset);
  const { y, height } = skeleton.getBoundsRect();
  skeleton.dispose();
  if (!(Number.isFinite(height) && height > 0)) return { y: 0, height: 500 };
  return { y: y < 0 && y > -0.08 * height ? 0 : y, height };
}
