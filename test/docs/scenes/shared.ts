/** What the pages of docs/ take for granted: characters that are loaded, a context to draw with. */
import { readFileSync } from "node:fs";
import { AnimClip, AnimSkeleton, type AnimSkin } from "../../../src/anim/index.js";
import { loadGltf, newClipFromModel, newSkeletonFromModel, newSkinFromModel } from "../../../src/import/gltf/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas, type SkeletonData } from "../../../src/spine/index.js";

const assets = "examples/assets/";

/** The built-in fox. */
export function fox(): SkeletonData {
  const loader = new AtlasAttachmentLoader(new TextureAtlas(readFileSync(`${assets}fennel/fennel.atlas`, "utf8")));
  return new SkeletonJson(loader).readSkeletonData(readFileSync(`${assets}fennel/fennel.json`, "utf8"));
}

/** The built-in biped. */
export async function biped(): Promise<{ bytes: Uint8Array; skeleton: AnimSkeleton; clips: AnimClip[]; skin: AnimSkin; clip(name: string): AnimClip }> {
  const bytes = new Uint8Array(readFileSync(`${assets}biped.glb`));
  const model = await loadGltf(bytes), skeleton = newSkeletonFromModel(model);
  const clips = model.animations.map((_, i) => newClipFromModel(model, skeleton, i));
  return { bytes, skeleton, clips, skin: newSkinFromModel(model, 0, skeleton), clip: (name) => clips[model.animations.findIndex((one) => one.name === name)]! };
}

/** Serves the fox under the names of the pages, as `fetch` and `loadAll` see them. */
export function serveHero(): void {
  const files: Record<string, string> = { "hero.json": "fennel.json", "hero.atlas": "fennel.atlas", "fennel.png": "fennel.png" };
  globalThis.fetch = async (address) => {
    const file = files[String(address instanceof Request ? address.url : address).replace(/^.*\//, "")];
    return file === undefined ? new Response(null, { status: 404 }) : new Response(readFileSync(`${assets}fennel/${file}`));
  };
  globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
}

/** A WebGL2 context that takes every call and draws nothing. */
export function silentGl(): WebGL2RenderingContext {
  const answers: Record<string, unknown> = { getError: 0, getAttribLocation: 0, getExtension: null, getShaderInfoLog: "", getProgramInfoLog: "", getParameter: 4096 };
  const numbers = new Map<string, number>();
  return new Proxy({ canvas: { width: 640, height: 400, addEventListener() {}, removeEventListener() {} }, drawingBufferWidth: 640, drawingBufferHeight: 400 } as object, {
    get(known, name) {
      if (typeof name !== "string" || name in known) return Reflect.get(known, name);
      if (/^[A-Z]/.test(name)) return numbers.get(name) ?? (numbers.set(name, numbers.size + 1), numbers.size);
      return () => (name in answers ? answers[name] : /^(create|getUniformLocation|getContextAttributes)/.test(name) ? {} : /^get|^is/.test(name) ? 1 : undefined);
    },
  }) as WebGL2RenderingContext;
}
