// What everybody does: walkers and runners cross the meadow and come back on the other side, the others now and then think of
// something else to do. Positions are pixels, y up, as the crowd wants them.
import { GROUND_SPEED, actionOf, placeCrowd } from "./stage.js";
import { generator } from "./noise.js";

const FADE = 0.22;

/** Clips for a rig: the built-in mixture where those names exist, else every clip in turn. */
function clipChooser(data, only) {
  const names = data.animations.filter(({ duration }) => duration > 0).map(({ name }) => name);
  if (only && data.findAnimation(only)) return () => only;
  const has = new Set(data.animations.map(({ name }) => name));
  if (["walk", "run", "idle", "wave", "jump"].every((name) => has.has(name))) return actionOf;
  const choice = names.length > 0 ? names : [...has];
  return (pick) => choice[Math.floor(((pick * 17.3) % 1) * choice.length)];
}

export class Walkers {
  /**
   * @param crowd - an empty crowd; @param width, height - of the picture in pixels
   * @param bounds - { y, height } of the setup pose
   */
  constructor(crowd, count, width, height, bounds, { animation = null, skins = [] } = {}) {
    this.crowd = crowd;
    this.count = count;
    this.width = width;
    this.random = generator(99);
    this.choose = clipChooser(crowd.data, animation);
    this.single = animation;
    const places = placeCrowd({ count, aspect: width / height, characterHeight: bounds.height });
    this.depth = places.depth;
    this.x = new Float32Array(count);
    this.y = new Float32Array(count);
    this.scale = new Float32Array(count);
    this.facing = new Float32Array(count);
    this.speed = new Float32Array(count);
    this.patience = new Float32Array(count);
    this.row = places.row;
    this.clip = [];
    this.ids = [];
    /** Index of the look in `skins`. */
    this.look = new Uint8Array(count);
    this.canBlink = !animation && crowd.data.findAnimation("blink") !== null;
    for (let i = 0; i < count; i++) {
      const pick = places.pick[i];
      const scale = places.scale[i] * height;
      this.scale[i] = scale;
      this.x[i] = places.x[i] * height;
      this.y[i] = (1 - places.y[i]) * height - bounds.y * scale;
      this.facing[i] = (pick * 29.3) % 1 < 0.3 ? -1 : 1;
      this.clip[i] = this.choose(pick);
      this.speed[i] = this.#pace(i);
      this.patience[i] = 2 + 9 * this.random();
      const duration = crowd.data.findAnimation(this.clip[i]).duration;
      const time = ((pick * 101.7) % 1) * Math.max(duration, 0.001);
      this.look[i] = skins.length > 0 ? Math.floor(((pick * 13.7) % 1) * skins.length) : 0;
      this.ids[i] = crowd.spawn({
        animation: this.clip[i], time, loop: true,
        x: this.x[i], y: this.y[i], scaleX: scale * this.facing[i], scaleY: scale,
        ...(skins.length > 0 ? { skin: skins[this.look[i]] } : {}),
      });
    }
  }

  /** Pixels per second at which the feet of character i do not slide. */
  #pace(i) {
    return (GROUND_SPEED[this.clip[i]] ?? 0) * this.scale[i] * this.facing[i];
  }

  /** Moves everybody on; call before `crowd.update`. */
  step(seconds) {
    const { crowd, ids, x, y, speed, scale, patience, width } = this;
    for (let i = 0; i < this.count; i++) {
      if (speed[i] !== 0) {
        const margin = 150 * scale[i];
        x[i] += speed[i] * seconds;
        if (x[i] > width + margin || x[i] < -margin) {
          // Out on one side, in again on the other: nobody must be seen on the way.
          x[i] += (x[i] < 0 ? 1 : -1) * (width + 2 * margin);
          crowd.teleport(ids[i], x[i], y[i]);
        } else crowd.setPosition(ids[i], x[i], y[i]);
      }
      patience[i] -= seconds;
      if (patience[i] < 0) this.#changeMind(i);
    }
  }

  #changeMind(i) {
    this.patience[i] = 3 + 10 * this.random();
    if (this.single) return;
    const next = this.choose(this.random());
    if (next === this.clip[i]) {
      if (this.canBlink) this.crowd.playOverlay(this.ids[i], "blink", { loop: false });
      return;
    }
    this.clip[i] = next;
    this.speed[i] = this.#pace(i);
    this.crowd.play(this.ids[i], next, { mix: FADE, loop: true });
  }
}
