// What is drawn around the crowd: the plain with its grid, and one skinned mesh whose vertices come from the CPU.

const GROUND_VERTEX = `#version 300 es
uniform mat4 uMatrix;
uniform vec3 uEye;
uniform float uSize;
out vec3 vWorld;
void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vWorld = vec3(uEye.x + corner.x * 200.0 * uSize, 0.0, uEye.z + corner.y * 200.0 * uSize);
  gl_Position = uMatrix * vec4(vWorld, 1.0);
}`;

const GROUND_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 uEye, uSky, uGround;
uniform float uSize;
in vec3 vWorld;
out vec4 color;
float lines(vec2 p, float width) {
  vec2 fade = fwidth(p), near = abs(fract(p - 0.5) - 0.5) / max(fade, vec2(1e-5));
  return (1.0 - min(min(near.x, near.y) / width, 1.0)) * (1.0 - smoothstep(0.15, 0.6, max(fade.x, fade.y)));
}
void main() {
  vec2 p = vWorld.xz / uSize;
  vec3 base = uGround + 0.05 * lines(p, 1.2) + 0.06 * lines(p / 5.0, 1.6);
  float far = 1.0 - exp(-distance(vWorld, uEye) / uSize * 0.028);
  color = vec4(mix(base, uSky, far), 1.0);
}`;

const BODY_VERTEX = `#version 300 es
uniform mat4 uMatrix;
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec4 aColor;
out vec3 vNormal;
out vec3 vColor;
void main() {
  vNormal = aNormal;
  vColor = aColor.rgb;
  gl_Position = uMatrix * vec4(aPosition, 1.0);
}`;

const BODY_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 uFlat;   // colour, and whether it is all there is (a shadow)
in vec3 vNormal;
in vec3 vColor;
out vec4 color;
void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 light = mix(vec3(0.22, 0.19, 0.17), vec3(0.42, 0.5, 0.62), 0.5 + 0.5 * n.y) + vec3(1.6, 1.5, 1.35) * max(0.0, dot(n, normalize(vec3(0.4, 0.8, 0.45))));
  vec3 lit = vColor * light;
  color = vec4(mix(mix(lit * 12.92, 1.055 * pow(max(lit, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, lit)), uFlat.rgb, uFlat.w), 1.0);
}`;

export function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const places = {};
  return { program, at: (name) => (places[name] ??= gl.getUniformLocation(program, name)) };
}

export class Ground {
  constructor(gl) {
    this.gl = gl;
    this.shader = link(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.array = gl.createVertexArray();
  }

  draw({ matrix, eye, size }, sky, ground) {
    const { gl, shader } = this;
    gl.useProgram(shader.program);
    gl.uniformMatrix4fv(shader.at("uMatrix"), false, matrix);
    gl.uniform3f(shader.at("uEye"), ...eye);
    gl.uniform3f(shader.at("uSky"), ...sky);
    gl.uniform3f(shader.at("uGround"), ...ground);
    gl.uniform1f(shader.at("uSize"), size);
    gl.bindVertexArray(this.array);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.bindVertexArray(null);
  }
}

/** Meshes whose positions and normals are written anew every frame by AnimSkin. */
export class Bodies {
  constructor(gl, meshes) {
    this.gl = gl;
    this.shader = link(gl, BODY_VERTEX, BODY_FRAGMENT);
    this.parts = meshes.map(({ colors, indices, vertexCount }) => {
      const array = gl.createVertexArray(), positions = gl.createBuffer(), normals = gl.createBuffer();
      gl.bindVertexArray(array);
      for (const [location, buffer] of [[0, positions], [1, normals]]) {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
      }
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, colors ?? new Float32Array(vertexCount * 4).fill(0.75), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(2);
      gl.vertexAttribPointer(2, 4, gl.FLOAT, false, 0, 0);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
      gl.bindVertexArray(null);
      return { array, positions, normals, count: indices.length };
    });
  }

  /** Takes the vertices of a skin; WebGL wants no views of shared memory. */
  update(i, positions, normals) {
    const { gl } = this, part = this.parts[i];
    for (const [buffer, data] of [[part.positions, positions], [part.normals, normals]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data.buffer instanceof ArrayBuffer ? data : Float32Array.from(data), gl.STREAM_DRAW);
    }
  }

  draw(matrix, flat = [0, 0, 0, 0]) {
    const { gl, shader } = this;
    gl.useProgram(shader.program);
    gl.uniformMatrix4fv(shader.at("uMatrix"), false, matrix);
    gl.uniform4f(shader.at("uFlat"), ...flat);
    for (const { array, count } of this.parts) {
      gl.bindVertexArray(array);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
  }
}
