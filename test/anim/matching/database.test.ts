import { describe, expect, test } from "vitest";
import { goldenDatabase, matchingGolden } from "./golden.js";

const data = matchingGolden();

describe("golden database", () => {
  const database = goldenDatabase(data);

  test("has the golden frames and layout", () => {
    expect(database.getFrameCount()).toBe(data.frames.length);
    expect(database.getFeatureSize()).toBe(data.featureSize);
    data.frames.forEach((frame, i) => {
      expect(database.getFrameClipIndex(i)).toBe(frame.clip);
      expect(database.getFrameTime(i)).toBeCloseTo(frame.time, 9);
    });
    expect(database.getFeatures().map(({ offset, size, group }) => ({ offset, size, group }))).toEqual(data.layout.map(({ offset, size, group }) => ({ offset, size, group })));
  });

  test("has the golden features, means and deviations", () => {
    const raw = new Float32Array(data.featureSize);
    let worst = 0;
    data.features.forEach((expected, frame) => {
      database.getRawFeature(frame, raw);
      expected.forEach((value, c) => {
        worst = Math.max(worst, Math.abs(raw[c]! - value) / Math.max(1, Math.abs(value)));
        if (!(Math.abs(raw[c]! - value) <= data.tolerance.feature * Math.max(1, Math.abs(value)))) expect.fail(`frame ${frame}, channel ${c}: ${raw[c]}, expected ${value}`);
      });
    });
    for (let c = 0; c < data.featureSize; c++) {
      expect(Math.abs(database.getFeatureMean(c) - data.mean[c]!), `mean ${c}`).toBeLessThan(data.tolerance.feature);
      expect(Math.abs(database.getFeatureStd(c) - data.std[c]!), `std ${c}`).toBeLessThan(data.tolerance.feature);
      const inverse = database.getFeatureInverseStd(c);
      expect(inverse === 0, `inverse ${c}`).toBe(data.invStd[c] === 0);
      expect(Math.abs(inverse - data.invStd[c]!)).toBeLessThan(1e-4 * Math.max(1, data.invStd[c]!));
    }
  });
});
