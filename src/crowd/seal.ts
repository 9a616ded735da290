/**
 * A number that any change of a snapshot's bytes changes, as good as surely: FNV-1a over words, without the word `place`, where it is kept.
 */
function sealOf(buffer: ArrayBuffer, place: number): number {
  const words = new Uint32Array(buffer, 0, buffer.byteLength >> 2);
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) if (i !== place) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  return hash >>> 0;
}

/** Writes the seal of a snapshot, at a word of its header. */
export function seal(buffer: ArrayBuffer, place: number): ArrayBuffer {
  new Uint32Array(buffer, place * 4, 1)[0] = sealOf(buffer, place);
  return buffer;
}

/** Whether the bytes are those that were sealed. */
export function isSealed(buffer: ArrayBuffer, place: number): boolean {
  return (buffer.byteLength & 3) === 0 && new Uint32Array(buffer, place * 4, 1)[0] === sealOf(buffer, place);
}
