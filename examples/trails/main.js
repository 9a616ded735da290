// Followers chase the pointer (or a figure of their own while it rests) and leave ribbons behind.
import { AnimTrail, ControlAnim, MotionStore } from "../../dist/anim/index.js";
import { GlGraphics } from "../../dist/render/index.js";
import { fit } from "../shared/canvas.js";

const at = (id) => document.getElementById(id);
const canvas = at("stage");
const gl = canvas.getContext("webgl2", { antialias: true, premultipliedAlpha: true });
const graphics = new GlGraphics(gl);
const store = new MotionStore();
const COLORS = [[1, 0.65, 0.25], [1, 0.4, 0.55], [0.55, 0.6, 1], [0.35, 0.9, 0.8]];
let ratio = fit(canvas);
const pointer = { x: 0, y: 0, seen: -1e9 };
const shock = { x: 0, y: 0 };

const followers = COLORS.map(([r, g, b], i) => {
  const control = new ControlAnim();
  control.set("x", canvas.clientWidth);
  control.set("y", canvas.clientHeight);
  const trail = new AnimTrail(512);
  trail.setMinDistance(3);
  // A curve through the samples instead of straight pieces.
  trail.setSmoothing(4);
  trail.setTaper(1, 0);
  trail.setTeleportDistance(400);
  trail.setGradient([{ at: 0, r: 1, g: 0.95, b: 0.85, a: 1 }, { at: 0.25, r, g, b, a: 1 }, { at: 1, r: r * 0.4, g: g * 0.3, b: b * 0.6, a: 0.6 }]);
  return { control, trail, lag: 1 - i * 0.17 };
});

function settings() {
  for (const { control, trail, lag } of followers) {
    control.setIntegrator(at("law").value);
    control.setFrequency(Number(at("f").value) * lag);
    control.setDamping(Number(at("z").value));
    control.setResponse(Number(at("r").value));
    trail.setDuration(Number(at("length").value));
    trail.setWidth(Number(at("width").value) * ratio);
  }
}
at("panel").oninput = settings;
at("rate").onclick = () => at("rate").setAttribute("aria-pressed", String(at("rate").getAttribute("aria-pressed") !== "true"));
at("punch").onclick = () => store.punch({ x: 0, y: 0 }, { x: 60, y: -160 }, 1).frequency(9).bind((value) => Object.assign(shock, value));
addEventListener("pointermove", (event) => Object.assign(pointer, { x: event.clientX * ratio, y: event.clientY * ratio, seen: performance.now() }));
canvas.addEventListener("pointerdown", (event) => {
  for (const { control, trail } of followers) {
    control.set("x", event.clientX * ratio);
    control.set("y", event.clientY * ratio);
    trail.breakTrail();
  }
});
settings();

// The follower at the head of a ribbon: a disc with a glow, a picture in a quad.
const glow = graphics.newTextureFromImage(disc(64), "disc");
const head = { kind: "quad", rotation: 0, depthY: 0, layer: 0, order: 0, hasOrder: false, color: { r: 1, g: 1, b: 1, a: 1 }, blend: "normal", premultiplied: false, texture: glow, hasUV: true, rotatedUV: false, x: 0, y: 0, w: 0, h: 0, u0: 0, v0: 0, u1: 1, v1: 1 };
function disc(side) {
  const art = new OffscreenCanvas(side, side).getContext("2d"), gradient = art.createRadialGradient(side / 2, side / 2, 0, side / 2, side / 2, side / 2);
  for (const [stop, alpha] of [[0, 1], [0.46, 1], [0.54, 0.3], [1, 0]]) gradient.addColorStop(stop, `rgb(255 255 255 / ${alpha})`);
  art.fillStyle = gradient;
  art.fillRect(0, 0, side, side);
  return art.getImageData(0, 0, side, side);
}
function drawHead(i) {
  const { control } = followers[i], size = Math.max(14, Number(at("width").value)) * 2 * ratio, [r, g, b] = COLORS[i];
  Object.assign(head, { x: control.get("x") - size / 2, y: control.get("y") - size / 2, w: size, h: size });
  Object.assign(head.color, { r: 0.45 + 0.55 * r, g: 0.45 + 0.55 * g, b: 0.45 + 0.55 * b });
  graphics.drawItems([head]);
}

let last = performance.now(), waiting = 0;
function frame(now) {
  const dt = Math.min(0.1, Math.max(0, now - last) / 1000);
  last = now;
  const before = ratio;
  ratio = fit(canvas);
  if (ratio !== before) settings();
  store.update(dt);
  waiting += dt;
  const slow = at("rate").getAttribute("aria-pressed") === "true";
  const step = slow ? (waiting >= 0.1 ? waiting : 0) : waiting;
  if (step > 0) {
    waiting = 0;
    const idle = now - pointer.seen > 2500;
    followers.forEach(({ control, trail }, i) => {
      const t = now / 1000;
      // Beside the panel, where there is room for it beside.
      const panel = innerWidth > 700 ? 280 * ratio : 0, side = Math.min((canvas.width - panel) * 0.34, canvas.height * 0.4);
      control.setTarget("x", shock.x + (idle ? (canvas.width + panel) / 2 + Math.sin(t * 1.7 + i * 0.5) * side * 1.2 : pointer.x));
      control.setTarget("y", shock.y + (idle ? canvas.height / 2 + Math.sin(t * 2.6 + i * 0.9) * side : pointer.y));
      control.update(step);
      trail.setHead(control.get("x"), control.get("y"));
      trail.update(step);
    });
  }
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  graphics.resize(canvas.width, canvas.height);
  for (let i = followers.length - 1; i >= 0; i--) {
    followers[i].trail.draw(graphics);
    drawHead(i);
  }
  graphics.flush();
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
