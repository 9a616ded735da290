import {
  BONE_COLOR, BOX_COLOR, CLIPPING_COLOR, CURVE_COMPONENTS, PATH_COLOR, POINT_COLOR, SKIN_COLOR, WHITE, deformLength,
  type AnimationDocument, type AttachmentDocument, type ConstraintDocument, type CurveKind, type CurvesDocument, type SkeletonDocument, type SkinDocument,
  type TimelineDocument, type VerticesDocument,
} from "../../../src/spine/load/document.js";

/** Pseudo-random numbers of a seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  int(count: number): number {
    return Math.floor(this.next() * count);
  }

  bool(chance = 0.5): boolean {
    return this.next() < chance;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)]!;
  }

  /** A single-precision number, special ones among them. */
  number(range = 200): number {
    const special = this.int(12);
    if (special === 0) return 0;
    if (special === 1) return 1;
    if (special === 2) return -0;
    if (special === 3) return Math.fround(this.next() * 1e-30);
    return Math.fround((this.next() - 0.5) * range);
  }

  unit(): number {
    return this.bool(0.3) ? this.int(2) : Math.fround(this.next());
  }

  byte(): number {
    return this.bool(0.2) ? (this.bool() ? 0 : 255) : this.int(256);
  }

  color(): number {
    return (this.byte() * 0x1000000 + this.byte() * 0x10000 + this.byte() * 0x100 + this.byte()) >>> 0;
  }

  list<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }

  shuffled<T>(items: readonly T[]): T[] {
    const list = [...items];
    for (let i = list.length - 1; i > 0; i--) {
      const k = this.int(i + 1);
      [list[i], list[k]] = [list[k]!, list[i]!];
    }
    return list;
  }
}

const ODD_NAMES = ["constructor", "__proto__", "ä/ö 〆", "🦴 bone", 'quote " \\', "a:b,c", " padded ", "toString", "ſtraße\tx"];

/** A skeleton document that uses every feature of the model, with values that both formats can hold. */
export function randomSkeleton(seed: number): SkeletonDocument {
  const r = new Random(seed);
  const nonessential = r.bool(0.7);
  let names = 0;
  const name = (kind: string): string => (r.bool(0.15) ? `${r.pick(ODD_NAMES)}${kind}${names++}` : `${kind}${names++}`);
  const boneCount = 1 + r.int(12), slotCount = 1 + r.int(8);
  const document: SkeletonDocument = {
    hasHeader: true, hash: r.bool() ? "AQIDBAUGBwg" : null, version: "4.3.75-beta", x: r.number(), y: r.number(), width: r.number(), height: r.number(),
    referenceScale: r.number(), nonessential, fps: nonessential ? r.number() : 30, imagesPath: nonessential ? r.pick([null, "", "./images/"]) : null,
    audioPath: nonessential ? r.pick([null, "./audio/"]) : null, bones: [], slots: [], constraints: [], skins: [], events: [], animations: [],
  };
  document.bones = r.list(boneCount, (i) => ({
    name: name("bone"), parent: i === 0 ? -1 : r.int(i), length: r.number(), x: r.number(), y: r.number(), rotation: r.number(720), scaleX: r.number(4),
    scaleY: r.number(4), shearX: r.number(), shearY: r.number(), inherit: r.int(5), skinRequired: r.bool(0.2), color: nonessential ? r.color() : BONE_COLOR,
    icon: nonessential && r.bool() ? "icon" : null, iconSize: nonessential ? r.number() : 1, iconRotation: nonessential ? r.number() : 0, visible: !nonessential || r.bool(),
  }));
  document.slots = r.list(slotCount, () => ({
    name: name("slot"), bone: r.int(boneCount), color: r.color(), dark: r.bool() ? r.int(0x1000000) : null, attachment: r.bool() ? name("shown") : null,
    blend: r.int(4), visible: !nonessential || r.bool(),
  }));
  const animationCount = 1 + r.int(4);
  const animationNames = r.list(animationCount, () => name("animation"));
  document.constraints = r.list(r.int(8), () => randomConstraint(r, name, boneCount, slotCount, animationCount, nonessential));
  document.events = r.list(r.int(4), () => {
    const audio = r.bool() ? "boom.ogg" : null;
    return {
      name: name("event"), int: r.pick([0, -3, 300, 0x7fffffff, -0x80000000]), float: r.number(), string: r.pick(["", "left", "🦶"]), audio,
      volume: audio === null ? 1 : r.number(), balance: audio === null ? 0 : r.number(),
    };
  });
  randomSkins(r, document, name);
  document.animations = animationNames.map((text) => randomAnimation(r, document, text, nonessential));
  return document;
}

