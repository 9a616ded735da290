/** Time within a clip. @internal */

/** Below this a clip has no length. */
export const NO_LENGTH = 1e-8;

/** `AnimClip.wrapTime` on plain numbers; the kernels have the same (assembly/rig3d/sample.ts). @internal */
export function wrapTime(time: number, duration: number, loop: boolean): number {
  if (duration <= NO_LENGTH) return 0;
  if (!loop) return time <= 0 ? 0 : time >= duration ? duration : time;
  const wrapped = time - duration * Math.floor(time / duration);
  // The quotient rounds: the remainder of a time just below a multiple may come out as D, or below 0.
  return wrapped >= duration || wrapped < 0 ? 0 : wrapped;
}
