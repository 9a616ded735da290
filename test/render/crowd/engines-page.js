// Runs in the browser: one crowd drawn by CrowdRenderer alone, and over frames of three.js and PixiJS as those packages are.
import { Crowd } from "../../../src/crowd/index.js";
import { CrowdRenderer, drawCrowdInPixi, drawCrowdInThree, GlTexture, orthographic } from "../../../src/render/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas } from "../../../src/spine/index.js";

const WIDTH = 480;
const HEIGHT = 320;
/** World units per pixel, and what is in the middle of the picture. */
const SCALE = 4;
const CENTRE = [600, 400];
const GROUND = [64, 89, 115];
/** What the engine itself draws: a square of this colour in the upper left corner, seen before and after the crowd. */
const SQUARE = { size: 40, color: 0xe0a020, rgb: [224, 160, 32] };

async function crowdOn(gl) {
  const get = async (name) => await fetch(`fennel/${name}`);
  const atlas = new TextureAtlas(await (await get("fennel.atlas")).text());
  for (const page of atlas.pages) {
    const image = await createImageBitmap(await (await get(page.name)).blob(), { premultiplyAlpha: "premultiply" });
    page.setTexture(new GlTexture(gl, image, { premultiplied: true }));
  }
  const data = new SkeletonJson(new AtlasAttachmentLoader(atlas)).readSkeletonData(await (await get("fennel.json")).text());
  const crowd = new Crowd(data, { slots: true });
  const names = ["idle", "walk", "run", "jump", "wave", "blink"];
  for (let i = 0; i < 12; i++) {
    crowd.spawn({ animation: names[i % 6], time: i * 0.37, skin: i % 2 === 0 ? "ember" : "frost", x: (i % 4) * 400, y: Math.floor(i / 4) * 300 - 150, scaleX: i % 3 === 1 ? -1 : 1 });
  }
  for (let frame = 0; frame < 5; frame++) crowd.update(1 / 30);
  return { crowd, renderer: new CrowdRenderer(gl, crowd) };
}

function makeCanvas() {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  document.body.append(canvas);
  return canvas;
}

const CONTEXT = { alpha: true, premultipliedAlpha: true, antialias: false, preserveDrawingBuffer: true, depth: true, stencil: true };

function pixels(gl) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const out = new Uint8Array(WIDTH * HEIGHT * 4);
  gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, out);
  const error = gl.getError();
  if (error !== 0) throw new Error(`WebGL error ${error}`);
  return out;
}

async function alone() {
  const gl = makeCanvas().getContext("webgl2", CONTEXT);
  const { crowd, renderer } = await crowdOn(gl);
  gl.viewport(0, 0, WIDTH, HEIGHT);
  gl.clearColor(...GROUND.map((value) => value / 255), 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  renderer.draw(orthographic(CENTRE[0], CENTRE[1], WIDTH * SCALE, HEIGHT * SCALE));
  const out = pixels(gl);
  renderer.dispose();
  crowd.dispose();
  return out;
}

async function inThree() {
  const three = await import("three");
  three.ColorManagement.enabled = false;
  const canvas = makeCanvas();
  const host = new three.WebGLRenderer({ canvas, ...CONTEXT });
  host.outputColorSpace = three.LinearSRGBColorSpace;
  host.setSize(WIDTH, HEIGHT, false);
  host.setClearColor((GROUND[0] << 16) | (GROUND[1] << 8) | GROUND[2], 1);
  const camera = new three.OrthographicCamera((-WIDTH / 2) * SCALE, (WIDTH / 2) * SCALE, (HEIGHT / 2) * SCALE, (-HEIGHT / 2) * SCALE, 1, 2000);
  camera.position.set(CENTRE[0], CENTRE[1], 1000);
  const scene = new three.Scene();
  const square = new three.Mesh(new three.BoxGeometry(SQUARE.size * SCALE, SQUARE.size * SCALE, 10), new three.MeshBasicMaterial({ color: SQUARE.color }));
  square.position.set(CENTRE[0] + (-WIDTH / 2 + SQUARE.size / 2) * SCALE, CENTRE[1] + (HEIGHT / 2 - SQUARE.size / 2) * SCALE, 500);
  scene.add(square);
  // The crowd lies in the plane of an object that is moved and scaled; places are undone by it.
  const plane = new three.Object3D();
  plane.position.set(CENTRE[0], CENTRE[1], -20);
  scene.add(plane);
  const holder = new three.Object3D();
  holder.position.set(-CENTRE[0], -CENTRE[1], 0);
  plane.add(holder);
  host.render(scene, camera);
  host.resetState();
  const { crowd, renderer } = await crowdOn(host.getContext());
  const pictures = [];
  for (let frame = 0; frame < 2; frame++) {
    host.resetState();
    host.render(scene, camera);
    drawCrowdInThree(host, camera, renderer, holder);
    pictures.push(pixels(host.getContext()));
  }
  renderer.dispose();
  crowd.dispose();
  host.dispose();
  return pictures;
}

async function inPixi() {
  const { WebGLRenderer, Container, Graphics } = await import("pixi.js");
  const canvas = makeCanvas();
  const host = new WebGLRenderer();
  await host.init({ canvas, width: WIDTH, height: HEIGHT, background: (GROUND[0] << 16) | (GROUND[1] << 8) | GROUND[2], antialias: false, preserveDrawingBuffer: true, preferWebGLVersion: 2 });
  const stage = new Container();
  stage.addChild(new Graphics().rect(0, 0, SQUARE.size, SQUARE.size).fill(SQUARE.color));
  const world = new Container();
  world.scale.set(1 / SCALE, -1 / SCALE);
  world.position.set(WIDTH / 2 - CENTRE[0] / SCALE, HEIGHT / 2 + CENTRE[1] / SCALE);
  stage.addChild(world);
  host.render(stage);
  host.resetState();
  const { crowd, renderer } = await crowdOn(host.gl);
  const pictures = [];
  for (let frame = 0; frame < 2; frame++) {
    host.resetState();
    host.render(stage);
    drawCrowdInPixi(host, renderer, world);
    pictures.push(pixels(host.gl));
  }
  renderer.dispose();
  crowd.dispose();
  host.destroy();
  return pictures;
}

/** Compares pictures outside of the engine's square. */
function compare(expected, found) {
  let different = 0;
  let covered = 0;
  let all = 0;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      // Rows of readPixels go upwards.
      if (x < SQUARE.size + 2 && y >= HEIGHT - SQUARE.size - 2) continue;
      const at = (y * WIDTH + x) * 4;
      let most = 0;
      for (let c = 0; c < 4; c++) most = Math.max(most, Math.abs(expected[at + c] - found[at + c]));
      if (most > 8) different++;
      if (Math.abs(found[at] - GROUND[0]) + Math.abs(found[at + 1] - GROUND[1]) + Math.abs(found[at + 2] - GROUND[2]) > 24) covered++;
      all++;
    }
  }
  const corner = ((HEIGHT - SQUARE.size / 2) * WIDTH + SQUARE.size / 2) * 4;
  return { different: different / all, covered: covered / all, square: [...found.subarray(corner, corner + 3)] };
}

window.run = async (name) => {
  document.body.replaceChildren();
  const expected = await alone();
  const pictures = await (name === "three" ? inThree() : inPixi());
  return { frames: pictures.map((picture) => compare(expected, picture)), square: SQUARE.rgb };
};
