import { ArgumentError, OsteonError } from "../../errors.js";

/**
 * Compiles and links a pair of shaders.
 * @throws ArgumentError for anything but a WebGL2 context
 * @throws OsteonError `bad-state` with the compiler's words
 */
export function linkProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  requireContext(gl);
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    // Goes with the program.
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new OsteonError("bad-state", `A shader did not link: ${gl.getProgramInfoLog(program) ?? "no reason given"}.`);
  }
  return program;
}

/** Refuses canvases, contexts of WebGL 1, and the null that a browser without WebGL2 gives. */
function requireContext(gl: unknown): void {
  if (typeof (gl as WebGL2RenderingContext | null | undefined)?.createVertexArray === "function") return;
  const given = gl === null ? "null, which is what canvas.getContext() gives where WebGL2 is not to be had"
    : typeof gl !== "object" ? typeof gl : "getContext" in gl ? "a canvas" : "createProgram" in gl ? "a context of WebGL 1" : "something else";
  throw new ArgumentError(`A renderer was given ${given}, expected a WebGL2 context: canvas.getContext("webgl2").`, { found: gl });
}

/**
 * A column-major 4x4 matrix that shows the world rectangle around (x, y), y up.
 * @param out - receives 16 values
 */
export function orthographic(x: number, y: number, width: number, height: number, out = new Float32Array(16)): Float32Array {
  out.fill(0);
  out[0] = 2 / width;
  out[5] = 2 / height;
  out[10] = -1;
  out[12] = (-2 * x) / width;
  out[13] = (-2 * y) / height;
  out[15] = 1;
  return out;
}
