/** Number of single-letter edits between two words, ignoring case. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1]!.toLowerCase() === b[j - 1]!.toLowerCase() ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** A sentence naming up to five candidates that resemble `name`; when none does, the first ones there are; "" without any. */
export function nearMatches(name: string, candidates: Iterable<string>): string {
  const all = [...candidates], near = all
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length >> 1))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ candidate }) => `"${candidate}"`);
  if (near.length > 0) return ` Did you mean ${near.join(", ")}?`;
  if (all.length === 0) return "";
  const shown = all.slice(0, 5).map((candidate) => `"${candidate}"`).join(", ");
  return ` There ${all.length === 1 ? "is" : "are"} ${shown}${all.length > 5 ? ` and ${all.length - 5} more` : ""}.`;
}
