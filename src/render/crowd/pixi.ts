import { ArgumentError } from "../../errors.js";
import type { CrowdDrawOptions, CrowdRenderer } from "./crowd-renderer.js";
import { checkHost, prepare } from "./three.js";

/** What is needed of a `WebGLRenderer` of PixiJS 8. */
export interface PixiRenderer {
  readonly gl: unknown;
  readonly screen: { readonly width: number; readonly height: number };
  resetState(): void;
}

/** What is needed of a Container of PixiJS 8: where the crowd's world is on the screen. */
export interface PixiContainer {
  readonly worldTransform: { readonly a: number; readonly b: number; readonly c: number; readonly d: number; readonly tx: number; readonly ty: number };
}

const whole = /* @__PURE__ */ new Float32Array(16);

/**
 * Draws a crowd into a frame of PixiJS: under the transform of a container (the screen's own without one), over what was
 * rendered so far. Call it after `renderer.render(...)`. The CrowdRenderer was made with `renderer.gl`. The y axis of PixiJS
 * points down: give the container a negative `scale.y`, or make the rig with the y axis down.
 * @throws ArgumentError for what is no renderer or crowd, and for a CrowdRenderer of another context
 */
export function drawCrowdInPixi(renderer: PixiRenderer, crowd: CrowdRenderer, container?: PixiContainer, options?: CrowdDrawOptions): void {
  if (typeof renderer?.resetState !== "function") throw new ArgumentError("The renderer is none of PixiJS. Give the WebGLRenderer that has drawn the stage.");
  checkHost(crowd, renderer.gl, "renderer.gl, which a WebGLRenderer has");
  const { width, height } = renderer.screen;
  const { a, b, c, d, tx, ty } = container?.worldTransform ?? IDENTITY;
  const x = 2 / width;
  const y = -2 / height;
  whole.fill(0);
  whole[0] = a * x;
  whole[1] = b * y;
  whole[4] = c * x;
  whole[5] = d * y;
  whole[10] = 1;
  whole[12] = tx * x - 1;
  whole[13] = ty * y + 1;
  whole[15] = 1;
  renderer.resetState();
  prepare(crowd.gl);
  crowd.draw(whole, options);
  renderer.resetState();
}

const IDENTITY = { a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0 };
