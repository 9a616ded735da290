/**
 * Notices of edits that compiled forms and records in linear memory cannot see by themselves. A counter tells at once that
 * nothing happened, which is nearly always so.
 * @internal
 */
export const edits = {
  /** Edits of timelines, and timelines whose `frames` a program has taken: from then on it may write to them at any time. */
  timelines: 0,
  /** Changes of what transform constraints and sliders map. */
  properties: 0,
  /** Arrays of attachments that a program has taken. */
  arrays: 0,
};

const taken = /* @__PURE__ */ new WeakSet<object>();

/** Notes that a program gets an array of an attachment, and may edit it in place from now on. @internal */
export function handOut<T extends object>(array: T): T {
  if (!taken.has(array)) {
    taken.add(array);
    edits.arrays++;
  }
  return array;
}

/** Whether a program may edit an array in place. @internal */
export function isHandedOut(array: object): boolean {
  return edits.arrays > 0 && taken.has(array);
}

/** Whether two lists hold the same numbers. @internal */
export function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
