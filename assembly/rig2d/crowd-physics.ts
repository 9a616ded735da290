/**
 * Moves physics states between instances (one lane, side by side in memory) and a group (four lanes).
 *
 * Layout   states: layout/update.ts, PHYSICS_STATE_ROWS rows per constraint; rows from REMAINING on are f64 pairs of rows.
 * Requires 16-byte aligned blocks; `count` constraints each.
 * Ensures  gatherPhysics: `group` holds the four states. holdPhysics: no time has passed in a lane. scatterPhysics: the four states
 *          hold what the group holds.
 */
import { highHalves, highPairs, lowHalves, lowPairs, storeTransposed } from "../math/transpose";
import { PHYSICS_STATE_ROWS, PhysicsStateRow } from "../layout/update";

const FLOAT_ROWS = PhysicsStateRow.REMAINING;
const STATE_BYTES = PHYSICS_STATE_ROWS << 2;

export function gatherPhysics(s0: usize, s1: usize, s2: usize, s3: usize, group: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    for (let row: usize = 0; row < <usize>FLOAT_ROWS; row += 4) {
      const a = v128.load(s0 + (row << 2)), b = v128.load(s1 + (row << 2)), c = v128.load(s2 + (row << 2)), d = v128.load(s3 + (row << 2));
      storeTransposed(group + (row << 4), 16, a, b, c, d);
    }
    const a = v128.load(s0, FLOAT_ROWS << 2), b = v128.load(s1, FLOAT_ROWS << 2), c = v128.load(s2, FLOAT_ROWS << 2), d = v128.load(s3, FLOAT_ROWS << 2);
    v128.store(group, v128.shuffle<f64>(a, b, 0, 2), FLOAT_ROWS << 4);
    v128.store(group, v128.shuffle<f64>(c, d, 0, 2), (FLOAT_ROWS << 4) + 16);
    v128.store(group, v128.shuffle<f64>(a, b, 1, 3), (FLOAT_ROWS << 4) + 32);
    v128.store(group, v128.shuffle<f64>(c, d, 1, 3), (FLOAT_ROWS << 4) + 48);
    s0 += STATE_BYTES; s1 += STATE_BYTES; s2 += STATE_BYTES; s3 += STATE_BYTES;
    group += STATE_BYTES << 2;
  }
}

/** The way back; a state that is not to change is sent to memory that nobody reads. */
export function scatterPhysics(group: usize, s0: usize, s1: usize, s2: usize, s3: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    for (let row: usize = 0; row < <usize>FLOAT_ROWS; row += 4) {
      const at = group + (row << 4);
      const a = v128.load(at), b = v128.load(at, 16), c = v128.load(at, 32), d = v128.load(at, 48);
      const ab01 = lowPairs(a, b), ab23 = highPairs(a, b);
      const cd01 = lowPairs(c, d), cd23 = highPairs(c, d);
      v128.store(s0 + (row << 2), lowHalves(ab01, cd01));
      v128.store(s1 + (row << 2), highHalves(ab01, cd01));
      v128.store(s2 + (row << 2), lowHalves(ab23, cd23));
      v128.store(s3 + (row << 2), highHalves(ab23, cd23));
    }
    const a = v128.load(group, FLOAT_ROWS << 4), b = v128.load(group, (FLOAT_ROWS << 4) + 16);
    const c = v128.load(group, (FLOAT_ROWS << 4) + 32), d = v128.load(group, (FLOAT_ROWS << 4) + 48);
    v128.store(s0, v128.shuffle<f64>(a, c, 0, 2), FLOAT_ROWS << 2);
    v128.store(s1, v128.shuffle<f64>(a, c, 1, 3), FLOAT_ROWS << 2);
    v128.store(s2, v128.shuffle<f64>(b, d, 0, 2), FLOAT_ROWS << 2);
    v128.store(s3, v128.shuffle<f64>(b, d, 1, 3), FLOAT_ROWS << 2);
    s0 += STATE_BYTES; s1 += STATE_BYTES; s2 += STATE_BYTES; s3 += STATE_BYTES;
    group += STATE_BYTES << 2;
  }
}

/** Lets no time pass in a lane that nobody looks at: a hidden instance would make the whole group wait for its steps. */
export function holdPhysics(group: usize, lane: i32, now: f64, count: i32): void {
  const at = group + (PhysicsStateRow.LAST_TIME << 4) + (<usize>lane << 3);
  for (let i = 0; i < count; i++) store<f64>(at + <usize>i * (PHYSICS_STATE_ROWS << 4), now);
}
