/**
 * Random skeletons in the 4.3 JSON format: hierarchies, constraints of all kinds chained at random, keys. The same seed gives
 * the same skeleton everywhere.
 */

/** A seeded generator (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 <= x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** low <= x < high, three decimals */
  between(low: number, high: number): number {
    return Math.round((low + (high - low) * this.next()) * 1000) / 1000;
  }

  /** Whole number, low <= x <= high */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }
}

export interface RigOptions {
  /** Constraint types to choose from; default all. */
  types?: readonly string[];
  /** Constraints at most; default 6. */
  constraints?: number;
  /** Number of bones; default 4 to 11. */
  bones?: number;
  /** Whether bones and constraints may need a skin; default yes. */
  skins?: boolean;
  /** Whether wind and gravity act; default yes. */
  forces?: boolean;
  /** Whether slot timelines, which need TypeScript, may be in slider animations; default no. */
  slotKeys?: boolean;
}

const INHERITS = ["normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"];
const PROPERTIES = ["rotate", "x", "y", "scaleX", "scaleY", "shearY"];
export const TYPES = ["ik", "transform", "path", "physics", "slider"];

/** A random skeleton. */
export function randomRig(random: Random, options: RigOptions = {}): any {
  const types = options.types ?? TYPES;
  const count = options.bones ?? random.int(4, 11);
  const bones = Array.from({ length: count }, (_, i) => randomBone(random, i, options));
  // Mostly whole branches need a skin; what hangs on an inactive bone alone has no matrix.
  for (const bone of bones) if (bones.find((b) => b.name === bone.parent)?.skin === true && random.chance(0.9)) bone.skin = true;
  const slots: any[] = [{ name: "ps", bone: `b${random.int(0, count - 1)}`, attachment: "path" }];
  const path = randomPath(random, count, slots[0]);
  const animations: Record<string, any> = {};
  const constraints: any[] = [];
  for (let i = random.int(1, options.constraints ?? 6); i > 0; i--) {
    const type = random.pick(types);
    const constraint = CONSTRAINTS[type]?.(random, bones, constraints.length, options) ?? null;
    if (constraint === null) continue;
    if (options.skins !== false && random.chance(0.1)) constraint.skin = true;
    constraints.push({ type, name: `c${constraints.length}`, ...constraint });
  }
  constraints.forEach((constraint, i) => {
    if (constraint.type !== "slider") return;
    constraint.animation = `slide${i}`;
    animations[constraint.animation] = randomAnimation(random, bones, constraints.slice(i + 1), 0.3);
    if (options.slotKeys === true && random.chance(0.5)) {
      animations[constraint.animation].slots = { ps: { alpha: keys(random, () => ({ value: random.between(0, 1) })) } };
    }
  });
  animations.move = randomAnimation(random, bones, constraints, 0.6);
  const skins: any[] = [{ name: "default", attachments: { ps: { path } } }];
  if (options.skins !== false) {
    skins.push({
      name: "extra",
      bones: bones.filter((bone) => bone.skin === true && random.chance(0.6)).map((bone) => bone.name),
      ...Object.fromEntries(
        TYPES.map((type) => [type, constraints.filter((c) => c.type === type && c.skin === true).map((c) => c.name)]),
      ),
    });
  }
  return { skeleton: { spine: "4.3.13", referenceScale: 100 }, bones, slots, constraints, skins, animations };
}

function randomBone(random: Random, index: number, options: RigOptions): any {
  if (index === 0) return { name: "b0", rotation: random.chance(0.5) ? random.between(-180, 180) : 0, length: 10 };
  const bone: any = {
    name: `b${index}`,
    parent: `b${random.chance(0.6) ? index - 1 : random.int(0, index - 1)}`,
    length: random.chance(0.15) ? 0 : random.between(5, 50),
    x: random.between(-40, 40),
    y: random.chance(0.3) ? 0 : random.between(-40, 40),
    rotation: random.between(-180, 180),
  };
  if (random.chance(0.5)) bone.scaleX = random.between(0.5, 1.5) * (random.chance(0.2) ? -1 : 1);
  if (random.chance(0.5)) bone.scaleY = random.chance(0.4) && bone.scaleX !== undefined ? bone.scaleX : random.between(0.5, 1.5) * (random.chance(0.2) ? -1 : 1);
  if (random.chance(0.2)) bone.shearX = random.between(-25, 25);
  if (random.chance(0.2)) bone.shearY = random.between(-25, 25);
  if (random.chance(0.3)) bone.inherit = random.pick(INHERITS);
  if (options.skins !== false && random.chance(0.06)) bone.skin = true;
  return bone;
}

