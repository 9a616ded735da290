// Cards with the 31 named eases and some with parameters: the curve, and a dot that follows it.
import { EASE_NAMES, Easing, MotionStore } from "../../dist/anim/index.js";
import { fit } from "../shared/canvas.js";

const store = new MotionStore();
const FAMILIES = ["Sine", "Quad", "Cubic", "Quart", "Quint", "Expo", "Circ", "Back", "Elastic", "Bounce"];
const curves = [
  ...EASE_NAMES.map((name) => [name, name]),
  ["back(3).out", Easing.back(3).out],
  ["elastic(1.5, 0.4).out", Easing.elastic(1.5, 0.4).out],
  ["cubicBezier(.68,-.6,.32,1.6)", Easing.cubicBezier(0.68, -0.6, 0.32, 1.6)],
  ["steps(6)", Easing.steps(6)],
];

const cards = curves.map(([label, ease]) => {
  const figure = document.createElement("figure");
  const canvas = figure.appendChild(document.createElement("canvas"));
  figure.appendChild(document.createElement("figcaption")).textContent = label;
  document.getElementById("cards").append(figure);
  const family = FAMILIES.findIndex((name) => label.endsWith(name));
  const card = { canvas, ease, time: 0, value: 0, hue: family < 0 ? 222 : 205 + family * 26, samples: [], low: 0, high: 1, curve: null, seen: false, motions: [] };
  for (let i = 0; i <= 160; i++) card.samples.push(Easing.evaluate(ease, i / 160));
  // All of it fits on the card, also where it overshoots.
  card.low = Math.min(0, ...card.samples);
  card.high = Math.max(1, ...card.samples);
  figure.onpointerenter = () => card.motions.forEach((motion) => motion.setSpeed(0.3));
  figure.onpointerleave = () => card.motions.forEach((motion) => motion.setSpeed(1));
  card.motions.push(
    store.motion(0, 1, 1.6).delay(0.5, "every").loops(-1).bind((time) => (card.time = time)),
    store.motion(0, 1, 1.6).delay(0.5, "every").loops(-1).ease(ease).bind((value) => (card.value = value)),
  );
  return card;
});

// Cards that are out of sight are not painted.
const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) cards.find((card) => card.canvas === target).seen = isIntersecting;
});
cards.forEach((card) => watch.observe(card.canvas));

const x = (card, t) => card.canvas.width * (0.07 + 0.74 * t);
function y(card, v) {
  const low = Math.min(card.low, -0.14), high = Math.max(card.high, 1.14);
  return card.canvas.height * (0.96 - (0.92 * (v - low)) / (high - low));
}

function plot(card) {
  const { canvas, hue, samples } = card, before = canvas.width;
  const ratio = fit(canvas), size = canvas.width;
  if (card.curve === null || size !== before) {
    card.curve = new Path2D();
    samples.forEach((value, i) => card.curve.lineTo(x(card, i / 160), y(card, value)));
    card.area = new Path2D(card.curve);
    card.area.lineTo(x(card, 1), y(card, 0));
    card.area.lineTo(x(card, 0), y(card, 0));
    card.area.closePath();
  }
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, size, canvas.height);
  context.lineWidth = ratio;
  context.strokeStyle = "#ffffff1c";
  context.strokeRect(x(card, 0), y(card, 1), x(card, 1) - x(card, 0), y(card, 0) - y(card, 1));
  context.fillStyle = `hsl(${hue} 80% 65% / 0.1)`;
  context.fill(card.area);
  context.lineWidth = 2.5 * ratio;
  context.lineJoin = context.lineCap = "round";
  context.strokeStyle = `hsl(${hue} 88% 74%)`;
  context.stroke(card.curve);
  // How fast it goes shows on the rail at the right.
  context.lineWidth = 3 * ratio;
  context.strokeStyle = "#ffffff14";
  context.beginPath();
  context.moveTo(size * 0.92, y(card, 0));
  context.lineTo(size * 0.92, y(card, 1));
  context.stroke();
  const height = y(card, card.value);
  dot(context, x(card, card.time), height, 4.5 * ratio, "#fff3dc", 0.3);
  dot(context, size * 0.92, height, 5 * ratio, "#f0a63a", 0.25);
}

function dot(context, px, py, radius, color, halo) {
  context.fillStyle = color;
  for (const [scale, alpha] of [[2, halo], [1, 1]]) {
    context.globalAlpha = alpha;
    context.beginPath();
    context.arc(px, py, radius * scale, 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}

let last = performance.now();
function frame(now) {
  store.update(Math.min(0.1, Math.max(0, now - last) / 1000));
  last = now;
  for (const card of cards) if (card.seen) plot(card);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
