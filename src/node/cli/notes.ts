import type { LoadNote } from "../../spine/load/report.js";

/** Notes of one kind that are printed. */
const SHOWN = 5;

/**
 * Notes of a loader as lines for people: of each kind the first few, and how many more there are.
 * @param where - what shows all of them
 */
export function noteLines(notes: readonly LoadNote[], where: string): string[] {
  const kinds = new Map<string, LoadNote[]>();
  for (const note of notes) kinds.set(note.code, [...(kinds.get(note.code) ?? []), note]);
  return [...kinds.values()].flatMap((list) => {
    const lines = list.slice(0, list.length === SHOWN + 1 ? undefined : SHOWN).map(({ message, count }) => (count > 1 ? `${message} (${count} times)` : message));
    return lines.length === list.length ? lines : [...lines, `… and ${list.length - lines.length} more of this kind; ${where}.`];
  });
}