function randomConstraint(r: Random, name: (kind: string) => string, bones: number, slots: number, animations: number, nonessential: boolean): ConstraintDocument {
  const base = { name: name("constraint"), skinRequired: r.bool(0.2) };
  const someBones = r.list(1 + r.int(2), () => r.int(bones));
  switch (r.int(5)) {
    case 0:
      return { type: "ik", ...base, bones: someBones, target: r.int(bones), mix: r.unit(), softness: r.number(), bendPositive: r.bool(), compress: r.bool(), stretch: r.bool(), scaleY: r.int(3) };
    case 1: {
      const properties = r.shuffled([0, 1, 2, 3, 4, 5]).slice(0, r.int(7)).map((property) => ({
        property, offset: r.number(),
        to: r.shuffled([0, 1, 2, 3, 4, 5]).slice(0, 1 + r.int(3)).map((target) => ({ property: target, offset: r.number(), max: r.number(), scale: r.number() })),
      }));
      const used = [0, 1, 2, 3, 4, 5].map((id) => properties.some((from) => from.to.some((to) => to.property === id)));
      return {
        type: "transform", ...base, bones: someBones, source: r.int(bones), localSource: r.bool(), localTarget: r.bool(), additive: r.bool(), clamp: r.bool(), properties,
        offsets: r.list(6, () => r.number()), mixes: used.map((is) => (is ? r.unit() : 0)),
      };
    }
    case 2:
      return {
        type: "path", ...base, bones: someBones, slot: r.int(slots), positionMode: r.int(2), spacingMode: r.int(4), rotateMode: r.int(3), rotation: r.number(),
        position: r.number(), spacing: r.number(), mixRotate: r.unit(), mixX: r.unit(), mixY: r.unit(),
      };
    case 3: {
      const scaleY = r.int(3);
      return {
        type: "physics", ...base, bone: r.int(bones), x: r.unit(), y: r.unit(), rotate: r.unit(),
        // Both scaleX and its mode lie in one number, which holds only few binary places.
        scaleX: scaleY === 0 ? r.unit() : (1 + r.int(64)) / 64,
        shearX: r.unit(), scaleY, limit: r.number(), fps: 1 + r.int(255), inertia: r.unit(), strength: r.number(), damping: r.unit(),
        massInverse: Math.fround(0.01 + r.next() * 5), wind: r.number(), gravity: r.number(), mix: r.unit(), inertiaGlobal: r.bool(), strengthGlobal: r.bool(),
        dampingGlobal: r.bool(), massGlobal: r.bool(), windGlobal: r.bool(), gravityGlobal: r.bool(), mixGlobal: r.bool(),
      };
    }
    default: {
      const driven = r.bool();
      return {
        type: "slider", ...base, animation: r.int(animations), additive: r.bool(), loop: r.bool(), mix: r.unit(), time: driven ? 0 : r.number(), bone: driven ? r.int(bones) : -1,
        property: driven ? r.int(6) : 0, from: driven ? r.number() : 0, to: driven ? r.number() : 0, scale: driven ? r.number() : 0, max: driven && nonessential ? r.number() : 0,
        local: driven && r.bool(),
      };
    }
  }
}

function randomVertices(r: Random, bones: number, vertexCount: number): VerticesDocument {
  if (r.bool()) return { vertexCount, bones: null, vertices: r.list(vertexCount * 2, () => r.number()) };
  const list: number[] = [], vertices: number[] = [];
  for (let i = 0; i < vertexCount; i++) {
    const count = 1 + r.int(4);
    list.push(count);
    for (let k = 0; k < count; k++) {
      list.push(r.int(bones));
      vertices.push(r.number(), r.number(), r.unit());
    }
  }
  return { vertexCount, bones: list, vertices };
}

