import { OsteonError } from "../../errors.js";

/** Compiles and links a pair of shaders. @throws OsteonError `bad-state` with the compiler's words */
export function linkProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
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
