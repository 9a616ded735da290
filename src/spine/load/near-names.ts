/** Longest part of a name that is compared, and most candidates looked at: suggestions are for errors, not for search. */
const MAX_LENGTH = 64;
const MAX_CANDIDATES = 4096;

/**
 * Names that a misspelt one may have meant, best first.
 * @returns up to `limit` candidates within a third of the name's length in edits, or equal but for upper and lower case or folder
 */
export function nearNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase();
  const furthest = Math.max(1, Math.floor(wanted.length / 3));
  const found: { name: string; distance: number }[] = [];
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > MAX_CANDIDATES) break;
    const other = candidate.slice(0, MAX_LENGTH).toLowerCase();
    const distance = lastPart(other) === lastPart(wanted) && wanted !== "" ? 0.5 : editDistance(wanted, other, furthest);
    if (distance <= furthest) found.push({ name: candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance);
  return found.slice(0, limit).map((entry) => entry.name);
}

/** `Did you mean 'a' or 'b'?`, or the empty string when nothing is near. Starts with a space. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearNames(name, candidates);
  if (near.length === 0) return "";
  return ` Did you mean ${near.map((entry) => `'${entry}'`).join(" or ")}?`;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Levenshtein distance, or anything above `furthest` once it is certain to be larger. */
function editDistance(a: string, b: string, furthest: number): number {
  if (Math.abs(a.length - b.length) > furthest) return furthest + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const value = Math.min(substituted, row[j]! + 1, next[j - 1]! + 1);
      next.push(value);
      if (value < best) best = value;
    }
    if (best > furthest) return furthest + 1;
    row = next;
  }
  return row[b.length]!;
}
