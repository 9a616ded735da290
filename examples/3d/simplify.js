/**
 * The same mesh with fewer triangles, for characters that are far away: vertices of one colour in one cell of a grid
 * become the first of them, and triangles without area go. Vertices keep their numbers, so that the skin still fits.
 * @param cell - edge of a cell, in units of the mesh
 */
export function simplify(mesh, cell) {
  const { positions, colors, indices } = mesh, first = new Map(), stands = new Uint32Array(positions.length / 3);
  for (let v = 0; v < stands.length; v++) {
    const key = [0, 1, 2].map((k) => Math.floor(positions[v * 3 + k] / cell));
    if (colors !== undefined) for (let k = 0; k < 3; k++) key.push(Math.round(colors[v * 4 + k] * 8));
    const name = key.join();
    if (!first.has(name)) first.set(name, v);
    stands[v] = first.get(name);
  }
  const kept = [];
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [stands[indices[i]], stands[indices[i + 1]], stands[indices[i + 2]]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return { ...mesh, indices: Uint32Array.from(kept) };
}
