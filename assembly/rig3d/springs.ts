/**
 * Spring bones of many characters of one rig: reads anchors and colliders from their poses, simulates, turns the bones.
 *
 * Layout   settings, chains, joints, colliders and groups: layout/springs.ts. groups: u32 a group, its address. scratch: rows
 *          of the longest chain's particles, then those of the colliders, as in a group.
 * Requires every pointer 16-byte aligned; the lanes of a group that hold no character have the addresses of a pose that is
 *          nobody's; steps >= 0; 0 < end <= 1.
 * Ensures  what src/anim/dynamic-bone/solver.ts does in double precision, for chains that hang on no other and do not collide
 *          with each other. The worlds of the poses are valid. Groups are independent: any split gives the same bits.
 * Source   Verlet integration with the damping, the limit of deviation and the inertia of the anchor of the animation
 *          module's dynamic bones; everything in the model space of the character, which is the world turned and shifted.
 */
import {
  Particle, SPRING_ANCHOR_ROWS, SPRING_CHAIN_BYTES, SPRING_COLLIDER_ROW_BYTES, SPRING_PARTICLE_BYTES, SpringChain, SpringFlag, SpringGroup,
  Springs,
} from "../layout/springs";
import { ROW_BYTES } from "../layout/heap";
import { composeRotations, composeWorld, composeWorldRange } from "./world";
import {
  bringHere, copyRows, followTeleport, interpolateAnchors, interpolateColliders, keepChain, keepColliders, readChain, readColliders, startChain,
  writeChain,
} from "./springs-place";
import { constrain, integrate, moveAnchor, swing } from "./springs-step";

const COLLIDER_START: usize = SpringGroup.END * ROW_BYTES;
const ANCHOR_BYTES: usize = SPRING_ANCHOR_ROWS * ROW_BYTES;

/**
 * Updates groups first..count-1.
 * @param end - how far the anchors are at the last step, as a share of the way since the last one
 */
export function updateSprings(settings: usize, groups: usize, first: i32, count: i32, steps: i32, end: f32, scratch: usize): void {
  for (let g = first; g < count; g++) updateGroup(settings, load<u32>(groups + (<usize>g << 2)), steps, end, scratch);
}

function updateGroup(settings: usize, group: usize, steps: i32, end: f32, scratch: usize): void {
  const chainCount = load<i32>(settings, Springs.CHAIN_COUNT);
  const colliderCount = load<i32>(settings, Springs.COLLIDER_COUNT);
  const boneCount = load<i32>(settings, Springs.BONE_COUNT);
  const parents: usize = load<u32>(settings, Springs.PARENTS);
  const chains: usize = load<u32>(settings, Springs.CHAINS);
  const colliders = group + COLLIDER_START;
  const flags = v128.load(group, SpringGroup.FLAGS * ROW_BYTES);
  const starting = i32x4.ne(v128.and(flags, i32x4.splat(SpringFlag.START)), i32x4.splat(0));
  const moved = i32x4.ne(v128.and(flags, i32x4.splat(SpringFlag.MOVED)), i32x4.splat(0));

  for (let lane = 0; lane < 4; lane++) {
    const at = group + (<usize>lane << 2);
    const local: usize = load<u32>(at, SpringGroup.LOCAL * ROW_BYTES);
    if (!(load<i32>(at, SpringGroup.FLAGS * ROW_BYTES) & SpringFlag.WORLD)) {
      composeWorld(local, load<u32>(at, SpringGroup.WORLD * ROW_BYTES), parents, (boneCount + 3) >> 2);
    }
    composeRotations(local, load<u32>(at, SpringGroup.ROTATIONS * ROW_BYTES), parents, 0, boneCount);
  }
  readColliders(settings, group, colliders, starting, moved);

  let particles = colliders + <usize>colliderCount * SPRING_COLLIDER_ROW_BYTES;
  for (let c = 0; c < chainCount; c++) {
    const chain = chains + <usize>c * SPRING_CHAIN_BYTES;
    const anchor = particles;
    particles += ANCHOR_BYTES;
    readChain(chain, group, particles);
    if (v128.any_true(moved)) bringHere(chain, group, particles, anchor, moved);
    if (v128.any_true(starting)) startChain(chain, particles, anchor, starting);
    const teleported = followTeleport(settings, chain, particles, anchor);
    simulate(settings, chain, group, particles, colliders, teleported, steps, end, scratch);
    writeChain(chain, group, particles, scratch);
    particles += <usize>load<i32>(chain, SpringChain.COUNT) * SPRING_PARTICLE_BYTES;
  }

  const firstBone = load<i32>(settings, Springs.FIRST_BONE);
  for (let lane = 0; lane < 4; lane++) {
    const at = group + (<usize>lane << 2);
    composeWorldRange(load<u32>(at, SpringGroup.LOCAL * ROW_BYTES), load<u32>(at, SpringGroup.WORLD * ROW_BYTES), parents, firstBone, boneCount);
  }
  if (steps > 0) keepColliders(colliders, colliderCount, end);
}

function simulate(
  settings: usize, chain: usize, group: usize, particles: usize, colliders: usize, teleported: v128, steps: i32, end: f32, scratch: usize,
): void {
  if (steps == 0) return;
  const colliderCount = load<i32>(settings, Springs.COLLIDER_COUNT);
  const vrm = load<i32>(chain, SpringChain.JOINTS) != 0;
  const between = scratch + <usize>load<i32>(settings, Springs.LONGEST) * SPRING_PARTICLE_BYTES;
  const share = end / <f32>steps;
  const before = between + <usize>colliderCount * SPRING_COLLIDER_ROW_BYTES;
  copyRows(before, particles + Particle.FROM_A, 7);
  for (let s = 1; s <= steps; s++) {
    // The whole way: the rows that were read serve as they are.
    const whole = s == steps && end == 1;
    const at = whole ? particles : scratch;
    const ends = whole ? colliders : between;
    if (!whole) {
      interpolateColliders(colliders, colliderCount, share * <f32>s, between);
      interpolateAnchors(chain, particles, share * <f32>s, scratch);
    }
    if (vrm) {
      swing(settings, chain, group, particles, at, colliders, ends);
    } else {
      moveAnchor(settings, chain, group, particles, before, at, teleported, share);
      integrate(settings, chain, group, particles);
      constrain(settings, chain, particles, at, colliders, ends);
    }
    copyRows(before, at + Particle.A, 7);
  }
  keepChain(chain, end == 1 ? particles : scratch, particles);
}
