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

/** A sentence naming up to five candidates that resemble `name`, or "" when nothing does. */
export function nearMatches(name: string, candidates: Iterable<string>): string {
  const near = [...candidates]
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length >> 1))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ candidate }) => `"${candidate}"`);
  return near.length > 0 ? ` Did you mean ${near.join(", ")}?` : "";
}
