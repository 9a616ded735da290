/**
 * Moves physics states between instances (one lane, side by side in memory) and a group (four lanes).
 *
 * Layout   states: layout/update.ts, PHYSICS_STATE_ROWS rows per constraint; rows from REMAINING on are f64 pairs of rows.
 * Requires 16-byte aligned blocks; `count` constraints each.
 * Ensures  gatherPhysics: `group` holds the four states. holdPhysics: no time has passed in a lane. scatterPhysics: the states whose address is not 0 are written.
 */
import { PHYSICS_STATE_ROWS, PhysicsStateRow } from "../layout/update";

const FLOAT_ROWS = PhysicsStateRow.REMAINING;

export function gatherPhysics(s0: usize, s1: usize, s2: usize, s3: usize, group: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    for (let row: usize = 0; row < <usize>FLOAT_ROWS; row += 4) {
      const a = v128.load(s0 + (row << 2)), b = v128.load(s1 + (row << 2)), c = v128.load(s2 + (row << 2)), d = v128.load(s3 + (row << 2));
      storeTransposed(group + (row << 4), a, b, c, d);
    }
    for (let row: usize = FLOAT_ROWS; row < <usize>PHYSICS_STATE_ROWS; row += 2) {
      const at = group + (row << 4);
      store<f64>(at, load<f64>(s0 + (row << 2)));
      store<f64>(at, load<f64>(s1 + (row << 2)), 8);
      store<f64>(at, load<f64>(s2 + (row << 2)), 16);
      store<f64>(at, load<f64>(s3 + (row << 2)), 24);
    }
    s0 += PHYSICS_STATE_ROWS << 2; s1 += PHYSICS_STATE_ROWS << 2; s2 += PHYSICS_STATE_ROWS << 2; s3 += PHYSICS_STATE_ROWS << 2;
    group += PHYSICS_STATE_ROWS << 4;
  }
}

/** Four rows from four instances' columns: [a0 a1 a2 a3] ... -> [a0 b0 c0 d0] ... */
@inline
function storeTransposed(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab01 = v128.shuffle<f32>(a, b, 0, 4, 1, 5), ab23 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cd01 = v128.shuffle<f32>(c, d, 0, 4, 1, 5), cd23 = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab01, cd01, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(ab01, cd01, 2, 3, 6, 7), 16);
  v128.store(to, v128.shuffle<f32>(ab23, cd23, 0, 1, 4, 5), 32);
  v128.store(to, v128.shuffle<f32>(ab23, cd23, 2, 3, 6, 7), 48);
}

/** Lets no time pass in a lane that nobody looks at: a hidden instance would make the whole group wait for its steps. */
export function holdPhysics(group: usize, lane: i32, now: f64, count: i32): void {
  const at = group + (PhysicsStateRow.LAST_TIME << 4) + (<usize>lane << 3);
  for (let i = 0; i < count; i++) store<f64>(at + <usize>i * (PHYSICS_STATE_ROWS << 4), now);
}

/** One lane of a group back to its instance. */
export function scatterPhysics(group: usize, lane: i32, state: usize, count: i32): void {
  const from = group + (<usize>lane << 2), from64 = group + (<usize>lane << 3);
  for (let i = 0; i < count; i++) {
    const base = <usize>i * (PHYSICS_STATE_ROWS << 4), to = state + <usize>i * (PHYSICS_STATE_ROWS << 2);
    for (let row: usize = 0; row < <usize>FLOAT_ROWS; row++) store<u32>(to + (row << 2), load<u32>(from + base + (row << 4)));
    for (let row: usize = FLOAT_ROWS; row < <usize>PHYSICS_STATE_ROWS; row += 2) store<f64>(to + (row << 2), load<f64>(from64 + base + (row << 4)));
  }
}
