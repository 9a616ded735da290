/** Evenly spaced times over a clip. @internal */
import { AnimCapacityError } from "../errors.js";

/** Keys of a track at most. */
const MOST_KEYS = 2 ** 24;

/** @throws AnimCapacityError if the grid would have more than 2^24 times, instead of running out of memory */
export function requireGrid(method: string, duration: number, rate: number): void {
  if (duration * rate <= MOST_KEYS) return;
  throw new AnimCapacityError(`${method}: ${duration} s at ${rate} Hz are more than ${MOST_KEYS} keys. Lower the sample rate, or trim the clip.`, { supported: MOST_KEYS });
}

/** Times i / rate from 0 on while they are before the duration, and the duration. @throws AnimCapacityError */
export function timeGrid(method: string, duration: number, rate: number): number[] {
  requireGrid(method, duration, rate);
  const times: number[] = [];
  for (let i = 0; i / rate < duration - 1e-6; i++) times.push(i / rate);
  times.push(duration);
  return times;
}
