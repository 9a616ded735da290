import { AnimArgumentError, AnimIndexError, AnimNameError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { nearMatches } from "../module/near-matches.js";
import { shortestTurn } from "../tween/angle.js";
import { FollowerLaw, usableStep } from "./law.js";
import { Follower } from "./parameters.js";

/** One named scalar. */
class Channel {
  y: number;
  v = 0;
  target: number;
  previous: number;
  /** NaN: estimated from the target. */
  targetVelocity = NaN;
  clamps = false;
  law: FollowerLaw | null = null;
  constructor(readonly name: string, value: number) {
    this.y = this.target = this.previous = value;
  }
}

/**
 * Named numbers that chase their targets with inertia. Stable for any step of time, and the same at 30 and 240 Hz.
 *
 * `set` places a channel; to chase a moving target call `setTarget` each frame (`set` would kill the motion).
 */
export class ControlAnim extends Follower {
  readonly #channels: Channel[] = [];
  readonly #byName = new Map<string, Channel>();

  /** @param frequency - Hz, above 0; @param damping - at least 0; @param response - any. @throws AnimArgumentError */
  constructor(frequency = 3, damping = 1, response = 1) {
    super(frequency, damping, response);
  }

  /** Creates a channel, or moves it at once: value and target, velocity 0. @throws AnimArgumentError */
  set(name: string, value: number): void {
    const channel = this.#orNew(name, checkNumber(value, "value"));
    channel.y = channel.target = channel.previous = value;
    channel.v = 0;
    channel.targetVelocity = NaN;
  }

  /** Moves the target; an unknown channel is created at rest there. @throws AnimArgumentError */
  setTarget(name: string, value: number): void {
    this.#orNew(name, checkNumber(value, "value")).target = value;
  }

  /** Moves the target to the equivalent angle nearest to the current value. @throws AnimArgumentError */
  setTargetAngle(name: string, radians: number): void {
    const channel = this.#orNew(name, checkNumber(radians, "radians"));
    channel.target = channel.y + shortestTurn(radians - channel.y);
  }

  /** The target's velocity in units per second, until `set`, `remove` or `clearTargetVelocity`. @throws AnimNameError, AnimArgumentError */
  setTargetVelocity(name: string, velocity: number): void {
    this.#get(name).targetVelocity = checkNumber(velocity, "velocity");
  }

  /** Estimates the target's velocity from its movement again. @throws AnimNameError */
  clearTargetVelocity(name: string): void {
    this.#get(name).targetVelocity = NaN;
  }

  /** Adds to the velocity at once. @throws AnimNameError, AnimArgumentError */
  impulse(name: string, deltaVelocity: number): void {
    this.#get(name).v += checkNumber(deltaVelocity, "deltaVelocity");
  }

  /** Parameters of one channel instead of the common ones; without arguments the common ones again. @throws AnimNameError, AnimArgumentError */
  setChannelParameters(name: string, frequency?: number, damping = 1, response = 1): void {
    this.#get(name).law = frequency === undefined ? null : new FollowerLaw(frequency, damping, response);
  }

  /** Whether a channel stops at the target when it first crosses it. @throws AnimNameError */
  setClamp(name: string, on: boolean): void {
    this.#get(name).clamps = on;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Current value. @throws AnimNameError */
  get(name: string): number {
    return this.#get(name).y;
  }

  /** Current velocity in units per second. @throws AnimNameError */
  getVelocity(name: string): number {
    return this.#get(name).v;
  }

  /** @throws AnimNameError */
  getTarget(name: string): number {
    return this.#get(name).target;
  }

  /** Whether a channel is close to its target and slow. Followers never stop by themselves. @throws AnimNameError */
  isSettled(name: string, positionEpsilon = 1e-3, velocityEpsilon = 1e-3): boolean {
    const { y, target, v } = this.#get(name);
    return Math.abs(y - target) <= positionEpsilon && Math.abs(v) <= velocityEpsilon;
  }

  /** Removes all channels. */
  clear(): void {
    this.#channels.length = 0;
    this.#byName.clear();
  }

  /** Removes a channel; false if there was none. */
  remove(name: string): boolean {
    const channel = this.#byName.get(name);
    if (channel === undefined) return false;
    this.#byName.delete(name);
    this.#channels.splice(this.#channels.indexOf(channel), 1);
    return true;
  }

  getPropertyCount(): number {
    return this.#channels.length;
  }

  /** Name of a channel in the order of creation. @throws AnimIndexError */
  getPropertyName(i: number): string {
    const channel = this.#channels[i];
    if (channel === undefined) throw new AnimIndexError(`Channel ${i} does not exist, there are ${this.#channels.length}.`, { found: i });
    return channel.name;
  }

  /** Advances all channels; any step is fine. @throws AnimArgumentError unless dt is finite and at least 0 */
  update(dt: number): void {
    if (checkNumber(dt, "dt", 0) === 0) return;
    const step = usableStep(dt);
    this.law.prepare(step);
    for (let i = 0; i < this.#channels.length; i++) {
      const channel = this.#channels[i]!;
      const { target, y } = channel;
      let law = this.law;
      if (channel.law !== null) {
        law = channel.law;
        law.setIntegrator(this.law.getIntegrator());
        law.setDiscretization(this.law.getDiscretization());
        law.prepare(step);
      }
      const velocity = channel.targetVelocity === channel.targetVelocity ? channel.targetVelocity : (target - channel.previous) / step;
      law.solve(y, channel.v, target, velocity);
      channel.previous = target;
      if (channel.clamps && (y - target) * (law.y - target) < 0) {
        channel.y = target;
        channel.v = 0;
      } else {
        channel.y = law.y;
        channel.v = law.v;
      }
    }
  }

  #get(name: string): Channel {
    const channel = this.#byName.get(name);
    if (channel === undefined) throw new AnimNameError(`There is no channel "${name}".${nearMatches(String(name), this.#byName.keys())} set() and setTarget() create one.`, { found: name });
    return channel;
  }

  #orNew(name: string, value: number): Channel {
    if (typeof name !== "string" || name === "") throw new AnimArgumentError("A channel needs a name that is not empty.");
    let channel = this.#byName.get(name);
    if (channel === undefined) {
      this.#byName.set(name, (channel = new Channel(name, value)));
      this.#channels.push(channel);
    }
    return channel;
  }
}
