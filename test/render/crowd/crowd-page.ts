/** Runs in the browser: a crowd drawn by CrowdRenderer beside the same characters drawn by SkeletonRenderer. */
import { Crowd } from "../../../src/crowd/index.js";
import { CrowdRenderer, GlTexture, orthographic, SkeletonRenderer } from "../../../src/render/index.js";
import {
  AnimationState, AnimationStateData, AtlasAttachmentLoader, DrawOrderTimeline, Physics, Skeleton, SkeletonBinary, type SkeletonData, SkeletonJson, TextureAtlas,
} from "../../../src/spine/index.js";

export interface Scene {
  folder: string;
  skeleton: string;
  atlas: string;
  /** Animations and skins are dealt in turn. */
  animations: string[];
  skins: (string | null)[];
  count: number;
  /** Updates before the picture. */
  frames: number;
  /** A second clip that fades in half-way through. */
  fadeTo?: string;
  /** In the end that clip is played again, at the time at which it is: its fade is frozen and looks as before. */
  interrupt?: boolean;
  overlay?: string;
  /** Slots that get another blend mode. */
  blends?: Record<string, number>;
  /** Every animation that is played gets so many draw orders of its own; the crowd is drawn after each update. */
  orders?: number;
  /** Only what reaches into the left three tenths is drawn and compared. */
  cull?: boolean;
}

export interface Comparison {
  /** Share of pixels of which a channel differs by more than 12 of 255. */
  different: number;
  /** Share of pixels that anything covers. */
  covered: number;
  drawCalls: number;
  drawn: number;
  largest: number;
}

const WIDTH = 720;
const HEIGHT = 480;
const DT = 1 / 30;

async function load(gl: WebGL2RenderingContext, { folder, skeleton, atlas: atlasName }: Scene): Promise<SkeletonData> {
  const get = async (name: string): Promise<Response> => await fetch(`${folder}/${name}`);
  const atlas = new TextureAtlas(await (await get(atlasName)).text());
  for (const page of atlas.pages) {
    const image = await createImageBitmap(await (await get(page.name)).blob(), { premultiplyAlpha: page.pma ? "none" : "premultiply" });
    page.setTexture(new GlTexture(gl, image, { premultiplied: true }));
  }
  const loader = new AtlasAttachmentLoader(atlas);
  if (skeleton.endsWith(".skel")) return new SkeletonBinary(loader).readSkeletonData(new Uint8Array(await (await get(skeleton)).arrayBuffer()));
  return new SkeletonJson(loader).readSkeletonData(await (await get(skeleton)).text());
}

/** Shuffled draw orders, evenly over every animation that is played. */
function addOrders(data: SkeletonData, names: readonly string[], count: number): void {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (const name of names) {
    const animation = data.findAnimation(name)!;
    const timeline = new DrawOrderTimeline(count);
    for (let key = 0; key < count; key++) {
      const order = data.slots.map((_, i) => i);
      for (let swap = 0; swap < 4; swap++) {
        const a = random(order.length);
        const b = random(order.length);
        [order[a], order[b]] = [order[b]!, order[a]!];
      }
      timeline.setFrame(key, (animation.duration * key) / count, order);
    }
    animation.setTimelines([...animation.timelines.filter((other) => !("drawOrders" in other)), timeline]);
  }
}

function show(title: string, canvas: HTMLCanvasElement): void {
  const figure = document.createElement("figure");
  figure.append(title, canvas);
  document.body.append(figure);
}

function makeCanvas(): { canvas: HTMLCanvasElement; gl: WebGL2RenderingContext } {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const gl = canvas.getContext("webgl2", { alpha: true, premultipliedAlpha: true, antialias: false, preserveDrawingBuffer: true })!;
  gl.viewport(0, 0, WIDTH, HEIGHT);
  gl.clearColor(0.25, 0.35, 0.45, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  return { canvas, gl };
}

function pixels(gl: WebGL2RenderingContext): Uint8Array {
  const out = new Uint8Array(WIDTH * HEIGHT * 4);
  gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, out);
  const error = gl.getError();
  if (error !== 0) throw new Error(`WebGL error ${error}`);
  return out;
}