function randomPath(random: Random, boneCount: number, slot: any): any {
  const curves = random.int(1, 4);
  const closed = random.chance(0.4);
  const vertexCount = (closed ? curves : curves + 1) * 3;
  const points = Array.from({ length: vertexCount }, (_, i) => [20 * i + random.between(-25, 25), random.between(-40, 40)] as const);
  const weighted = random.chance(0.4);
  const slotBone = Number(slot.bone.slice(1));
  const vertices = points.flatMap(([x, y]) => {
    if (!weighted) return [x, y];
    const other = random.int(0, boneCount - 1);
    if (other === slotBone || random.chance(0.4)) return [1, slotBone, x, y, 1];
    const weight = random.between(0.2, 0.8);
    return [2, slotBone, x, y, weight, other, random.between(-40, 40), random.between(-40, 40), 1 - weight];
  });
  let total = 0;
  const lengths = Array.from({ length: vertexCount / 3 }, () => (total += random.between(20, 80)));
  return { type: "path", closed, constantSpeed: random.chance(0.6), vertexCount, vertices, lengths };
}

const mixOf = (random: Random): number =>
  random.chance(0.5) ? 1 : random.chance(0.15) ? 0 : random.between(0, random.chance(0.1) ? 1.5 : 1);

const CONSTRAINTS: Record<string, (random: Random, bones: any[], index: number, options: RigOptions) => any> = {
  ik(random, bones) {
    // A bone with a parent; two bones are a parent and one of its children.
    const first = random.int(1, bones.length - 1);
    const children = bones.filter((bone) => bone.parent === `b${first}`);
    const chain = children.length > 0 && random.chance(0.7) ? [`b${first}`, random.pick(children).name] : [`b${first}`];
    // A target below the chain moves with it; whether it lies before or behind the bone then hangs on a rounding.
    const below = new Set(chain);
    for (const bone of bones) if (below.has(bone.parent)) below.add(bone.name);
    const others = bones.filter((bone) => !below.has(bone.name));
    return {
      bones: chain,
      target: random.pick(others).name,
      mix: mixOf(random),
      softness: chain.length === 2 && random.chance(0.3) ? random.between(0, 30) : 0,
      bendPositive: random.chance(0.5),
      stretch: random.chance(0.3),
      compress: random.chance(0.3),
      scaleY: random.pick(["none", "uniform", "volume"]),
    };
  },

  transform(random, bones) {
    const source = random.pick(bones).name;
    const targets = pickSome(random, bones.map((bone) => bone.name).filter((name) => name !== source), 3);
    const properties: any = {};
    for (const from of pickSome(random, PROPERTIES, 3)) {
      const to: any = {};
      for (const name of random.chance(0.6) ? [from] : pickSome(random, PROPERTIES, 2)) {
        const scales = name.startsWith("scale");
        to[name] = {
          offset: scales ? random.between(0.5, 1.5) : random.between(-20, 20),
          max: scales ? random.between(0.5, 2) : random.between(0, 60),
          scale: random.between(-0.5, 1),
        };
      }
      properties[from] = { offset: from.startsWith("scale") ? 1 : random.between(-20, 20), to };
    }
    return {
      source,
      bones: targets,
      properties,
      localSource: random.chance(0.4),
      localTarget: random.chance(0.4),
      additive: random.chance(0.4),
      clamp: random.chance(0.3),
      rotation: random.chance(0.3) ? random.between(-40, 40) : 0,
      x: random.chance(0.3) ? random.between(-20, 20) : 0,
      y: random.chance(0.3) ? random.between(-20, 20) : 0,
      scaleX: random.chance(0.2) ? random.between(-0.3, 0.3) : 0,
      shearY: random.chance(0.2) ? random.between(-20, 20) : 0,
      mixRotate: mixOf(random), mixX: mixOf(random), mixY: mixOf(random),
      mixScaleX: mixOf(random), mixScaleY: mixOf(random), mixShearY: mixOf(random),
    };
  },

  path(random, bones) {
    const positionMode = random.pick(["fixed", "percent"]);
    const spacingMode = random.pick(["length", "fixed", "percent", "proportional"]);
    return {
      bones: pickSome(random, bones.map((bone) => bone.name), 4),
      slot: "ps",
      positionMode,
      spacingMode,
      rotateMode: random.pick(["tangent", "chain", "chainScale"]),
      rotation: random.chance(0.3) ? random.between(-90, 90) : 0,
      position: positionMode === "percent" ? random.between(-0.2, 1.2) : random.between(-30, 150),
      spacing: spacingMode === "percent" ? random.between(0, 0.4) : spacingMode === "proportional" ? random.between(0.2, 1.5) : random.between(0, 40),
      mixRotate: mixOf(random), mixX: mixOf(random), mixY: mixOf(random),
    };
  },

  physics(random, bones, _index, options) {
    const some = (): number => (random.chance(0.5) ? random.between(0.2, 1) : 0);
    return {
      bone: random.pick(bones).name,
      x: some(), y: some(), rotate: some(), scaleX: random.chance(0.3) ? random.between(0.2, 1) : 0, shearX: random.chance(0.25) ? random.between(0.2, 1) : 0,
      fps: random.pick([60, 60, 30, 144]),
      limit: random.chance(0.3) ? random.between(50, 500) : 5000,
      inertia: random.between(0.2, 0.9), strength: random.between(20, 150), damping: random.between(0.6, 0.95),
      mass: random.between(0.5, 2),
      wind: options.forces !== false && random.chance(0.3) ? random.between(-20, 20) : 0,
      gravity: options.forces !== false && random.chance(0.3) ? random.between(-20, 20) : 0,
      mix: mixOf(random),
      scaleY: random.pick(["none", "uniform", "volume"]),
      windGlobal: random.chance(0.3), mixGlobal: random.chance(0.3),
    };
  },

  slider(random, bones) {
    const slider: any = { additive: random.chance(0.5), loop: random.chance(0.5), mix: mixOf(random) };
    if (random.chance(0.5)) return { ...slider, time: random.between(0, 1.5) };
    const property = random.pick(PROPERTIES);
    return {
      ...slider,
      bone: random.pick(bones).name,
      property,
      from: property.startsWith("scale") ? 1 : random.between(-20, 20),
      to: random.between(-0.3, 0.6),
      scale: property.startsWith("scale") ? random.between(-1, 1) : random.between(-0.03, 0.03),
      local: random.chance(0.5),
    };
  },
};

