import { ArgumentError } from "../../errors.js";
import type { CrowdDrawOptions, CrowdRenderer } from "./crowd-renderer.js";

/** What is needed of a `WebGLRenderer` of three.js. */
export interface ThreeRenderer {
  getContext(): unknown;
  resetState(): void;
}

/** What is needed of a camera of three.js. */
export interface ThreeCamera {
  readonly projectionMatrix: { readonly elements: ArrayLike<number> };
  readonly matrixWorldInverse: { readonly elements: ArrayLike<number> };
}

/** What is needed of an object of three.js: where the crowd's plane is in the scene. */
export interface ThreeObject {
  readonly matrixWorld: { readonly elements: ArrayLike<number> };
}

const view = /* @__PURE__ */ new Float32Array(16);
const whole = /* @__PURE__ */ new Float32Array(16);

/**
 * Draws a crowd into a frame of three.js: in the plane z = 0 of an object (of the scene without one), over what was rendered so
 * far. Call it after `renderer.render(scene, camera)`, or in the `onAfterRender` of an object that is rendered last. The
 * CrowdRenderer was made with `renderer.getContext()`. Depth is neither tested nor written.
 * @throws ArgumentError for what is no renderer, camera or crowd, and for a CrowdRenderer of another context
 */
export function drawCrowdInThree(renderer: ThreeRenderer, camera: ThreeCamera, crowd: CrowdRenderer, object?: ThreeObject, options?: CrowdDrawOptions): void {
  if (typeof renderer?.resetState !== "function") throw new ArgumentError("The renderer is none of three.js. Give the WebGLRenderer that has drawn the scene.");
  if (camera?.projectionMatrix === undefined) throw new ArgumentError("The camera is missing. Give the camera of three.js that the scene was rendered with.");
  checkHost(crowd, renderer.getContext(), "renderer.getContext()");
  multiply(camera.projectionMatrix.elements, camera.matrixWorldInverse.elements, view);
  if (object === undefined) whole.set(view);
  else multiply(view, object.matrixWorld.elements, whole);
  renderer.resetState();
  prepare(crowd.gl);
  crowd.draw(whole, options);
  renderer.resetState();
}

/** Column-major a x b. */
function multiply(a: ArrayLike<number>, b: ArrayLike<number>, out: Float32Array): void {
  for (let column = 0; column < 16; column += 4) {
    for (let row = 0; row < 4; row++) {
      out[column + row] = a[row]! * b[column]! + a[row + 4]! * b[column + 1]! + a[row + 8]! * b[column + 2]! + a[row + 12]! * b[column + 3]!;
    }
  }
}

/** @throws ArgumentError unless a crowd is drawn with the host's context @internal */
export function checkHost(crowd: CrowdRenderer, gl: unknown, call: string): void {
  if (typeof crowd?.draw !== "function") throw new ArgumentError("The crowd to draw is missing. Give a CrowdRenderer.", { found: crowd });
  if (crowd.gl !== gl) throw new ArgumentError(`The CrowdRenderer draws with another context than the host. Make it with ${call}.`);
}

/** Puts the states that a crowd is drawn with in place of a host's. @internal */
export function prepare(gl: WebGL2RenderingContext): void {
  gl.disable(gl.DEPTH_TEST);
  gl.disable(gl.CULL_FACE);
  gl.disable(gl.STENCIL_TEST);
  gl.blendEquation(gl.FUNC_ADD);
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  // Samplers of a host would hide the settings of our textures.
  for (let unit = 0; unit < 16; unit++) gl.bindSampler(unit, null);
}
