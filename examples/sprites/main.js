// Frames drawn by code, packed at run time, played by thousands of sprite players with frame events and speed curves.
import { Animation } from "../../dist/anim/index.js";
import { GlGraphics } from "../../dist/render/index.js";

const at = (id) => document.getElementById(id);
const canvas = at("stage");
const graphics = new GlGraphics(canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true }));
const SIZE = 64, WALK = 10, JUMP = 8;

/** A round fellow at a phase of his walk or his jump, as straight-alpha pixels. */
function drawFrame(index) {
  const art = new OffscreenCanvas(SIZE, SIZE).getContext("2d", { willReadFrequently: true });
  const jumping = index >= WALK;
  const phase = jumping ? (index - WALK) / (JUMP - 1) : index / WALK;
  const swing = Math.sin(phase * 6.2832);
  const height = jumping ? Math.sin(phase * 3.1416) * 18 : Math.abs(swing) * 3;
  art.translate(SIZE / 2, SIZE - 6 - height);
  art.lineCap = "round";
  art.strokeStyle = "#2b2440";
  art.lineWidth = 5;
  for (const side of [-1, 1]) {
    art.beginPath();
    art.moveTo(side * 5, -12);
    art.lineTo(side * (jumping ? 6 : 4 + 8 * swing * side), jumping ? -2 + height * 0.2 : -Math.max(0, -swing * side) * 5);
    art.stroke();
  }
  art.fillStyle = "#ff8d5c";
  art.beginPath();
  art.ellipse(0, -22, 14 + (jumping ? -2 * Math.sin(phase * 3.1416) : 0), 15 + height * 0.1, 0, 0, 7);
  art.fill();
  art.fillStyle = "#fff4e2";
  art.beginPath();
  art.ellipse(4, -18, 8, 9, 0, 0, 7);
  art.fill();
  art.fillStyle = "#2b2440";
  art.beginPath();
  art.arc(6, -27, 2.4, 0, 7);
  art.arc(12, -26, 2, 0, 7);
  art.fill();
  return art.getImageData(0, 0, SIZE, SIZE);
}

// A host whose files are numbers: "reading" one draws it.
const anim = new Animation({
  readBytes: (path) => Uint8Array.of(Number(path)),
  decodeImage: ([index]) => drawFrame(index),
});
const sheet = anim.newSpriteSheetFromSequenceSync(graphics, { pattern: "{n}", first: 0, count: WALK + JUMP });
const texture = sheet.getTexture();
at("atlas").textContent = `${texture.getWidth()} x ${texture.getHeight()}`;

const walk = anim.newSpriteClip("walk");
walk.addRange(0, WALK - 1, 14);
walk.addEvent(2, "step");
walk.addEvent(7, "step");
const jump = anim.newSpriteClip("jump");
jump.setLoop(false);
for (let i = 0; i < JUMP; i++) jump.addFrame(WALK + i, 0.05 + 0.03 * Math.sin((i / JUMP) * 3.14));

/** What a renderer keeps per sprite: the rectangle and the layout that a player writes. */
class Figure {
  layout = null;
  quad = null;
  constructor(i) {
    this.x = Math.random();
    this.y = Math.sqrt(Math.random());
    this.player = anim.newSpriteAnim();
    this.player.setSheet(sheet);
    this.player.bindSprite(this);
    this.player.play(walk);
    this.player.setTime(Math.random());
    this.tint = { r: 0.88 + 0.12 * Math.sin(i), g: 0.88 + 0.12 * Math.sin(i * 1.7), b: 0.88 + 0.12 * Math.sin(i * 2.3), a: 1 };
    this.item = { kind: "quad", rotation: 0, depthY: 0, layer: 0, order: 0, hasOrder: false, color: this.tint, blend: "normal", premultiplied: false, texture, hasUV: true, rotatedUV: false, x: 0, y: 0, w: 0, h: 0, u0: 0, v0: 0, u1: 0, v1: 0 };
  }
  setQuad(quad) {
    this.quad = quad;
  }
  setFrameLayout(layout) {
    this.layout = layout;
  }
  toItem(dt, width, height) {
    const { item, quad, layout } = this;
    const scale = 0.5 + this.y;
    this.x = (this.x + dt * 0.05 * scale * this.player.getSpeed() + 1.2) % 1.2;
    item.w = layout.width * scale;
    item.h = layout.height * scale;
    item.x = (this.x - 0.1) * width + layout.offsetX * scale;
    item.y = height * (0.25 + 0.72 * this.y) - (SIZE - layout.offsetY) * scale;
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
  figures.sort((a, b) => a.y - b.y);
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
at("speed").oninput = () => figures.forEach(({ player }) => player.setSpeed(Number(at("speed").value)));
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
const items = [];
const gl = canvas.getContext("webgl2");
function frame(now) {
  const dt = Math.min(0.1, Math.max(0, now - last) / 1000);
  last = now;
  const start = performance.now();
  anim.update(dt);
  spent += (performance.now() - start - spent) * 0.05;
  canvas.width = canvas.clientWidth * devicePixelRatio;
  canvas.height = canvas.clientHeight * devicePixelRatio;
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0.106, 0.122, 0.188, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  graphics.resize(canvas.width, canvas.height);
  items.length = 0;
  for (const figure of figures) {
    items.push(figure.toItem(dt, canvas.width, canvas.height));
    while (figure.player.consumeEvent() !== "") steps++;
  }
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
