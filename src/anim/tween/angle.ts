const TAU = 2 * Math.PI;
const PI = Math.PI;

/**
 * An angle difference reduced to the short way round, in [-pi, pi]; half a turn keeps its sign.
 * Costs the same for any size of difference.
 */
export function shortestTurn(difference: number): number {
  const size = Math.abs(difference);
  // 1e-12 turns of slack, so that a difference of half a turn is not flipped by rounding.
  const turns = Math.max(0, Math.ceil((size - PI) / TAU - 1e-12));
  const rest = size - TAU * turns;
  return difference < 0 ? -rest : rest;
}
