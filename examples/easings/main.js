// Cards with the 31 named eases and some with parameters: the curve, and a dot that follows it.
import { EASE_NAMES, Easing, MotionStore } from "../../dist/anim/index.js";

const store = new MotionStore();
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
  const card = { canvas, ease, time: 0, value: 0, curve: new Path2D(), speed: 1, motions: [] };
  figure.onpointerenter = () => card.motions.forEach((motion) => motion.setSpeed(0.3));
  figure.onpointerleave = () => card.motions.forEach((motion) => motion.setSpeed(1));
  card.motions.push(
    store.motion(0, 1, 1.6).delay(0.5, "every").loops(-1).bind((time) => (card.time = time)),
    store.motion(0, 1, 1.6).delay(0.5, "every").loops(-1).ease(ease).bind((value) => (card.value = value)),
  );
  return card;
});

function plot(card) {
  const size = card.canvas.clientWidth * devicePixelRatio;
  if (card.canvas.width !== Math.round(size)) {
    card.canvas.width = card.canvas.height = Math.round(size);
    card.curve = new Path2D();
    for (let i = 0; i <= 120; i++) card.curve.lineTo(x(card, i / 120), y(card, Easing.evaluate(card.ease, i / 120)));
  }
  const context = card.canvas.getContext("2d");
  context.clearRect(0, 0, size, size);
  context.lineWidth = devicePixelRatio;
  context.strokeStyle = "#ffffff22";
  context.strokeRect(x(card, 0), y(card, 1), x(card, 1) - x(card, 0), y(card, 0) - y(card, 1));
  context.lineWidth = 2.5 * devicePixelRatio;
  context.strokeStyle = "#8fb7ff";
  context.stroke(card.curve);
  for (const [px, py, radius, color] of [[x(card, card.time), y(card, card.value), 5, "#f0a63a"], [size * 0.95, y(card, card.value), 5, "#ff7d9c"]]) {
    context.fillStyle = color;
    context.beginPath();
    context.arc(px, py, radius * devicePixelRatio, 0, 7);
    context.fill();
  }
}

const x = (card, t) => card.canvas.width * (0.08 + 0.78 * t);
const y = (card, v) => card.canvas.height * (0.8 - 0.6 * v);

let last = performance.now();
function frame(now) {
  store.update(Math.min(0.1, Math.max(0, now - last) / 1000));
  last = now;
  cards.forEach(plot);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
