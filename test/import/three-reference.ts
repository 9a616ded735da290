import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { splitGlb, isGlb } from "../../src/import/gltf/glb.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Three = any;

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../integrations/three/node_modules/three");

/** three.js, or undefined (with one line) where test/integrations/three is not installed. */
export async function loadThree(skipped: string): Promise<Three | undefined> {
  if (!existsSync(folder)) {
    console.log(`skipped: ${skipped} (npm install --prefix test/integrations/three)`);
    return undefined;
  }
  const scope = globalThis as Record<string, unknown>;
  scope.self ??= globalThis;
  scope.window ??= globalThis;
  scope.ProgressEvent ??= class extends Event {};
  return import(pathToFileURL(join(folder, "build/three.module.js")).href);
}

/** A document without images and textures, its buffers as data URIs: three.js cannot decode images here. */
export function plainGltf(path: string): string {
  const bytes = new Uint8Array(readFileSync(path));
  const { json, bin } = isGlb(bytes) ? splitGlb(bytes, path) : { json: new TextDecoder().decode(bytes), bin: undefined };
  const document = JSON.parse(json) as Record<string, any>;
  for (const buffer of document.buffers ?? []) {
    if (typeof buffer.uri === "string" && buffer.uri.startsWith("data:")) continue;
    const data = buffer.uri === undefined ? bin! : new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(buffer.uri as string))));
    buffer.uri = `data:application/octet-stream;base64,${Buffer.from(data).toString("base64")}`;
  }
  delete document.images;
  delete document.textures;
  delete document.samplers;
  document.materials = (document.materials ?? []).map((material: any) => ({ name: material.name }));
  return JSON.stringify(document);
}

/** Scene, clips and the object of every node, as three.js loads them. */
export async function loadWithThree(path: string): Promise<{ scene: Three; animations: Three[]; objectOfNode: Map<number, Three> }> {
  const { GLTFLoader } = await import(pathToFileURL(join(folder, "examples/jsm/loaders/GLTFLoader.js")).href);
  const gltf = await new Promise<Three>((done, fail) => new GLTFLoader().parse(plainGltf(path), "", done, fail));
  const objectOfNode = new Map<number, Three>();
  gltf.scene.traverse((object: Three) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined && !objectOfNode.has(index)) objectOfNode.set(index, object);
  });
  return { scene: gltf.scene, animations: gltf.animations, objectOfNode };
}

export async function loadFbxWithThree(path: string): Promise<Three> {
  const { FBXLoader } = await import(pathToFileURL(join(folder, "examples/jsm/loaders/FBXLoader.js")).href);
  const bytes = readFileSync(path);
  return new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");
}