function randomSkins(r: Random, document: SkeletonDocument, name: (kind: string) => string): void {
  const bones = document.bones.length, slots = document.slots.length, nonessential = document.nonessential === true;
  const sequence = () => (r.bool(0.3) ? { count: 1 + r.int(5), start: r.int(20), digits: r.int(5), setup: r.int(3) } : null);
  const attachment = (placeholder: string): AttachmentDocument => {
    const own = r.bool(0.3) ? name("own") : placeholder;
    const textured = { name: own, path: r.bool(0.3) ? `folder/${own}` : own, color: r.bool() ? WHITE : r.color(), sequence: sequence() };
    switch (r.int(6)) {
      case 0:
        return { type: "region", ...textured, x: r.number(), y: r.number(), scaleX: r.number(), scaleY: r.number(), rotation: r.number(), width: r.number(), height: r.number() };
      case 1: {
        // More than 127 vertices need counts of two bytes (B06).
        const vertexCount = r.bool(0.2) ? 130 + r.int(20) : 3 + r.int(10);
        const hull = 3 + r.int(vertexCount - 2);
        return {
          type: "mesh", ...textured, ...randomVertices(r, bones, vertexCount), uvs: r.list(vertexCount * 2, () => Math.fround(r.next())),
          triangles: r.list(3 * (2 * vertexCount - hull - 2), () => r.int(vertexCount)), hull, edges: nonessential ? r.list(2, () => r.int(vertexCount) * 2) : null,
          width: nonessential ? r.number() : 0, height: nonessential ? r.number() : 0, timelineSlots: [],
        };
      }
      case 2:
        return { type: "boundingbox", name: own, ...randomVertices(r, bones, r.int(6)), color: nonessential ? r.color() : BOX_COLOR };
      case 3: {
        const knots = 1 + r.int(4);
        return {
          type: "path", name: own, closed: r.bool(), constantSpeed: r.bool(), ...randomVertices(r, bones, knots * 3), lengths: r.list(knots, () => r.number()),
          color: nonessential ? r.color() : PATH_COLOR,
        };
      }
      case 4:
        return { type: "point", name: own, x: r.number(), y: r.number(), rotation: r.number(), color: nonessential ? r.color() : POINT_COLOR };
      default:
        return { type: "clipping", name: own, end: r.int(slots + 1) - 1, convex: r.bool(), inverse: r.bool(), ...randomVertices(r, bones, 3 + r.int(3)), color: nonessential ? r.color() : CLIPPING_COLOR };
    }
  };
  const skinCount = 1 + r.int(3);
  for (let i = 0; i < skinCount; i++) {
    const main = i === 0;
    const skin: SkinDocument = {
      name: main ? "default" : name("skin"), color: main || !nonessential ? SKIN_COLOR : r.color(),
      bones: main ? [] : r.shuffled(document.bones.map((_, b) => b)).slice(0, r.int(3)),
      constraints: [],
      entries: [],
    };
    // A skin's constraints are listed by type in JSON.
    if (!main) {
      for (const type of ["ik", "transform", "path", "physics", "slider"]) {
        document.constraints.forEach((constraint, index) => { if (constraint.type === type && r.bool(0.3)) skin.constraints.push(index); });
      }
    }
    for (let slot = 0; slot < slots; slot++) {
      for (let count = main && slot === 0 ? 1 + r.int(3) : r.int(3); count > 0; count--) {
        const placeholder = name("place");
        skin.entries.push({ slot, placeholder, attachment: attachment(placeholder) });
      }
    }
    document.skins.push(skin);
  }
  const meshes = document.skins.flatMap((skin, index) => skin.entries.filter((entry) => entry.attachment.type === "mesh").map((entry) => ({ skin: index, entry })));
  if (meshes.length === 0) return;
  for (let count = r.int(4); count > 0; count--) {
    const source = r.pick(meshes), placeholder = name("linked");
    r.pick(document.skins).entries.push({
      slot: r.int(slots), placeholder,
      attachment: {
        type: "linkedmesh", name: placeholder, path: placeholder, color: r.color(), sequence: sequence(), width: 0, height: 0, skin: source.skin, slot: source.entry.slot,
        source: source.entry.placeholder, timelines: r.bool(),
      },
    });
  }
}

function times(r: Random): number[] {
  let time = r.bool() ? 0 : Math.fround(r.next());
  return r.list(1 + r.int(5), () => {
    const now = time;
    time = Math.fround(time + 0.01 + r.next());
    return now;
  });
}

function curves(r: Random, at: readonly number[], components: number): CurvesDocument | null {
  const types = at.map((_, i) => (i === at.length - 1 ? 0 : r.int(3)));
  if (types.every((type) => type === 0)) return null;
  const controls: number[] = [];
  types.forEach((type, i) => {
    if (type !== 2) return;
    for (let k = 0; k < components; k++) {
      const span = at[i + 1]! - at[i]!;
      controls.push(Math.fround(at[i]! + r.next() * span), r.number(), Math.fround(at[i]! + r.next() * span), r.number());
    }
  });
  return { types, controls };
}

const COLORS = new Set<CurveKind>(["rgba", "rgb", "rgba2", "rgb2", "alpha"]);

