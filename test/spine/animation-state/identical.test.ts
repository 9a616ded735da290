import { describe, expect, it } from "vitest";
import { Animation } from "../../../src/spine/animation.js";
import { AnimationState, AnimationStateData } from "../../../src/spine/animation-state/index.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { loadWithoutAtlas, readPath, type Value } from "../paths.js";
import { ALL_PATHS, randomRig } from "./random.js";
import fc, { runs } from "../../properties.js";

describe("mixing", () => {
  it("of identical poses changes nothing, at any alpha and depth", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, mixes, alpha) => {
          const { json, animations } = randomRig(seed);
          const data = loadWithoutAtlas(json);
          // One timeline per property: two would pull it to two values, one after the other.
          const ids = new Set<unknown>();
          const timelines = data.findAnimation(animations[0]!)!.timelines.filter(({ propertyIds }) => {
            const isFree = propertyIds.every((id) => !ids.has(id));
            for (const id of propertyIds) ids.add(id);
            return isFree;
          });
          const source = new Animation("source", timelines);
          // Several animations with the same keys, so that every mix is one of its own.
          const same = Array.from({ length: mixes.length + 1 }, (_, i) => new Animation(`same${i}`, source.timelines));
          const read = (skeleton: Skeleton): Value[] => ALL_PATHS.map((path) => readPath(skeleton, path));
          const alone = new Skeleton(data);
          alone.setupPose();
          const plain = new AnimationState(new AnimationStateData(data));
          plain.setAnimation(0, source, false).trackTime = 0.7;
          plain.apply(alone);
          const mixed = new Skeleton(data);
          mixed.setupPose();
          const state = new AnimationState(new AnimationStateData(data));
          state.setAnimation(0, same[0]!, false).trackTime = 0.7;
          state.apply(mixed);
          mixes.forEach((mix, i) => {
            const entry = state.setAnimation(0, same[i + 1]!, false);
            entry.trackTime = 0.7;
            entry.mixDuration = 1;
            entry.mixTime = mix;
            entry.mixAttachmentThreshold = entry.mixDrawOrderThreshold = 2;
            state.apply(mixed);
          });
          // A layer of the same pose on top.
          const layer = state.setAnimation(1, source, false);
          layer.trackTime = 0.7;
          layer.alpha = alpha;
          state.apply(mixed);
          state.apply(mixed);
          const wanted = read(alone);
          read(mixed).forEach((value, i) => {
            // Masses are kept inverted: mixing them divides twice. Attachments below their threshold and draw orders are instant.
            if (/massInverse/.test(ALL_PATHS[i]!)) expect(value).toBeCloseTo(wanted[i] as number, 5);
            else if (!/attachment|drawOrder|sequence|deform/.test(ALL_PATHS[i]!)) expect(value, ALL_PATHS[i]).toEqual(wanted[i]);
          });
          for (const thing of [plain, state, alone, mixed]) thing.dispose();
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
