// Frames drawn by code, packed at run time, played by thousands of sprite players with frame events and speed curves.
import { Animation } from "../../dist/anim/index.js";
import { GlGraphics } from "../../dist/render/index.js";
import { fit } from "../shared/canvas.js";
import { BUDDY, drawBuddy, JUMP, WALK } from "./buddy.js";
import { meadow } from "./meadow.js";

const at = (id) => document.getElementById(id);
const canvas = at("stage"), backdrop = at("backdrop");
const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
const graphics = new GlGraphics(gl);

// A host whose files are numbers: "reading" one draws it.
const anim = new Animation({
  readBytes: (path) => Uint8Array.of(Number(path)),
  decodeImage: ([index]) => drawBuddy(index),
});
const sheet = anim.newSpriteSheetFromSequenceSync(graphics, { pattern: "{n}", first: 0, count: WALK + JUMP });
const texture = sheet.getTexture();
at("atlas").textContent = `${texture.getWidth()} x ${texture.getHeight()}`;

const walk = anim.newSpriteClip("walk");
walk.addRange(0, WALK - 1, 16);
walk.addEvent(2, "step");
walk.addEvent(7, "step");
const jump = anim.newSpriteClip("jump");
jump.setLoop(false);
for (let i = 0; i < JUMP; i++) jump.addFrame(WALK + i, 0.05 + 0.03 * Math.sin((i / JUMP) * 3.14));

const TINTS = [[1, 1, 1], [0.62, 0.86, 1], [0.78, 1, 0.7], [1, 0.76, 0.92], [0.82, 0.78, 1], [1, 0.93, 0.6]];

/** What a renderer keeps per sprite: the rectangle and the layout that a player writes. */
class Figure {
  layout = null;
  quad = null;
  constructor(i) {
    this.x = Math.random();
    this.depth = (i * 0.618034) % 1;
    this.pace = 0.8 + 0.4 * Math.random();
    this.player = anim.newSpriteAnim();
    this.player.setSheet(sheet);
    this.player.bindSprite(this);
    this.player.play(walk);
    this.player.setTime(Math.random());
    const [r, g, b] = TINTS[i % TINTS.length];
    // Those far away are in the haze.
    const near = 0.55 + 0.45 * this.depth;
    const color = { r: r * near + 0.3 * (1 - near), g: g * near + 0.3 * (1 - near), b: b * near + 0.55 * (1 - near), a: 1 };
    this.item = { kind: "quad", rotation: 0, depthY: 0, layer: 0, order: 0, hasOrder: false, color, blend: "normal", premultiplied: false, texture, hasUV: true, rotatedUV: false, x: 0, y: 0, w: 0, h: 0, u0: 0, v0: 0, u1: 0, v1: 0 };
  }
  setQuad(quad) {
    this.quad = quad;
  }
  setFrameLayout(layout) {
    this.layout = layout;
  }
  toItem(dt, { width, height, horizon, unit }) {
    const { item, quad, layout, depth, player } = this;
    const scale = unit * (0.28 + 0.72 * depth * depth), span = width + BUDDY * scale * 2;
    const speed = player.getSpeed() * player.getSpeedCurveValue();
    this.x = (this.x + (dt * 44 * scale * this.pace * speed) / span + 1) % 1;
    item.w = layout.width * scale;
    item.h = layout.height * scale;
    item.x = this.x * span - BUDDY * scale * 1.5 + layout.offsetX * scale;
    item.y = horizon + (height * 0.97 - horizon) * (0.04 + 0.96 * depth * depth) - (BUDDY - layout.offsetY) * scale;
    item.u0 = quad.x / texture.getWidth();
    item.v0 = quad.y / texture.getHeight();
    item.u1 = (quad.x + quad.width) / texture.getWidth();
    item.v1 = (quad.y + quad.height) / texture.getHeight();
    return item;
  }
}

let figures = [];
function populate() {
  const wanted = Number(at("count").value);
  while (figures.length > wanted) figures.pop().player.dispose();
  while (figures.length < wanted) figures.push(new Figure(figures.length));
  at("players").textContent = wanted.toLocaleString("en");
  at("speed").oninput();
  setCurve();
}
function setCurve() {
  const on = at("curve").getAttribute("aria-pressed") === "true";
  for (const { player } of figures) {
    player.clearSpeedCurve();
    if (!on) continue;
    for (const [time, value] of [[0, 0.3], [1.2, 2.2], [2.6, 0.4], [4, 0.3]]) player.addSpeedCurveKey(time, value);
    player.setSpeedCurveLoop(true);
    player.setSpeedCurveInterpolation("cubic");
  }
}
at("count").oninput = populate;
at("speed").oninput = () => figures.forEach(({ player, pace }) => player.setSpeed(Number(at("speed").value) * pace));
at("curve").onclick = () => {
  at("curve").setAttribute("aria-pressed", String(at("curve").getAttribute("aria-pressed") !== "true"));
  setCurve();
};
at("once").onclick = () => figures.forEach(({ player }) => {
  player.playOnce(jump);
  player.queue(walk);
});
populate();

let last = performance.now(), spent = 0, steps = 0, shown = 0;
const items = [], place = { width: 0, height: 0, horizon: 0, unit: 1 };
function frame(now) {
  const dt = Math.min(0.1, Math.max(0, now - last) / 1000);
  last = now;
  const start = performance.now();
  anim.update(dt);
  spent += (performance.now() - start - spent) * 0.05;
  fit(canvas);
  const { width, height } = canvas;
  if (backdrop.width !== width || backdrop.height !== height) meadow(backdrop, width, height);
  Object.assign(place, { width, height, horizon: height * 0.4, unit: Math.max(0.7, Math.min(width, height) / 560) });
  gl.viewport(0, 0, width, height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  graphics.resize(width, height);
  items.length = 0;
  for (const figure of figures) {
    items.push(figure.toItem(dt, place));
    while (figure.player.consumeEvent() !== "") steps++;
  }
  // The far ones first.
  items.sort((a, b) => a.y + a.h - b.y - b.h);
  graphics.drawItems(items);
  graphics.flush();
  if (now - shown > 250) {
    shown = now;
    at("update").textContent = `${spent.toFixed(2)} ms`;
    at("steps").textContent = steps.toLocaleString("en");
  }
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
