// Where skeletons come from: the built-in character, exports in a folder that the address names (?exports=/some/folder/), or
// dropped files.
import { AtlasAttachmentLoader, SkeletonBinary, SkeletonJson, TextureAtlas } from "../../dist/spine/index.js";
import { CanvasTexture, GlTexture } from "../../dist/render/index.js";

const BUILT_IN = { name: "fennel", skeleton: "../assets/fennel/fennel.json", atlas: "../assets/fennel/fennel.atlas" };

/** Examples of the editor, by folder and skeleton; those that the server has are offered. */
const EXAMPLES = [
  "1-weight-and-mass/1-weight-and-mass-balls-ess", "2-the-12-principles/2-the-12-principles-ess", "3-timing-and-spacing/3-timing-and-spacing-ess",
  "4-wave-principle/4-wave-principle-ess", "5-squash-and-stretch/5-squash-and-stretch-ess", "6-arcs/6-arcs-pro",
  "8-follow-through/8-follow-through-pro-ball", "alien/alien-pro", "celestial-circus/celestial-circus-pro", "chibi-stickers/chibi-stickers",
  "cloud-pot/cloud-pot", "coin/coin-pro", "diamond/diamond-pro", "food-app/food-app-ready-pro", "goblins/goblins-pro",
  "mix-and-match/mix-and-match-pro", "owl/owl-pro", "powerup/powerup-pro", "raptor/raptor-pro", "snowglobe/snowglobe-pro", "speedy/speedy-ess",
  "spineboy/spineboy-pro", "spinosaurus/spinosaurus-ess", "stretchyman/stretchyman-pro", "tank/tank-pro", "vine/vine-pro", "windmill/windmill-ess",
];

/** Everything that can be chosen. */
export async function listRigs() {
  const folder = new URLSearchParams(location.search).get("exports");
  if (folder === null) return [BUILT_IN];
  const found = await Promise.all(EXAMPLES.map(async (path) => {
    const [name, file] = path.split("/");
    const rig = { name: file, skeleton: `${folder}${path}.json`, atlas: `${folder}${name}/${name}.atlas` };
    const answers = await Promise.all([rig.skeleton, rig.atlas].map((url) => fetch(url, { method: "HEAD" })));
    return answers.every(({ ok }) => ok) ? rig : null;
  }));
  return [BUILT_IN, ...found.filter((rig) => rig !== null)];
}

/** Fetches a skeleton, its atlas and the images beside the atlas. */
export async function fetchRig({ name, skeleton, atlas }) {
  const get = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url} cannot be fetched (${answer.status}).`);
    return answer;
  };
  const folder = new URL(atlas, document.baseURI);
  const bytes = new Uint8Array(await (await get(skeleton)).arrayBuffer());
  return readRig(name, skeleton, bytes, await (await get(atlas)).text(), async (page) => (await get(new URL(page, folder))).blob());
}

/** Sorts out dropped files. */
export async function rigOfFiles(files) {
  const all = [...files];
  const skeleton = all.find(({ name }) => /\.(json|skel)$/i.test(name));
  const atlas = all.find(({ name }) => /\.atlas(\.txt)?$/i.test(name));
  if (!skeleton || !atlas) throw new Error("Drop a skeleton (.json or .skel), its .atlas and its images together.");
  return readRig(skeleton.name, skeleton.name, new Uint8Array(await skeleton.arrayBuffer()), await atlas.text(), async (name) => {
    const page = all.find((file) => file.name === name.split("/").at(-1));
    if (!page) throw new Error(`The atlas needs ${name}, which was not among the dropped files.`);
    return page;
  });
}

async function readRig(name, file, bytes, atlasText, pageFile) {
  const atlas = new TextureAtlas(atlasText);
  const images = await Promise.all(atlas.pages.map(async (page) =>
    createImageBitmap(await pageFile(page.name), { premultiplyAlpha: "none", colorSpaceConversion: "none" })));
  const loader = new AtlasAttachmentLoader(atlas);
  const data = /\.skel$/i.test(file)
    ? new SkeletonBinary(loader, { file }).readSkeletonData(bytes)
    : new SkeletonJson(loader, { file }).readSkeletonData(new TextDecoder().decode(bytes));
  return { name, data, atlas, images };
}

/** Gives the pages textures for WebGL2, or for Canvas2D where `gl` is null. */
export function setTextures({ atlas, images }, gl) {
  atlas.pages.forEach((page, i) => {
    page.texture?.dispose?.();
    page.setTexture(gl === null ? new CanvasTexture(images[i]) : new GlTexture(gl, images[i], { premultiplied: page.pma }));
  });
}
