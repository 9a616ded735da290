import { describe, expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { ArgumentError, FormatError, RangeMismatchError } from "../../src/errors.js";
import { Animation, AnimationState, AnimationStateData, Interpolation, Physics, Skeleton, Skin } from "../../src/spine/index.js";
import { seal } from "../../src/crowd/seal.js";
import { SEAL_WORD } from "../../src/crowd/snapshot.js";
import { distance } from "./distance.js";
import { builtIn, randoms, rigs } from "./rigs.js";

function rowOf(crowd: Crowd, id: number): Float32Array {
  const length = crowd.boneCount * 6;
  const start = crowd.row(id) * length;
  return crowd.palette.slice(start, start + length);
}

/** Largest difference between a palette row and a skeleton. */
function jump(row: Float32Array, skeleton: Skeleton): number {
  let worst = 0;
  skeleton.bones.forEach(({ appliedPose, active }, i) => {
    const { a, b, c, d, worldX, worldY } = appliedPose;
    (active ? [a, b, c, d, worldX, worldY] : []).forEach((value, k) => (worst = Math.max(worst, Math.abs(value - row[i * 6 + k]!))));
  });
  return worst;
}

describe.each(rigs("promotion of characters of real exports"))("a promoted character of $name", ({ data: load }) => {
  test("looks as before, goes on as before, and comes back without a jump", { timeout: 120_000 }, () => {
    const data = load();
    const names = data.animations.map((animation) => animation.name);
    const random = randoms(17);
    const crowd = new Crowd(data);
    for (let round = 0; round < 12; round++) {
      const id = crowd.spawn({ animation: names[round % names.length]!, time: random() * 2, x: 20 });
      const twin = crowd.spawn({ animation: names[round % names.length]!, time: 0, x: 20 });
      crowd.despawn(twin);
      for (let frame = 0; frame < 5; frame++) crowd.update(1 / 60);
      if (round % 2 === 0) {
        crowd.play(id, names[(round * 5 + 1) % names.length]!, { mix: 0.3 });
        for (let frame = 0; frame < 4; frame++) crowd.update(1 / 60);
      }
      const before = rowOf(crowd, id);
      const promoted = crowd.promote(id);
      expect(jump(before, promoted.skeleton), `promoted, round ${round}`).toBeLessThan(0.05);
      for (let frame = 0; frame < 5; frame++) {
        promoted.state.update(1 / 60);
        promoted.state.apply(promoted.skeleton);
        promoted.skeleton.update(1 / 60);
        promoted.skeleton.updateWorldTransform(Physics.update);
        crowd.update(1 / 60);
      }
      crowd.demote(id, promoted);
      crowd.update(0);
      expect(jump(rowOf(crowd, id), promoted.skeleton), `demoted, round ${round}`).toBeLessThan(0.05);
      // And both go on alike.
      for (let frame = 0; frame < 5; frame++) {
        promoted.state.update(1 / 60);
        promoted.state.apply(promoted.skeleton);
        promoted.skeleton.update(1 / 60);
        promoted.skeleton.updateWorldTransform(Physics.update);
        crowd.update(1 / 60);
      }
      expect(distance(crowd, id, promoted.skeleton), `afterwards, round ${round}`).toBeLessThan(1e-3);
      promoted.skeleton.dispose();
      crowd.despawn(id);
    }
    crowd.dispose();
  });
});

describe("a promoted character", () => {
  const data = builtIn();
  const step = ({ skeleton, state }: { skeleton: Skeleton; state: AnimationState }, dt: number): void => {
    state.update(dt);
    state.apply(skeleton);
    skeleton.update(dt);
    skeleton.updateWorldTransform(Physics.update);
  };

  test("a promoted character rests in the crowd: nothing is told twice, and what was queued goes on with the state, and comes back", () => {
    const random = randoms(8);
    for (let round = 0; round < 12; round++) {
      const crowd = new Crowd(data);
      const twin = new Crowd(data);
      const [id, other] = [crowd, twin].map((one) => {
        const who = one.spawn({ animation: "walk", time: round * 0.2 });
        one.update(0.1);
        one.queue(who, "jump", { loop: false, mix: 0.1, speed: 1.5 });
        one.queue(who, "run", { mix: 0.1, time: 0.2 });
        one.queue(who, "idle", { mix: 0.1, delay: 0.7 });
        return who;
      }) as [number, number];
      let told = 0;
      crowd.listener = { event: () => told++, complete: () => told++ };
      const promoted = crowd.promote(id);
      const frames = Math.floor(random() * 100);
      for (let frame = 0; frame < frames; frame++) {
        const dt = random() * 0.03;
        step(promoted, dt);
        crowd.update(dt);
        twin.update(dt);
        expect(jump(rowOf(twin, other), promoted.skeleton), `round ${round}, frame ${frame}`).toBeLessThan(1e-3);
      }
      expect(told).toBe(0);
      crowd.demote(id, promoted);
      for (let frame = 0; frame < 150; frame++) {
        const dt = random() * 0.03;
        crowd.update(dt);
        twin.update(dt);
        let worst = 0;
        const expected = rowOf(twin, other);
        rowOf(crowd, id).forEach((value, i) => (worst = Math.max(worst, Math.abs(value - expected[i]!))));
        expect(worst, `round ${round}, back for ${frame} frames`).toBeLessThan(1e-2);
      }
      promoted.skeleton.dispose();
      crowd.dispose();
      twin.dispose();
    }
  });

  test("a promoted character comes back without a jump from a fade to the setup pose, from a fade of another curve, and with an overlay alone", () => {
    const endings: [string, (state: AnimationState) => void][] = [
      ["empty", (state) => void state.setEmptyAnimation(0, 0.4)],
      ["empty during a fade", (state) => {
        state.setAnimation(0, "jump", true).mixDuration = 0.3;
        state.update(0.05);
        state.apply(new Skeleton(data));
        state.setEmptyAnimation(0, 0.4);
      }],
      ["smooth", (state) => {
        const entry = state.setAnimation(0, "jump", true);
        entry.mixDuration = 0.4;
        entry.mixInterpolation = Interpolation.smooth;
      }],
      ["overlay alone", (state) => {
        state.clearTrack(0);
        state.setAnimation(1, "wave", true);
      }],
      ["slow motion", (state) => void (state.timeScale = 0.25)],
    ];
    for (const [name, end] of endings) {
      const crowd = new Crowd(data);
      const id = crowd.spawn({ animation: "run", x: 30 });
      crowd.update(0.3);
      const promoted = crowd.promote(id);
      end(promoted.state);
      if (name === "overlay alone") promoted.skeleton.setupPose();
      for (let frame = 0; frame < 10; frame++) step(promoted, 1 / 60);
      crowd.demote(id, promoted);
      crowd.update(0);
      expect(jump(rowOf(crowd, id), promoted.skeleton), name).toBeLessThan(0.05);
      for (let frame = 0; frame < 40; frame++) {
        step(promoted, 1 / 60);
        crowd.update(1 / 60);
        // A frozen pose goes its own way, and arrives at the same.
        if (name === "empty during a fade" || name === "smooth") continue;
        expect(jump(rowOf(crowd, id), promoted.skeleton), `${name}, frame ${frame}`).toBeLessThan(0.05);
      }
      for (let frame = 0; frame < 400; frame++) {
        step(promoted, 1 / 60);
        crowd.update(1 / 60);
      }
      expect(jump(rowOf(crowd, id), promoted.skeleton), `${name}, in the end`).toBeLessThan(0.5);
      // And can be promoted again.
      const again = crowd.promote(id);
      expect(jump(rowOf(crowd, id).map((_, i) => i), again.skeleton)).toBeGreaterThan(0);
      again.skeleton.dispose();
      promoted.skeleton.dispose();
      crowd.dispose();
    }
  });

  test("a promoted character is not taken back with what a character cannot play, and then nothing has changed", () => {
    const crowd = new Crowd(data);
    const id = crowd.spawn({ animation: "run", x: 7 });
    const strange = { skeleton: new Skeleton(builtIn()), state: new AnimationState(new AnimationStateData(data)) };
    expect(() => crowd.demote(id, strange)).toThrow(/of other data/);
    const spoils: ((state: AnimationState, skeleton: Skeleton) => void)[] = [
      (state) => void state.setAnimation(0, new Animation("run", [], 1), true),
      (state) => void state.setAnimation(0, builtIn().findAnimation("run")!, true),
      (state) => (state.setAnimation(0, "run", true).reverse = true),
      (state) => (state.setAnimation(0, "run", true).timeScale = -1),
      (state) => (state.setAnimation(0, "run", true).animationStart = 0.1),
      (state) => (state.setAnimation(0, "run", true).additive = true),
      (state) => (state.setAnimation(0, "run", true).alpha = 0.5),
      (state) => (state.setAnimation(1, "wave", true).reverse = true),
    ];
    for (const spoil of spoils) {
      const promoted = crowd.promote(id);
      spoil(promoted.state, promoted.skeleton);
      expect(() => crowd.demote(id, promoted), String(spoil)).toThrow(ArgumentError);
      promoted.state.clearTracks();
      promoted.state.setAnimation(0, "run", true);
      promoted.state.apply(promoted.skeleton);
      crowd.demote(id, promoted);
      promoted.skeleton.dispose();
      expect(() => crowd.demote(id, promoted)).toThrow(RangeMismatchError);
      crowd.update(0.1);
      expect(rowOf(crowd, id).every(Number.isFinite)).toBe(true);
      expect(rowOf(crowd, id)[4]).toBeGreaterThan(0);
    }
    strange.skeleton.dispose();
    crowd.dispose();
  });
});

test("an overlay needs no clip below it, as a second track needs no first", () => {
  const data = builtIn();
  const crowd = new Crowd(data, { slots: true });
  const id = crowd.spawn();
  const skeleton = new Skeleton(data);
  skeleton.setupPose();
  const state = new AnimationState(new AnimationStateData(data));
  crowd.playOverlay(id, "wave", { alpha: 0.7 });
  state.setAnimation(1, "wave", true).alpha = 0.7;
  const told: string[] = [];
  crowd.listener = { complete: (_id, { name }) => told.push(name) };
  for (let frame = 0; frame < 200; frame++) {
    if (frame === 50) {
      crowd.play(id, "walk", { mix: 0.2 });
      state.setAnimation(0, "walk", true).mixDuration = 0.2;
    }
    crowd.update(1 / 60);
    state.update(1 / 60);
    state.apply(skeleton);
    skeleton.update(1 / 60);
    skeleton.updateWorldTransform(Physics.update);
    expect(distance(crowd, id, skeleton), `frame ${frame}`).toBeLessThan(1e-3);
  }
  expect(new Set(told)).toEqual(new Set(["walk", "wave"]));
  skeleton.dispose();
  crowd.dispose();
});

describe("a snapshot", () => {
  const build = (): Crowd => {
    const data = builtIn();
    const names = data.animations.map((animation) => animation.name);
    const crowd = new Crowd(data, { capacity: 8, slots: true });
    for (let i = 0; i < 30; i++) crowd.spawn({ animation: names[i % names.length]!, time: i / 10, skin: data.skins[i % data.skins.length]!.name });
    return crowd;
  };
  const step = (crowd: Crowd, frame: number): void => {
    const names = crowd.data.animations.map((animation) => animation.name);
    const id = crowd.idAt(frame % crowd.count);
    if (frame % 3 === 0) crowd.play(id, names[frame % names.length]!, { mix: 0.2 });
    if (frame % 4 === 0) crowd.queue(id, names[(frame + 1) % names.length]!, { mix: 0.1, delay: 0.05 });
    if (frame % 5 === 0) crowd.playOverlay(id, names[(frame + 2) % names.length]!, { alpha: 0.5, mix: 0.1 });
    if (frame % 7 === 0) crowd.despawn(id);
    crowd.update(1 / 60);
  };

  test("restored, goes on bit for bit as the crowd did", () => {
    const crowd = build();
    for (let frame = 0; frame < 30; frame++) step(crowd, frame);
    const snapshot = crowd.snapshot();
    const run = (): { palettes: Float32Array[]; ids: number[] } => {
      const palettes: Float32Array[] = [];
      for (let frame = 30; frame < 60; frame++) {
        step(crowd, frame);
        palettes.push(crowd.palette.slice());
      }
      return { palettes, ids: Array.from({ length: crowd.count }, (_, row) => crowd.idAt(row)) };
    };
    const first = run();
    crowd.restore(snapshot);
    expect(run()).toEqual(first);
    // A crowd that never saw the characters before restores them, too.
    const other = new Crowd(crowd.data, { capacity: 1, slots: true });
    other.restore(snapshot);
    other.update(1 / 60);
    crowd.restore(snapshot);
    crowd.update(1 / 60);
    expect(other.palette).toEqual(crowd.palette);
    expect(other.slots).toEqual(crowd.slots);
    crowd.dispose();
    other.dispose();
  });

  test("that is damaged, truncated or of another kind is a FormatError and changes nothing", () => {
    const crowd = build();
    for (let frame = 0; frame < 10; frame++) step(crowd, frame);
    const snapshot = crowd.snapshot();
    const before = crowd.palette.slice();
    expect(() => crowd.restore(snapshot.slice(0, snapshot.byteLength - 8))).toThrow(FormatError);
    expect(() => crowd.restore(new ArrayBuffer(10))).toThrow(FormatError);
    expect(() => crowd.restore(new Uint8Array(500).fill(7).buffer)).toThrow(FormatError);
    const random = randoms(1);
    for (let i = 0; i < 300; i++) {
      const bytes = new Uint8Array(snapshot.slice(0));
      bytes[Math.floor(random() * 400)] = Math.floor(random() * 256);
      try {
        crowd.restore(seal(bytes.buffer, SEAL_WORD));
        crowd.restore(snapshot);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
    crowd.restore(snapshot);
    expect(crowd.palette).toEqual(before);
    expect(() => new Crowd(crowd.data).restore(snapshot)).toThrow(FormatError);
    crowd.dispose();
  });
});

describe("the bytes of a snapshot", () => {
  test("a snapshot travels as a clone, as a view, as Base64 in JSON, and to a crowd that knows the skins that a program made", () => {
    const data = builtIn();
    const names = data.animations.map(({ name }) => name);
    const mixed = ["ember", "frost"].map((name) => {
      // The second has the name of a skin of the data.
      const skin = new Skin(name === "ember" ? "mixed" : "ember");
      skin.addSkin(data.findSkin(name)!);
      return skin;
    });
    const make = (): Crowd => {
      const crowd = new Crowd(data, { slots: true, capacity: 2 });
      for (let i = 0; i < 9; i++) crowd.spawn({ animation: names[i % names.length]!, skin: [null, "ember", ...mixed][i % 4]! });
      return crowd;
    };
    const crowd = make();
    crowd.update(0.2);
    crowd.play(crowd.idAt(3), "jump", { mix: 0.3 });
    crowd.queue(crowd.idAt(4), "run", { mix: 0.1 });
    crowd.update(0.1);
    const bytes = crowd.snapshot();
    for (let frame = 0; frame < 30; frame++) crowd.update(1 / 60);
    const expected = { palette: crowd.palette.slice(), slots: crowd.slots.slice() };
    const padded = new Uint8Array(bytes.byteLength + 13);
    padded.set(new Uint8Array(bytes), 5);
    const text = JSON.stringify({ saved: Buffer.from(bytes).toString("base64") });
    const forms: [string, ArrayBuffer | ArrayBufferView][] = [
      ["clone", structuredClone(bytes)],
      ["transferred", structuredClone(bytes.slice(0), { transfer: [] })],
      ["view", padded.subarray(5, 5 + bytes.byteLength)],
      ["data view", new DataView(padded.buffer, 5, bytes.byteLength)],
      ["JSON", Buffer.from((JSON.parse(text) as { saved: string }).saved, "base64")],
    ];
    for (const [name, form] of forms) {
      for (const one of [crowd, make()]) {
        one.restore(form);
        for (let frame = 0; frame < 30; frame++) one.update(1 / 60);
        expect([...one.palette], name).toEqual([...expected.palette]);
        expect([...one.slots], name).toEqual([...expected.slots]);
        if (one !== crowd) one.dispose();
      }
    }
    const stranger = new Crowd(data, { slots: true });
    expect(() => stranger.restore(bytes)).toThrow(/skin "mixed" that a program made/);
    expect(stranger.count).toBe(0);
    stranger.dispose();
    crowd.dispose();
  });

  test("and wherever a byte of it was changed, it is refused; so are senseless ones that are whole, or characters go on without harm", () => {
    const data = builtIn();
    const names = data.animations.map(({ name }) => name);
    const crowd = new Crowd(data, { slots: true, capacity: 4 });
    for (let i = 0; i < 5; i++) crowd.spawn({ animation: names[i]! });
    crowd.update(0.1);
    crowd.play(crowd.idAt(0), "run", { mix: 0.5 });
    crowd.update(0.1);
    crowd.play(crowd.idAt(0), "walk", { mix: 0.5 });
    crowd.playOverlay(crowd.idAt(1), "wave", { mix: 1 });
    crowd.queue(crowd.idAt(2), "jump", { mix: 0.2 });
    crowd.setUpdateRate(crowd.idAt(3), 20, "interpolate");
    crowd.update(0.01);
    const good = new Uint8Array(crowd.snapshot());
    const json = new Uint32Array(good.buffer)[8]!;
    const body = (48 + json + 7) & ~7;
    const random = randoms(6);
    let accepted = 0;
    for (let i = 0; i < 900; i++) {
      const bytes = good.slice();
      const at = i % 3 === 0 ? Math.floor(random() * body) : i % 3 === 1 ? body + Math.floor(random() * 224) : Math.floor(random() * bytes.length);
      bytes[at] = [0, 255, 127, 128, Math.floor(random() * 256)][Math.floor(random() * 5)]!;
      if (bytes[at] === good[at]) continue;
      expect(() => crowd.restore(bytes), `byte ${at}`).toThrow(FormatError);
      try {
        crowd.restore(seal(bytes.buffer, SEAL_WORD));
        accepted++;
      } catch (error) {
        expect(error, `byte ${at}`).toBeInstanceOf(FormatError);
        continue;
      }
      for (let frame = 0; frame < 3; frame++) crowd.update(1 / 30);
      for (let row = 0; row < crowd.count; row++) crowd.bounds(crowd.idAt(row));
    }
    expect(accepted).toBeGreaterThan(300);
    crowd.restore(good);
    expect(new Uint8Array(crowd.snapshot())).toEqual(good);
    crowd.dispose();
  });
});

describe("bounds and hits", () => {
  test("equal those of a skeleton in the same pose", () => {
    const data = builtIn();
    const crowd = new Crowd(data, { slots: true });
    const ids = Array.from({ length: 6 }, (_, i) => crowd.spawn({ animation: data.animations[1]!.name, time: i / 7, x: i * 400 }));
    crowd.update(1 / 60);
    for (const id of ids) {
      const box = crowd.bounds(id);
      const promoted = crowd.promote(id);
      const expected = promoted.skeleton.getBoundsRect();
      for (const key of ["x", "y", "width", "height"] as const) expect(Math.abs(box[key] - expected[key])).toBeLessThan(0.01);
      crowd.demote(id, promoted);
      promoted.skeleton.dispose();
    }
    crowd.update(0);
    const box = crowd.bounds(ids[2]!);
    expect(crowd.hitTest(box.x + box.width / 2, box.y + box.height / 2)).toContain(ids[2]);
    expect(crowd.hitTest(box.x - 5000, box.y)).toEqual([]);
    crowd.dispose();
  });

  test("of a disposed crowd are an error", () => {
    const crowd = new Crowd(builtIn());
    const id = crowd.spawn();
    crowd.update(0);
    expect(crowd.bounds(id).width).toBeGreaterThan(0);
    crowd.dispose();
    expect(() => crowd.bounds(id)).toThrowError(/dispose/);
  });
});
