import { describe, expect, it } from "vitest";
import { casesOf, replay } from "../golden/replay.js";

// Numbers of the reference runtime for small skeletons: bones, constraints and the order of updates.
for (const group of ["inherit", "order", "ik1", "ik2", "transform", "path", "physics", "slider", "mixed"]) {
  describe(`golden group ${group}`, () => {
    for (const testCase of casesOf(group)) {
      it(`${testCase.id}: ${testCase.about}`, () => {
        expect(replay(testCase)).toEqual([]);
      });
    }
  });
}
