// One crowd on one canvas: spawns everybody, moves them on, poses them, draws them, and says how long each stage took.
import { Crowd } from "../../dist/crowd/index.js";
import { CrowdRenderer, GlTexture, orthographic } from "../../dist/render/index.js";
import { Physics, PhysicsConstraintData, Skeleton, TextureFilter } from "../../dist/spine/index.js";
import { HAZE } from "./backdrop.js";
import { hazeAt } from "./stage.js";
import { Walkers } from "./walkers.js";

/** Looks of a rig that are cast; a rig with very many would make very many tables. */
const MOST_SKINS = 12;
/** Depths (0 the first row, 1 the horizon) from which characters are worth less, and what they are worth there. */
const LEVELS = [
  { from: 0, level: {} }, { from: 0.6, level: { rate: 30, between: "interpolate" } },
  { from: 0.78, level: { rate: 20, between: "interpolate", detail: false } }, { from: 0.88, level: { rate: 12, between: "interpolate", detail: false } },
];
/** Smaller pictures of a page than a sixteenth mix neighbours on it. */
const SMALLEST_PICTURE = 4;

export class Show {
  constructor(rig, count, gl, width, height, animation) {
    this.rig = rig;
    this.width = width;
    this.height = height;
    const { data } = rig;
    const named = wholeSkins(data).map(({ name }) => name).slice(0, MOST_SKINS);
    this.skins = named.length > 0 ? named : [null];
    const swinging = data.constraints.filter((constraint) => constraint instanceof PhysicsConstraintData).map(({ name }) => name);
    this.crowd = new Crowd(data, { capacity: count, slots: true, detail: { constraints: swinging } });
    this.walkers = new Walkers(this.crowd, count, width, height, boundsOf(data, this.skins[0]), { animation, skins: named });
    this.gl = gl;
    this.textures = new Map(rig.atlas.pages.map((page, i) => [page.texture, pageTexture(gl, rig.pages[i])]));
    this.renderer = new CrowdRenderer(gl, this.crowd, { textures: (texture) => this.textures.get(texture).handle });
    this.projection = orthographic(width / 2, height / 2, width, height);
    this.#arrange();
    this.time = { move: 0, pose: 0, draw: 0 };
    this.frames = 0;
    this.baked = null;
  }

  /** Painter's order: rows from far to near, in a row look by look. */
  #arrange() {
    const { count, row, look, depth, ids } = this.walkers;
    const places = Array.from({ length: count }, (_, i) => i).toSorted((a, b) => row[a] - row[b] || look[a] - look[b] || a - b);
    // Nobody leaves, so that rows of the crowd stay what they are.
    const order = Uint32Array.from(places, (i) => this.crowd.row(ids[i]));
    const fog = new Float32Array(count);
    for (let i = 0; i < count; i++) fog[this.crowd.row(ids[i])] = hazeAt(depth[i]);
    this.picture = { order, fog, fogColor: HAZE };
  }

  /** One frame. Times are milliseconds, smoothed. */
  frame(seconds) {
    const { crowd, walkers, gl } = this;
    const t0 = performance.now();
    walkers.step(seconds);
    const t1 = performance.now();
    crowd.update(seconds);
    const t2 = performance.now();
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.renderer.draw(this.projection, this.picture);
    const t3 = performance.now();
    const share = this.frames++ < 5 ? 0.5 : 0.06;
    this.time.move += (t1 - t0 - this.time.move) * share;
    this.time.pose += (t2 - t1 - this.time.pose) * share;
    this.time.draw += (t3 - t2 - this.time.draw) * share;
  }

  /** Poses the far ones less often, something in between is shown; the farthest do without physics. */
  spare(on) {
    this.crowd.levels = on ? LEVELS.map(({ level }) => level) : [{}];
    const { depth, ids } = this.walkers;
    for (let i = 0; i < ids.length; i++) {
      const level = on ? LEVELS.findLastIndex(({ from }) => depth[i] >= from) : 0;
      this.crowd.setLevel(ids[i], level);
    }
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
    for (const texture of this.textures.values()) texture.dispose();
    this.crowd.dispose();
  }
}

/** A page on the graphics card; its image is premultiplied. */
function pageTexture(gl, image) {
  const texture = new GlTexture(gl, image, { premultiplied: true });
  texture.setFilters(TextureFilter.MipMapLinearLinear, TextureFilter.Linear);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LOD, SMALLEST_PICTURE);
  return texture;
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

/** Whether anything swings on a rig. */
export const hasPhysicsIn = (data) => data.constraints.some((constraint) => constraint instanceof PhysicsConstraintData);

/** The skins that dress a whole character: those that show most of what the fullest one does. A lone hat is none. */
function wholeSkins(data) {
  const skins = data.skins.filter((skin) => skin !== data.defaultSkin);
  const skeleton = new Skeleton(data);
  const shown = skins.map((skin) => {
    skeleton.setSkin(skin);
    skeleton.setupPose();
    return skeleton.slots.filter(({ bone, appliedPose }) => bone.active && appliedPose.attachment !== null).length;
  });
  skeleton.dispose();
  const most = Math.max(...shown);
  return skins.filter((_, i) => shown[i] >= 0.75 * most);
}

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
