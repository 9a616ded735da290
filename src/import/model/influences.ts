/** Joints and weights of vertices in the form that {@link ModelMesh} keeps. */
export interface VertexInfluences {
  joints: Uint16Array;
  weights: Float32Array;
  influences: 4 | 8;
}

/**
 * Joins one or two sets of four influences, checks them, and makes the weights of every vertex sum to 1.
 * A vertex without any weight follows joint 0, as renderers do that leave it unmoved relative to the first joint.
 */
export function mergeInfluences(
  sets: readonly { joints: ArrayLike<number>; weights: ArrayLike<number> }[],
  vertexCount: number,
  jointCount: number,
  fail: (problem: string) => never,
  repaired: (line: string) => void,
): VertexInfluences {
  const influences = sets.length === 1 ? 4 : 8;
  const joints = new Uint16Array(vertexCount * influences);
  const weights = new Float32Array(vertexCount * influences);
  let renormalised = 0;
  let unweighted = 0;
  for (let v = 0; v < vertexCount; v++) {
    let sum = 0;
    for (const [s, set] of sets.entries()) {
      for (let k = 0; k < 4; k++) {
        const weight = set.weights[v * 4 + k]!;
        const joint = set.joints[v * 4 + k]!;
        if (weight < 0) fail(`has the negative weight ${weight} at vertex ${v}`);
        if (weight > 0 && joint >= jointCount) fail(`names joint ${joint} of ${jointCount} at vertex ${v}`);
        joints[v * influences + s * 4 + k] = joint < jointCount ? joint : 0;
        weights[v * influences + s * 4 + k] = weight;
        sum += weight;
      }
    }
    if (sum > 0) {
      if (Math.abs(sum - 1) > 1e-3) renormalised++;
      for (let k = 0; k < influences; k++) weights[v * influences + k]! /= sum;
    } else {
      unweighted++;
      weights[v * influences] = 1;
      joints[v * influences] = 0;
    }
  }
  if (renormalised > 0) repaired(`weights of ${renormalised} vertices did not sum to 1 and were renormalised`);
  if (unweighted > 0) repaired(`${unweighted} vertices had no weights and follow joint 0`);
  return { joints, weights, influences };
}

/** The four largest of any number of influences, largest first, renormalised. Ties keep the earlier one. */
export function reduceToFour(joints: ArrayLike<number>, weights: ArrayLike<number>, influences: number): { joints: Uint16Array; weights: Float32Array } {
  const vertexCount = influences === 0 ? 0 : joints.length / influences;
  const outJoints = new Uint16Array(vertexCount * 4);
  const outWeights = new Float32Array(vertexCount * 4);
  const order: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    order.length = 0;
    for (let k = 0; k < influences; k++) order.push(v * influences + k);
    order.sort((a, b) => weights[b]! - weights[a]! || a - b);
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += weights[order[k]!] ?? 0;
    for (let k = 0; k < Math.min(4, influences); k++) {
      outJoints[v * 4 + k] = joints[order[k]!]!;
      outWeights[v * 4 + k] = sum > 0 ? weights[order[k]!]! / sum : k === 0 ? 1 : 0;
    }
  }
  return { joints: outJoints, weights: outWeights };
}