function pickSome<T>(random: Random, list: readonly T[], most: number): T[] {
  const rest = list.slice();
  const chosen: T[] = [];
  for (let n = random.int(1, Math.min(most, rest.length)); n > 0; n--) chosen.push(...rest.splice(random.int(0, rest.length - 1), 1));
  return chosen;
}

function keys(random: Random, value: () => object): any[] {
  const list: any[] = [];
  let time = random.chance(0.7) ? 0 : random.between(0, 0.3);
  for (let n = random.int(1, 4); n > 0; n--) {
    list.push({ time, ...value(), ...(random.chance(0.15) ? { curve: "stepped" } : {}) });
    time = Math.round((time + random.between(0.1, 0.6)) * 1000) / 1000;
  }
  return list;
}

/** Keys for a share of the bones and constraints. */
function randomAnimation(random: Random, bones: any[], constraints: any[], share: number): any {
  const animation: any = { bones: {} };
  for (const { name } of bones) {
    if (!random.chance(share)) continue;
    const timelines: any = (animation.bones[name] = {});
    if (random.chance(0.7)) timelines.rotate = keys(random, () => ({ value: random.between(-60, 60) }));
    if (random.chance(0.4)) timelines.translate = keys(random, () => ({ x: random.between(-15, 15), y: random.between(-15, 15) }));
    if (random.chance(0.3)) timelines.scale = keys(random, () => ({ x: random.between(0.6, 1.4), y: random.between(0.6, 1.4) }));
    if (random.chance(0.15)) timelines.shear = keys(random, () => ({ x: random.between(-15, 15), y: random.between(-15, 15) }));
    if (random.chance(0.05)) timelines.inherit = keys(random, () => ({ inherit: random.pick(INHERITS) }));
  }
  for (const { type, name } of constraints) {
    if (!random.chance(share * 0.6)) continue;
    const mix = (): number => random.between(0, 1);
    animation[type] ??= {};
    if (type === "ik") animation.ik[name] = keys(random, () => ({ mix: mix(), softness: 0, bendPositive: random.chance(0.5), stretch: random.chance(0.3) }));
    if (type === "transform") animation.transform[name] = keys(random, () => ({ mixRotate: mix(), mixX: mix(), mixY: mix(), mixScaleX: mix(), mixScaleY: mix(), mixShearY: mix() }));
    if (type === "path") animation.path[name] = { mix: keys(random, () => ({ mixRotate: mix(), mixX: mix(), mixY: mix() })) };
    if (type === "physics") animation.physics[name] = { mix: keys(random, () => ({ value: mix() })), strength: keys(random, () => ({ value: random.between(20, 150) })) };
    if (type === "slider") animation.slider[name] = { time: keys(random, () => ({ value: random.between(0, 1.5) })), mix: keys(random, () => ({ value: mix() })) };
  }
  return animation;
}
