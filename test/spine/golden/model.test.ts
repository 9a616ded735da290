import { describe, expect, it } from "vitest";
import { casesOf, replay } from "./replay.js";

// Numbers of the reference runtime for small skeletons: everything but the maths of constraints.
for (const group of ["skins", "mesh", "atlas", "skeleton", "clip", "bounds", "render"]) {
  describe(`golden group ${group}`, () => {
    for (const testCase of casesOf(group)) {
      it(`${testCase.id}: ${testCase.about}`, () => {
        expect(replay(testCase)).toEqual([]);
      });
    }
  });
}