function curve(r: Random, kind: CurveKind, target: number): TimelineDocument {
  const at = times(r), keys: number[] = [];
  for (const time of at) {
    keys.push(time);
    if (kind === "ik") keys.push(r.unit(), r.number(), r.bool() ? 1 : -1, r.int(2), r.int(2));
    else for (let i = 0; i < CURVE_COMPONENTS[kind]; i++) keys.push(COLORS.has(kind) ? r.byte() / 255 : r.number());
  }
  return { kind, target, keys, curves: curves(r, at, CURVE_COMPONENTS[kind]) };
}

function order(r: Random, count: number): number[] | null {
  if (r.bool(0.3) || count < 2) return null;
  const list = r.shuffled(r.list(count, (i) => i));
  return list.every((item, i) => item === i) ? null : list;
}

function randomAnimation(r: Random, document: SkeletonDocument, name: string, nonessential: boolean): AnimationDocument {
  const timelines: TimelineDocument[] = [];
  const some = (kinds: readonly CurveKind[], target: number, chance = 0.25): void => {
    for (const kind of kinds) if (r.bool(chance)) timelines.push(curve(r, kind, target));
  };
  document.slots.forEach((slot, i) => {
    if (r.bool(0.3)) {
      const at = times(r);
      timelines.push({ kind: "attachment", target: i, times: at, names: at.map(() => (r.bool() ? "shown" : null)) });
    }
    some(["rgba", "rgb", "alpha"], i);
    if (slot.dark !== null) some(["rgba2", "rgb2"], i);
  });
  document.bones.forEach((_, i) => {
    some(["rotate", "translate", "translatex", "translatey", "scale", "scalex", "scaley", "shear", "shearx", "sheary"], i, 0.15);
    if (r.bool(0.1)) timelines.push({ kind: "inherit", target: i, keys: times(r).flatMap((time) => [time, r.int(5)]) });
  });
  const each = (type: string, visit: (index: number) => void): void => document.constraints.forEach((constraint, i) => { if (constraint.type === type) visit(i); });
  each("ik", (i) => some(["ik"], i, 0.6));
  each("transform", (i) => some(["transform"], i, 0.6));
  each("path", (i) => some(["pathPosition", "pathSpacing", "pathMix"], i, 0.5));
  const physics = (i: number): void => {
    some(["inertia", "strength", "damping", "mass", "wind", "gravity", "physicsMix"], i, 0.3);
    if (r.bool(0.3)) timelines.push({ kind: "reset", target: i, keys: times(r) });
  };
  physics(-1);
  each("physics", physics);
  each("slider", (i) => some(["sliderTime", "sliderMix"], i, 0.5));
  document.skins.forEach((skin, skinIndex) => {
    for (const { slot, placeholder, attachment } of skin.entries) {
      if ("vertices" in attachment && attachment.vertices.length > 0 && r.bool(0.4)) {
        const at = times(r), length = deformLength(attachment);
        timelines.push({
          kind: "deform", skin: skinIndex, target: slot, placeholder, times: at, curves: curves(r, at, 1),
          frames: at.map(() => {
            if (r.bool(0.3)) return null;
            const offset = r.int(length);
            return { offset, values: r.list(1 + r.int(length - offset), () => r.number()) };
          }),
        });
      }
      if ("sequence" in attachment && attachment.sequence !== null && r.bool()) {
        timelines.push({ kind: "sequence", skin: skinIndex, target: slot, placeholder, keys: times(r).flatMap((time) => [time, r.int(7), r.int(9), Math.fround(r.next())]) });
      }
    }
  });
  if (r.bool()) {
    const at = times(r);
    timelines.push({ kind: "drawOrder", times: at, orders: at.map(() => order(r, document.slots.length)) });
  }
  for (let count = r.int(3); count > 0; count--) {
    const slots = document.slots.map((_, i) => i).filter(() => r.bool());
    const at = times(r);
    timelines.push({ kind: "drawOrderFolder", slots, times: at, orders: at.map(() => order(r, slots.length)) });
  }
  if (document.events.length > 0 && r.bool()) {
    timelines.push({
      kind: "event",
      keys: times(r).map((time) => {
        const event = r.int(document.events.length), setup = document.events[event]!;
        return {
          time, event, int: r.pick([setup.int, 7]), float: r.pick([setup.float, r.number()]), string: r.pick([setup.string, "other"]),
          volume: setup.audio === null ? setup.volume : r.number(), balance: setup.audio === null ? setup.balance : r.number(),
        };
      }),
    });
  }
  return { name, color: nonessential ? r.color() : WHITE, timelines };
}
