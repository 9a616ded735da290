// A small stage for the 3D pages: lit meshes with shadows on the ground (WebGL2), lines and labels over them (canvas 2D), a camera to drag.

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 view;
uniform mat4 model;
uniform float flatten;
out vec3 worldNormal;
out vec3 world;
void main() {
  vec4 p = model * vec4(position, 1.0);
  worldNormal = mat3(model) * normal;
  // A shadow: along the light onto the ground.
  if (flatten > 0.5) p.xyz = vec3(p.x + p.y * 0.35, 0.0, p.z - p.y * 0.45);
  world = p.xyz;
  gl_Position = view * p;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 worldNormal;
in vec3 world;
uniform vec4 color;
uniform float ground;
uniform float flatten;
uniform vec3 eye;
out vec4 result;
void main() {
  float far = clamp((length(world - eye) - 5.0) / 16.0, 0.0, 1.0);
  vec3 haze = vec3(0.105, 0.12, 0.19);
  if (ground > 0.5) {
    vec2 grid = abs(fract(world.xz) - 0.5), width = fwidth(world.xz);
    float line = max(smoothstep(0.5 - width.x * 1.4, 0.5, grid.x), smoothstep(0.5 - width.y * 1.4, 0.5, grid.y));
    vec3 floorColor = mix(vec3(0.17, 0.19, 0.28), vec3(0.27, 0.3, 0.43), line);
    result = vec4(mix(floorColor, haze, far), 1.0);
    return;
  }
  if (flatten > 0.5) {
    float alpha = color.a * (1.0 - far);
    result = vec4(color.rgb * alpha, alpha);
    return;
  }
  vec3 n = normalize(worldNormal);
  float sun = max(0.0, dot(n, normalize(vec3(-0.35, 1.0, 0.45))));
  float rim = pow(1.0 - max(0.0, dot(n, normalize(eye - world))), 3.0);
  vec3 lit = color.rgb * (0.42 + 0.22 * n.y + 0.62 * sun) + 0.2 * rim * vec3(0.6, 0.75, 1.0);
  result = vec4(mix(lit, haze, far * 0.8) * color.a, color.a);
}`;

/** @param {HTMLElement} host */
export function createStage(host, { distance = 4.2, target = [0, 0.95, 0], yaw = 0.6, pitch = 0.22 } = {}) {
  const canvas = host.appendChild(document.createElement("canvas")), overlay = host.appendChild(document.createElement("canvas"));
  overlay.style.pointerEvents = "none";
  const gl = canvas.getContext("webgl2", { antialias: true, stencil: true }), pen = overlay.getContext("2d");
  if (!gl) throw new Error("This page needs WebGL2.");
  const program = compile(gl), uniform = (name) => gl.getUniformLocation(program, name);
  const at = Object.fromEntries(["view", "model", "flatten", "color", "ground", "eye"].map((name) => [name, uniform(name)]));
  const camera = { distance, target: [...target], yaw, pitch };
  const view = new Float32Array(16), eye = [0, 0, 0], side = [1, 0, 0], up = [0, 1, 0];
  const identity = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const floor = mesh([-40, 0, -40, 40, 0, -40, 40, 0, 40, -40, 0, 40], [0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0], [0, 2, 1, 0, 3, 2]);
  let scale = 1;

  function mesh(positions, normals, indices) {
    const vao = gl.createVertexArray(), buffers = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
    gl.bindVertexArray(vao);
    [positions, normals].forEach((data, i) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[i]);
      gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(data), gl.DYNAMIC_DRAW);
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, 3, gl.FLOAT, false, 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[2]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(indices), gl.STATIC_DRAW);
    return { vao, buffers, count: indices.length };
  }

  const stage = {
    canvas, overlay, pen, camera, mesh,
    /** New places and normals of a mesh's vertices. */
    update({ buffers }, positions, normals) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, positions);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[1]);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, normals);
    },
    /** Starts a picture: size, camera, ground. */
    begin() {
      scale = Math.min(2, devicePixelRatio);
      const width = Math.round(host.clientWidth * scale), height = Math.round(host.clientHeight * scale);
      for (const one of [canvas, overlay]) {
        if (one.width !== width) one.width = width;
        if (one.height !== height) one.height = height;
      }
      const { yaw: y, pitch: p, distance: d, target: t } = camera, back = [Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p)];
      side[0] = Math.cos(y);
      side[2] = -Math.sin(y);
      for (let k = 0; k < 3; k++) eye[k] = t[k] + back[k] * d;
      [up[0], up[1], up[2]] = [back[1] * side[2] - back[2] * side[1], back[2] * side[0] - back[0] * side[2], back[0] * side[1] - back[1] * side[0]];
      const f = 1 / Math.tan(0.38), aspect = width / Math.max(1, height), near = 0.05, distant = 80, a = (distant + near) / (near - distant), b = (2 * distant * near) / (near - distant);
      const dot = (v) => v[0] * eye[0] + v[1] * eye[1] + v[2] * eye[2];
      for (let c = 0; c < 3; c++) view.set([(f / aspect) * side[c], f * up[c], a * back[c], -back[c]], c * 4);
      view.set([-(f / aspect) * dot(side), -f * dot(up), -a * dot(back) + b, dot(back)], 12);
      gl.viewport(0, 0, width, height);
      gl.clearColor(0.105, 0.12, 0.19, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.useProgram(program);
      gl.uniformMatrix4fv(at.view, false, view);
      gl.uniform3fv(at.eye, eye);
      gl.uniform1f(at.ground, 1);
      draw(floor, identity, [1, 1, 1, 1]);
      gl.uniform1f(at.ground, 0);
      pen.clearRect(0, 0, width, height);
    },
    /** Draws a mesh and, unless told otherwise, its shadow. `model` is a column-major 4x4 matrix. */
    draw(one, color, model = identity, shadow = true) {
      if (shadow) {
        // Flat on the ground, a little nearer than it; the stencil has each pixel darkened once, however many triangles lie there.
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.enable(gl.STENCIL_TEST);
        gl.stencilFunc(gl.EQUAL, 0, 255);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(-2, -4);
        gl.depthMask(false);
        gl.uniform1f(at.flatten, 1);
        draw(one, model, [0.02, 0.02, 0.05, 0.42]);
        gl.uniform1f(at.flatten, 0);
        gl.depthMask(true);
        gl.disable(gl.POLYGON_OFFSET_FILL);
        gl.disable(gl.STENCIL_TEST);
        gl.disable(gl.BLEND);
      }
      draw(one, model, color);
    },
    /** Draws a mesh that is see-through. */
    drawGlass(one, color, model = identity) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(false);
      draw(one, model, color);
      gl.depthMask(true);
      gl.disable(gl.BLEND);
    },
    /** Canvas pixel of a point, and its depth; undefined behind the camera. */
    project(x, y, z) {
      const w = view[3] * x + view[7] * y + view[11] * z + view[15];
      if (w < 0.01) return undefined;
      const px = (view[0] * x + view[4] * y + view[8] * z + view[12]) / w, py = (view[1] * x + view[5] * y + view[9] * z + view[13]) / w;
      return [(px * 0.5 + 0.5) * overlay.width, (0.5 - py * 0.5) * overlay.height, w];
    },
    line(points, color, width = 2) {
      pen.beginPath();
      let open = false;
      for (const [x, y, z] of points) {
        const p = stage.project(x, y, z);
        if (p === undefined) open = false;
        else if (open) pen.lineTo(p[0], p[1]);
        else {
          pen.moveTo(p[0], p[1]);
          open = true;
        }
      }
      pen.strokeStyle = color;
      pen.lineWidth = width * scale;
      pen.lineCap = pen.lineJoin = "round";
      pen.stroke();
    },
    dot(x, y, z, radius, color) {
      const p = stage.project(x, y, z);
      if (p === undefined) return;
      pen.beginPath();
      pen.arc(p[0], p[1], radius * scale, 0, 7);
      pen.fillStyle = color;
      pen.fill();
    },
    label(x, y, z, text, color = "#f3f1ff") {
      const p = stage.project(x, y, z);
      if (p === undefined) return;
      pen.font = `${13 * scale}px system-ui, sans-serif`;
      pen.textAlign = "center";
      pen.fillStyle = color;
      pen.fillText(text, p[0], p[1]);
    },
    /** World displacement of a pointer's way in CSS pixels, at the depth of a point. */
    drag(point, dx, dy) {
      const depth = stage.project(...point)?.[2] ?? camera.distance, k = (2 * depth * Math.tan(0.38)) / host.clientHeight;
      return [0, 1, 2].map((c) => (side[c] * dx - up[c] * dy) * k);
    },
  };

  function draw({ vao, count }, model, color) {
    gl.bindVertexArray(vao);
    gl.uniformMatrix4fv(at.model, false, model);
    gl.uniform4fv(at.color, color);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
  }
  orbit(stage);
  return stage;
}

/** Turns the camera by dragging, moves it by the wheel; what `stage.pick` takes is dragged instead. */
function orbit(stage) {
  const { canvas, camera } = stage;
  let last = null, held = null;
  canvas.addEventListener("pointerdown", (event) => {
    last = [event.clientX, event.clientY];
    held = stage.pick?.(event.offsetX, event.offsetY) ?? null;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (last === null) return;
    const dx = event.clientX - last[0], dy = event.clientY - last[1];
    last = [event.clientX, event.clientY];
    if (held !== null) {
      held(dx, dy);
      return;
    }
    camera.yaw -= dx * 0.006;
    camera.pitch = Math.min(1.4, Math.max(-0.1, camera.pitch + dy * 0.005));
  });
  for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, () => (last = held = null));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.distance = Math.min(20, Math.max(1.2, camera.distance * Math.exp(event.deltaY * 0.001)));
  }, { passive: false });
}

function compile(gl) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "program");
  return program;
}

/** A ball of radius 1. */
export function ball(stage, rings = 18, turns = 28) {
  const positions = [], indices = [];
  for (let r = 0; r <= rings; r++) {
    for (let t = 0; t <= turns; t++) {
      const a = (r / rings) * Math.PI, b = (t / turns) * 2 * Math.PI;
      positions.push(Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b));
      if (r < rings && t < turns) {
        const i = r * (turns + 1) + t;
        indices.push(i, i + 1, i + turns + 1, i + 1, i + turns + 2, i + turns + 1);
      }
    }
  }
  return stage.mesh(positions, positions, indices);
}

/** A solid from x0 to x1 above the ground: its outline along z as [z, y] points; two of the same z are a riser. */
export function extrude(stage, outlines, x0, x1) {
  const positions = [], normals = [], indices = [];
  const face = (corners, normal) => {
    const first = positions.length / 3;
    for (const corner of corners) {
      positions.push(...corner);
      normals.push(...normal);
    }
    for (let i = 2; i < corners.length; i++) indices.push(first, first + i - 1, first + i);
  };
  for (const outline of outlines) {
    for (let i = 0; i + 1 < outline.length; i++) {
      const [za, ya] = outline[i], [zb, yb] = outline[i + 1], size = Math.hypot(zb - za, yb - ya);
      if (size === 0) continue;
      face([[x0, ya, za], [x1, ya, za], [x1, yb, zb], [x0, yb, zb]], [0, (zb - za) / size, (ya - yb) / size]);
      if (za === zb) continue;
      // The wall below meets its neighbours in every corner, so that no pixel stays open between them.
      const before = i > 0 ? Math.min(ya, outline[i - 1][1]) : 0, after = i + 2 < outline.length ? Math.min(yb, outline[i + 2][1]) : 0;
      for (const x of [x0, x1]) face([[x, 0, za], [x, 0, zb], [x, after, zb], [x, yb, zb], [x, ya, za], [x, before, za]], [x === x0 ? -1 : 1, 0, 0]);
    }
  }
  return stage.mesh(positions, normals, indices);
}

/** A matrix: turned about +Y, scaled evenly, moved. */
export function place(x, y, z, yaw = 0, size = 1, out = new Float32Array(16)) {
  const c = Math.cos(yaw) * size, s = Math.sin(yaw) * size;
  out.set([c, 0, -s, 0, 0, size, 0, 0, s, 0, c, 0, x, y, z, 1]);
  return out;
}
