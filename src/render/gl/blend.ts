import { BlendMode } from "../../spine/enums.js";

/** Sets the blend functions of a slot's blend mode for premultiplied colours; additive ones have an alpha of 0. @internal */
export function setBlend(gl: WebGL2RenderingContext, blend: BlendMode): void {
  switch (blend) {
    case BlendMode.Multiply:
      gl.blendFuncSeparate(gl.DST_COLOR, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      return;
    case BlendMode.Screen:
      gl.blendFuncSeparate(gl.ONE, gl.ONE_MINUS_SRC_COLOR, gl.ONE, gl.ONE_MINUS_SRC_COLOR);
      return;
    default:
      gl.blendFuncSeparate(gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }
}
