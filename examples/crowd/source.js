// Where skeletons come from: the built-in character, the export that the start program serves, or dropped files.
import { AtlasAttachmentLoader, SkeletonBinary, SkeletonJson, TextureAtlas } from "../../dist/spine/index.js";

/** What the start program was asked for, or the built-in character where nobody serves that. */
export async function readSettings() {
  const builtIn = { skeleton: "../assets/fennel/fennel.json", atlas: "../assets/fennel/fennel.atlas", animation: null, count: 5000 };
  try {
    const answer = await fetch("/crowd.json");
    return answer.ok && answer.headers.get("content-type")?.includes("json") ? await answer.json() : builtIn;
  } catch {
    return builtIn;
  }
}

/** Fetches a skeleton, its atlas and the page images beside the atlas. */
export async function fetchRig({ skeleton, atlas }) {
  const get = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url} cannot be fetched (${answer.status}).`);
    return answer;
  };
  const bytes = new Uint8Array(await (await get(skeleton)).arrayBuffer());
  const text = await (await get(atlas)).text();
  const folder = new URL(atlas, document.baseURI);
  return makeRig(skeleton, bytes, text, async (name) => (await get(new URL(name, folder))).blob());
}

/** Sorts out dropped files. */
export async function rigOfFiles(files) {
  const all = [...files];
  const skeleton = all.find(({ name }) => /\.(json|skel)$/i.test(name)), atlas = all.find(({ name }) => /\.atlas(\.txt)?$/i.test(name));
  if (!skeleton || !atlas) throw new Error("Drop a skeleton (.json or .skel), its .atlas and its PNG pages together.");
  const text = await atlas.text();
  return makeRig(skeleton.name, new Uint8Array(await skeleton.arrayBuffer()), text, async (name) => {
    const page = all.find((file) => file.name === name.split("/").at(-1));
    if (!page) throw new Error(`The atlas needs ${name}, which was not among the dropped files.`);
    return page;
  });
}

/** Page images with premultiplied alpha, whether the file has it so or not. */
const createImage = async (blob, isPremultiplied) =>
  createImageBitmap(await blob, { premultiplyAlpha: isPremultiplied ? "none" : "premultiply", colorSpaceConversion: "none" });

async function makeRig(name, bytes, atlasText, pageFile) {
  const atlas = new TextureAtlas(atlasText);
  const pages = await Promise.all(atlas.pages.map((page) => createImage(pageFile(page.name), page.pma)));
  atlas.pages.forEach((page, i) => page.setTexture(new PageTexture(pages[i])));
  const loader = new AtlasAttachmentLoader(atlas);
  const data = /\.skel$/i.test(name)
    ? new SkeletonBinary(loader, { file: name }).readSkeletonData(bytes)
    : new SkeletonJson(loader, { file: name }).readSkeletonData(new TextDecoder().decode(bytes));
  return { name: name.split("/").at(-1).replace(/\.(json|skel)$/i, ""), data, atlas, pages, isBuiltIn: name.endsWith("fennel.json") };
}

/** What a page needs of a texture; renderers take the image and upload it themselves. */
class PageTexture {
  constructor(image) {
    this.image = image;
  }
  getImage() {
    return this.image;
  }
  setFilters() {}
  setWraps() {}
  dispose() {}
}
