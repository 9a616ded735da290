// 32,000 points, two float motions each, started in bulk whenever a round is over.
import { EASE_NAMES, MotionStore } from "../../dist/anim/index.js";
import { fit } from "../shared/canvas.js";

const POINTS = 32_000;
const at = (id) => document.getElementById(id);
const canvas = at("stage");
const gl = canvas.getContext("webgl2", { antialias: true });
const store = new MotionStore();
const xs = new Float32Array(POINTS), ys = new Float32Array(POINTS);
const fromX = new Float32Array(POINTS), fromY = new Float32Array(POINTS), toX = new Float32Array(POINTS), toY = new Float32Array(POINTS), durations = new Float32Array(POINTS);
let groups = [];
let round = 0;
let spent = 0;

for (const name of ["mixed", ...EASE_NAMES]) at("ease").append(new Option(name));

/** Places that the points travel to, one shape after the other. */
const shapes = [
  (t) => [Math.cos(t * 6.2832) * Math.sqrt(fract(t * 7919)) * 0.9, Math.sin(t * 6.2832) * Math.sqrt(fract(t * 7919)) * 0.9],
  (t) => [Math.sin(t * 12.566 * 3) * (0.25 + 0.65 * t), Math.cos(t * 12.566 * 3) * (0.25 + 0.65 * t)],
  (t) => [(fract(t * 178.9) - 0.5) * 1.8, (t - 0.5) * 1.8],
  (t) => {
    const a = t * 6.2832, r = 0.55 + 0.3 * Math.cos(a * 5) + 0.05 * fract(t * 7919);
    return [r * Math.cos(a), r * Math.sin(a)];
  },
];
const fract = (v) => v - Math.floor(v);

function scatter() {
  for (const group of groups) group.cancel();
  const shape = shapes[round++ % shapes.length];
  for (let i = 0; i < POINTS; i++) {
    fromX[i] = xs[i];
    fromY[i] = ys[i];
    [toX[i], toY[i]] = shape(i / POINTS);
    durations[i] = 1 + 2 * fract(i * 0.618);
  }
  const names = at("ease").value === "mixed" ? EASE_NAMES : [at("ease").value];
  const share = Math.ceil(POINTS / names.length);
  groups = [];
  names.forEach((name, k) => {
    const start = k * share, count = Math.min(share, POINTS - start);
    if (count <= 0) return;
    const part = (list) => list.subarray(start, start + count);
    groups.push(store.startFloats(part(fromX), part(toX), part(durations), name, count, xs.subarray(start, start + count)));
    groups.push(store.startFloats(part(fromY), part(toY), part(durations), name, count, ys.subarray(start, start + count)));
  });
}

const program = gl.createProgram();
for (const [type, source] of [
  [gl.VERTEX_SHADER, "#version 300 es\nuniform vec2 scale; uniform float size; in float x; in float y; out vec3 tint;\nvoid main() { gl_Position = vec4(vec2(x, y) * scale, 0, 1); gl_PointSize = size; float t = float(gl_VertexID) / 32000.0; tint = 0.62 + 0.38 * cos(6.2832 * (t + vec3(0.0, 0.33, 0.62))); }"],
  [gl.FRAGMENT_SHADER, "#version 300 es\nprecision mediump float; in vec3 tint; out vec4 color;\nvoid main() { float d = length(gl_PointCoord - 0.5); float a = smoothstep(0.5, 0.3, d) * 0.75; color = vec4(tint * a, a); }"],
]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.linkProgram(program);
gl.useProgram(program);
const buffers = ["x", "y"].map((name) => {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, POINTS * 4, gl.DYNAMIC_DRAW);
  const location = gl.getAttribLocation(program, name);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, 1, gl.FLOAT, false, 0, 0);
  return buffer;
});
gl.enable(gl.BLEND);
gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
gl.clearColor(0, 0, 0, 0);

at("again").onclick = at("ease").onchange = scatter;
let last = performance.now(), shown = 0;
function frame(now) {
  const dt = Math.min(0.1, Math.max(0, now - last) / 1000) * Number(at("speed").value);
  last = now;
  const start = performance.now();
  store.update(dt);
  spent += (performance.now() - start - spent) * 0.05;
  const count = store.getMotionCount();
  if (count === 0) scatter();
  if (now - shown > 250) {
    shown = now;
    at("count").textContent = count.toLocaleString("en");
    at("update").textContent = `${spent.toFixed(2)} ms`;
    at("each").textContent = count > 0 ? `${((spent * 1e6) / count).toFixed(0)} ns` : "";
  }
  fit(canvas);
  gl.viewport(0, 0, canvas.width, canvas.height);
  const side = Math.min(canvas.width, canvas.height);
  gl.uniform2f(gl.getUniformLocation(program, "scale"), side / canvas.width, side / canvas.height);
  gl.uniform1f(gl.getUniformLocation(program, "size"), Math.max(2.5, side / 260));
  [xs, ys].forEach((values, i) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[i]);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, values);
  });
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawArrays(gl.POINTS, 0, POINTS);
  requestAnimationFrame(frame);
}
scatter();
requestAnimationFrame(frame);
