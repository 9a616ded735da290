// The character: skinned by osteon, drawn with a few lines of WebGL2 over a grid that moves past below it.
const VERTEX = `#version 300 es
layout(location=0) in vec3 position; layout(location=1) in vec3 normal; layout(location=2) in vec4 color;
uniform mat4 camera; out vec3 vNormal; out vec3 vColor;
void main() { vNormal = normal; vColor = color.rgb; gl_Position = camera * vec4(position, 1.0); }`;
const FRAGMENT = `#version 300 es
precision highp float; in vec3 vNormal; in vec3 vColor; out vec4 pixel;
void main() {
  vec3 n = normalize(vNormal);
  float key = max(dot(n, normalize(vec3(0.5, 0.8, 0.6))), 0.0), rim = pow(1.0 - max(n.z, 0.0), 3.0);
  vec3 light = vec3(0.36, 0.4, 0.56) + vec3(1.0, 0.92, 0.78) * key * 0.95 + vec3(0.25, 0.3, 0.5) * rim;
  pixel = vec4(pow(vColor * light, vec3(1.0 / 2.2)), 1.0);
}`;
const GROUND_VERTEX = `#version 300 es
layout(location=0) in vec2 corner; uniform mat4 camera; uniform vec3 place; out vec2 vWorld; out vec2 vLocal;
void main() {
  vLocal = corner * 14.0;
  float c = cos(place.z), s = sin(place.z);
  vWorld = place.xy + vec2(vLocal.x * c + vLocal.y * s, -vLocal.x * s + vLocal.y * c);
  gl_Position = camera * vec4(vLocal.x, 0.0, vLocal.y, 1.0);
}`;
const GROUND_FRAGMENT = `#version 300 es
precision highp float; in vec2 vWorld; in vec2 vLocal; out vec4 pixel;
float grid(vec2 p, float size) { vec2 q = abs(fract(p / size - 0.5) - 0.5) * size / fwidth(p); return 1.0 - min(min(q.x, q.y), 1.0); }
void main() {
  float far = smoothstep(13.0, 2.0, length(vLocal)), line = grid(vWorld, 1.0) * 0.3 + grid(vWorld, 5.0) * 0.35;
  float shade = 0.5 * smoothstep(0.55, 0.05, length(vLocal));
  pixel = vec4(mix(vec3(0.62, 0.7, 1.0), vec3(0.03, 0.04, 0.08), step(line, shade)), max(line, shade) * far);
}`;

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) ?? "the shaders do not link");
  return made;
}

export class Figure {
  constructor(canvas, skin, mesh) {
    const gl = (this.gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: false }));
    this.canvas = canvas;
    this.skin = skin;
    this.count = mesh.indices.length;
    this.body = program(gl, VERTEX, FRAGMENT);
    this.ground = program(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    this.positions = this.attribute(0, 3);
    this.normals = this.attribute(1, 3);
    this.attribute(2, 4);
    gl.bufferData(gl.ARRAY_BUFFER, mesh.colors ?? new Float32Array(skin.getVertexCount() * 4).fill(0.8), gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(mesh.indices), gl.STATIC_DRAW);
    this.plane = gl.createVertexArray();
    gl.bindVertexArray(this.plane);
    this.attribute(0, 2);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  }

  attribute(location, size) {
    const { gl } = this, buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
    return buffer;
  }

  /** @param center - where the character stands in the picture, -1..1 @param place - x, z and heading on the ground @param zoom - its size */
  draw(pose, center, place, zoom = 1) {
    const { gl, canvas, skin } = this, ratio = devicePixelRatio, width = Math.round(innerWidth * ratio), height = Math.round(innerHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    skin.updateSkinnedPositions(pose);
    skin.updateSkinnedNormals(pose);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const camera = cameraOf(width / height, center, zoom);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(this.ground);
    gl.uniformMatrix4fv(gl.getUniformLocation(this.ground, "camera"), false, camera);
    gl.uniform3f(gl.getUniformLocation(this.ground, "place"), place.x, place.z, place.yaw);
    gl.bindVertexArray(this.plane);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.useProgram(this.body);
    gl.uniformMatrix4fv(gl.getUniformLocation(this.body, "camera"), false, camera);
    gl.bindVertexArray(this.array);
    for (const [buffer, values] of [[this.positions, skin.getSkinnedPositions()], [this.normals, skin.getSkinnedNormals()]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
    }
    gl.drawElements(gl.TRIANGLES, this.count, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
  }
}

/** Looks at the character from the front, its place in the picture moved to `center`. */
function cameraOf(aspect, center, zoom) {
  const turn = -0.55, tilt = 0.2, distance = 5.2, near = 0.1, far = 60, f = 2.1 * zoom;
  const ct = Math.cos(turn), st = Math.sin(turn), cp = Math.cos(tilt), sp = Math.sin(tilt);
  // View: turn about y, tilt about x, step back; the hips stand in the middle.
  const view = [ct, st * sp, -st * cp, 0, 0, cp, sp, 0, st, -ct * sp, ct * cp, 0, 0, -0.95 * cp, -0.95 * sp - distance, 1];
  const fx = f / aspect, a = (far + near) / (near - far), b = (2 * far * near) / (near - far);
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) {
    const [x, y, z, w] = view.slice(c * 4, c * 4 + 4);
    out.set([fx * x - center[0] * z, f * y - center[1] * z, a * z + b * w, -z], c * 4);
  }
  return out;
}
