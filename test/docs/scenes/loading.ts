import { readFileSync } from "node:fs";
import { FakeTexture, TextureAtlas, writeSkeletonBinary } from "../../../src/spine/index.js";
import { fox } from "./shared.js";

export const atlasText = readFileSync("examples/assets/fennel/fennel.atlas", "utf8");
export const atlas = new TextureAtlas(atlasText);
export const jsonText = readFileSync("examples/assets/fennel/fennel.json", "utf8");
export const text = jsonText;
export const skelBytes = writeSkeletonBinary(fox());
export const textureOf = (_name: string): FakeTexture => new FakeTexture({});
