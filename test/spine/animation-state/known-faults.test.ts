/* Faults that other runtimes had; each with its smallest case and the right answer. The labels are those of our list of faults. */
import { afterEach, describe, expect, it } from "vitest";
import { AnimationState, AnimationStateData } from "../../../src/spine/animation-state/index.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { loadWithoutAtlas } from "../paths.js";
import { noting, type Player, player as makePlayer, RIG } from "./rig.js";

const players: Player[] = [];

function player(mix?: number): Player {
  const made = makePlayer({}, mix);
  players.push(made);
  return made;
}

afterEach(() => {
  for (const made of players.splice(0)) made.dispose();
});

/** The rig with other setup attachments and animations. */
function rigWith(slotAttachment: string | undefined, animations: object): { state: AnimationState; skeleton: Skeleton; frame(delta: number): void; shown(): string | null; deform(): number[] } {
  const slots = RIG.slots.map((slot) => (slot.name === "skin" ? { ...slot, ...(slotAttachment === undefined ? {} : { attachment: slotAttachment }) } : slot));
  const data = loadWithoutAtlas({ ...RIG, slots, animations });
  const state = new AnimationState(new AnimationStateData(data));
  const skeleton = new Skeleton(data);
  skeleton.setupPose();
  const { pose } = skeleton.findSlot("skin")!;
  return {
    state, skeleton,
    frame: (delta) => {
      state.update(delta);
      state.apply(skeleton);
    },
    shown: () => pose.attachment?.name ?? null,
    deform: () => Array.from(pose.deform as ArrayLike<number>),
  };
}

const show = (name: string | null, vertex?: number): object => ({
  slots: { skin: { attachment: [{ name }] } },
  ...(vertex === undefined ? {} : { attachments: { default: { skin: { mesh: { deform: [{ vertices: Array.from({ length: 6 }, () => vertex) }] } } } } }),
});

describe("known faults", () => {
  it("B07: three loops in one step give one complete, and a looping animation without length never gives NaN", () => {
    const { state, log, frame, rotation } = player();
    const entry = state.setAnimation(0, "flash", true);
    frame(0.35);
    expect(log.filter((line) => line.startsWith("complete"))).toEqual(["complete flash"]);
    state.setAnimation(0, "forty", true);
    for (let i = 0; i < 3; i++) frame(0.1);
    expect(Number.isNaN(entry.trackTime)).toBe(false);
    expect(rotation()).toBe(50);
  });

  it("B08: keys at the end fire once and take part in the mix although the next entry starts in the same update", () => {
    const { state, log, frame } = player(0.5);
    state.setAnimation(0, "sweep");
    frame(0.99);
    state.addAnimation(0, "steps", false, 1);
    frame(0.5);
    frame(0.01);
    frame(0.1);
    expect(log.filter((line) => line === "event last")).toEqual(["event last"]);
  });

  it("B09: a listener may set the same animation on complete, which starts it once each time", () => {
    const { state, log, frame } = player();
    state.addListener({ complete: () => void state.setAnimation(0, "beat") });
    state.setAnimation(0, "beat");
    frame(0);
    frame(1);
    expect(log.filter((line) => line === "start beat").length).toBe(2);
    frame(0);
    frame(0.5);
    expect(log.filter((line) => line === "start beat").length).toBe(2);
    const own: string[] = [];
    state.getCurrent(0)!.listener = noting(own);
    state.clearTrack(0);
    expect(own).toEqual(["end beat", "dispose beat"]);
  });

  it("B10: mixing between animations that show one mesh and deform it is continuous, whatever setup shows", () => {
    const { state, frame, shown, deform } = rigWith(undefined, { a: show("mesh", 4), b: show("mesh", -4) });
    state.setAnimation(0, "a").mixAttachmentThreshold = 1;
    frame(0);
    const first = deform()[0]!;
    state.setAnimation(0, "b").mixDuration = 0.2;
    let before = first;
    for (let i = 0; i < 13; i++) {
      frame(1 / 60);
      expect(shown()).toBe("mesh");
      expect(Math.abs(deform()[0]! - before)).toBeLessThan(1);
      before = deform()[0]!;
    }
    expect(before).toBeCloseTo(first - 8, 5);
  });

  it("B10: after two animations that hide a slot and one that does not key it, the setup attachment is shown", () => {
    const { state, frame, shown } = rigWith("mesh", { a: show(null), b: show(null), c: {} });
    for (const name of ["a", "b", "c"]) {
      state.setAnimation(0, name).mixDuration = 0.2;
      for (let i = 0; i < 15; i++) {
        frame(1 / 60);
        if (name === "a") expect(shown()).toBe(null);
      }
    }
    expect(shown()).toBe("mesh");
  });

  it("B10: mixing out an upper track shows what the lower track keys, never the setup attachment", () => {
    const { state, frame, shown } = rigWith("mesh", { low: show("other"), high: show("mesh") });
    state.setAnimation(0, "low");
    state.setAnimation(1, "high");
    frame(0);
    expect(shown()).toBe("mesh");
    state.setEmptyAnimation(1, 0.2);
    for (let i = 0; i < 15; i++) {
      frame(1 / 60);
      expect(shown()).toBe("other");
    }
  });

  it("B11: three overlapping mixes of one value on an upper track never leave it", () => {
    const { state, frame, rotation } = player(0.5);
    state.setAnimation(0, "forty", true);
    state.setAnimation(1, "forty");
    state.addAnimation(1, "flash", false, 0.1).mixDuration = 0.5;
    state.addAnimation(1, "forty", false, 0.35).mixDuration = 0.5;
    for (let i = 0; i < 90; i++) {
      frame(1 / 60);
      // "flash" keys 50, "forty" 40, over a setup of 10.
      expect(rotation()).toBeGreaterThanOrEqual(50 - 1e-4);
      expect(rotation()).toBeLessThanOrEqual(60 + 1e-4);
    }
    expect(rotation()).toBeCloseTo(50, 4);
  });

  it("B12: an inherit key goes back to setup as soon as its animation is mixed out", () => {
    const { state, frame, skeleton } = player();
    state.setAnimation(0, "inherit");
    frame(0);
    state.setEmptyAnimation(0, 0.2);
    frame(1 / 60);
    expect(skeleton.findBone("arm")!.pose.inherit).toBe(0);
  });

  it("B13: a mix duration set after addAnimation moves the delay, and complete comes once per end that is crossed", () => {
    const { state, log, frame } = player();
    state.setAnimation(0, "beat");
    const entry = state.addAnimation(0, "other", false, 0);
    entry.setMixDuration(0.25, 0);
    expect(entry.delay).toBe(0.75);
    state.clearTracks();
    log.length = 0;
    const window = state.setAnimation(0, "beat", true);
    window.animationStart = 0.25;
    window.animationEnd = 0.75;
    for (let i = 0; i < 16; i++) frame(0.125);
    expect(log.filter((line) => line === "complete beat").length).toBe(4);
  });

  it("B19: a draw order folder never moves a slot outside it", () => {
    const { state, frame, skeleton } = player();
    const order = (): string => skeleton.drawOrder.pose.map((slot) => slot.data.name).join(" ");
    state.setAnimation(0, "folder");
    frame(0.5);
    expect(order()).toBe("skin hand foot");
    frame(0.5);
    expect(order()).toBe("hand skin foot");
    state.setEmptyAnimation(0, 0.1);
    frame(0.05);
    expect(order()).toBe("hand skin foot");
  });
});
