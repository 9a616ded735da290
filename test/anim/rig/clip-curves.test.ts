import { expect, test } from "vitest";
import { AnimArgumentError, AnimIndexError } from "../../../src/anim/errors.js";
import { AnimClip } from "../../../src/anim/rig/clip.js";

test("a curve is linear between its keys and held outside of them", () => {
  const clip = new AnimClip();
  clip.setLoop(false);
  expect(clip.addCurve("contact")).toBe(0);
  clip.addCurveKey("contact", 0.5, 2);
  clip.addCurveKey("contact", 1, 4);
  clip.setDuration(2);
  expect([0, 0.5, 0.75, 1, 2, 9].map((t) => clip.sampleCurve("contact", t))).toEqual([2, 2, 3, 4, 4, 4]);
  expect(clip.sampleCurve("none", 0)).toBe(0);
});

test("keys stay sorted, and of two at one time the later holds from then on", () => {
  const clip = new AnimClip();
  clip.addCurve("flag");
  clip.addCurveKey("flag", 1, 0);
  clip.addCurveKey("flag", 1, 1);
  expect(clip.addCurveKey("flag", 0, 0)).toBe(0);
  expect(clip.getDuration()).toBe(1);
  clip.setLoop(false);
  expect(clip.sampleCurve("flag", 0.999)).toBe(0);
  expect(clip.sampleCurve("flag", 1)).toBe(1);
  expect([0, 1, 2].map((k) => clip.getCurveKeyTime(0, k))).toEqual([0, 1, 1]);
});

test("a copy has its own curves", () => {
  const clip = new AnimClip();
  clip.addCurve("a");
  clip.addCurveKey("a", 0, 1);
  const copy = clip.clone();
  copy.addCurveKey("a", 1, 5);
  expect([clip.getCurveKeyCount(0), copy.getCurveKeyCount(0)]).toEqual([1, 2]);
});

test("curves that do not exist, empty names and numbers that are none are errors", () => {
  const clip = new AnimClip();
  expect(() => clip.addCurve("")).toThrow(AnimArgumentError);
  expect(() => clip.addCurveKey("x", 0, 0)).toThrow(AnimArgumentError);
  clip.addCurve("x");
  expect(() => clip.addCurveKey("x", -1, 0)).toThrow(AnimArgumentError);
  expect(() => clip.addCurveKey("x", 0, NaN)).toThrow(AnimArgumentError);
  expect(() => clip.getCurveName(1)).toThrow(AnimIndexError);
  expect(() => clip.getCurveKeyTime(0, 0)).toThrow(AnimIndexError);
});