async function compare(scene: Scene): Promise<Comparison> {
  document.body.replaceChildren();
  const left = makeCanvas();
  const right = makeCanvas();
  show("crowd", left.canvas);
  show("skeletons", right.canvas);
  const data = await load(left.gl, scene);
  const reference = await load(right.gl, scene);
  for (const [name, mode] of Object.entries(scene.blends ?? {})) {
    data.findSlot(name)!.blendMode = mode;
    reference.findSlot(name)!.blendMode = mode;
  }
  if (scene.orders !== undefined) {
    addOrders(data, scene.animations, scene.orders);
    addOrders(reference, scene.animations, scene.orders);
  }
  const crowd = new Crowd(data, { slots: true });
  const single = new Skeleton(reference);
  single.updateWorldTransform(Physics.reset);
  const { x, y, width, height } = single.getBoundsRect();
  single.dispose();
  const columns = 4;
  const rows = Math.ceil(scene.count / columns);
  // Neighbours overlap.
  const stepX = width * 0.8;
  const stepY = height * 0.6;
  const characters = Array.from({ length: scene.count }, (_, i) => {
    const animation = scene.animations[i % scene.animations.length]!;
    const skin = scene.skins[i % scene.skins.length]!;
    // Places are dealt crosswise, so that rows are no order of drawing.
    const place = (i * 5) % scene.count;
    const px = (place % columns) * stepX + (i % 3) * stepX * 0.1;
    const py = Math.floor(place / columns) * stepY + (place % columns) * stepY * 0.05;
    const scaleX = i % 3 === 1 ? -1 : 1;
    const time = (i * 0.37) % Math.max(0.01, reference.findAnimation(animation)!.duration);
    const id = crowd.spawn({ animation, time, skin, x: px, y: py, scaleX });
    const skeleton = new Skeleton(reference);
    if (skin !== null) skeleton.setSkin(skin);
    skeleton.setupPose();
    skeleton.setPosition(px, py);
    skeleton.scaleX = scaleX;
    const state = new AnimationState(new AnimationStateData(reference));
    state.setAnimation(0, animation, true).trackTime = time;
    if (i % 4 === 3) {
      crowd.setTint(id, 1, 0.7, 0.6, 0.8);
      skeleton.color.set(1, 0.7, 0.6, 0.8);
    }
    return { id, skeleton, state, px, py, i };
  });
  const renderer = new CrowdRenderer(left.gl, crowd);
  const update = (dt: number): void => {
    crowd.update(dt);
    for (const { skeleton, state } of characters) {
      state.update(dt);
      state.apply(skeleton);
      skeleton.update(dt);
      skeleton.updateWorldTransform(Physics.update);
    }
  };
  for (let frame = 0; frame < scene.frames; frame++) {
    if (frame === 1 && scene.fadeTo !== undefined) {
      for (const { id, state, i } of characters) {
        if (i % 2 === 0) continue;
        crowd.play(id, scene.fadeTo, { mix: 0.5, loop: true });
        state.setAnimation(0, scene.fadeTo, true).mixDuration = 0.5;
      }
    }
    if (frame === 1 && scene.overlay !== undefined) {
      for (const { id, state, i } of characters) {
        if (i % 3 !== 0) continue;
        crowd.playOverlay(id, scene.overlay, { loop: true, alpha: 0.9 });
        state.setAnimation(1, scene.overlay, true).alpha = 0.9;
      }
    }
    update(DT);
    if (scene.orders !== undefined) renderer.draw(orthographic(0, 0, 1, 1));
  }
  if (scene.interrupt === true) {
    update(0);
    for (const { id, state, i } of characters) if (i % 2 === 1) crowd.play(id, scene.fadeTo!, { mix: 0.5, time: state.getTrack(0)!.trackTime });
    crowd.update(0);
  }
  const worldWidth = stepX * (columns - 1) + width * 1.3;
  const worldHeight = stepY * (rows - 1) + height * 1.4;
  const scale = Math.max(worldWidth / WIDTH, worldHeight / HEIGHT);
  const centreX = x + worldWidth / 2 - width * 0.1;
  const centreY = y + worldHeight / 2 - height * 0.1;
  const matrix = orthographic(centreX, centreY, WIDTH * scale, HEIGHT * scale);

  const cull = scene.cull === true ? { x: centreX - WIDTH * scale, y: centreY - HEIGHT * scale, width: WIDTH * scale * 0.8, height: HEIGHT * scale * 2 } : null;
  left.gl.clear(left.gl.COLOR_BUFFER_BIT);
  renderer.draw(matrix, { cull });
  const { drawCalls, drawn } = renderer;
  const crowded = pixels(left.gl);

  const skeletons = new SkeletonRenderer(right.gl);
  skeletons.begin(matrix);
  for (const { skeleton } of characters.toSorted((a, b) => Math.fround(b.py) - Math.fround(a.py) || crowd.row(a.id) - crowd.row(b.id))) skeletons.draw(skeleton);
  skeletons.end();
  const expected = pixels(right.gl);

  const until = cull === null ? WIDTH : Math.floor(WIDTH * 0.3);
  let different = 0;
  let covered = 0;
  let largest = 0;
  for (let i = 0; i < expected.length; i += 4) {
    if ((i / 4) % WIDTH >= until) continue;
    let most = 0;
    for (let c = 0; c < 4; c++) most = Math.max(most, Math.abs(expected[i + c]! - crowded[i + c]!));
    if (most > 12) different++;
    largest = Math.max(largest, most);
    if (Math.abs(expected[i]! - 64) + Math.abs(expected[i + 1]! - 89) + Math.abs(expected[i + 2]! - 115) > 8) covered++;
  }
  const all = until * HEIGHT;
  renderer.dispose();
  skeletons.dispose();
  crowd.dispose();
  for (const { skeleton } of characters) skeleton.dispose();
  return { different: different / all, covered: covered / all, drawCalls, drawn, largest };
}

Object.assign(window, { compare });
