import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesOfText } from "../../src/wasm/byte-text.js";
import { FLAT_WASM } from "../../src/wasm/generated/flat.js";
import { MATCHING_WASM } from "../../src/wasm/generated/matching.js";
import { MOTION_WASM } from "../../src/wasm/generated/motion.js";
import { RIG2D_WASM } from "../../src/wasm/generated/rig2d.js";
import { RIG3D_WASM } from "../../src/wasm/generated/rig3d.js";

describe.each(Object.entries({ rig2d: RIG2D_WASM, rig3d: RIG3D_WASM, matching: MATCHING_WASM, motion: MOTION_WASM, flat: FLAT_WASM }))("the embedded bytes of %s", (area, text) => {
  it("are those of the module", () => {
    expect(Buffer.from(bytesOfText(text)).equals(readFileSync(`build/${area}.wasm`))).toBe(true);
  });

  it("are printable ASCII that needs no escape in a string or a page", () => {
    expect(text).toMatch(/^[ -~]+$/);
    expect(text).not.toMatch(/["\\<]/);
  });

  it("are smaller than base64 after gzip", () => {
    const packed = (characters: string): number => gzipSync(characters, { level: 9 }).length;
    expect(packed(text)).toBeLessThan(0.85 * packed(Buffer.from(bytesOfText(text)).toString("base64")));
  });
});
