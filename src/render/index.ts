/** Renderers. Entry `osteon/render`. */

// WebGL2.
export { SkeletonRenderer } from "./gl/skeleton-renderer.js";
export { GlTexture, type GlTextureOptions } from "./gl/gl-texture.js";
export { GlAssetManager } from "./gl/gl-asset-manager.js";
export { LineRenderer } from "./gl/line-renderer.js";
export { orthographic } from "./gl/program.js";

// Crowds with WebGL2.
export { CrowdRenderer, type CrowdDrawOptions, type CrowdRendererOptions, type TextureResolver } from "./crowd/crowd-renderer.js";
export type { Rectangle } from "./crowd/row-list.js";
export { drawCrowdInThree, type ThreeCamera, type ThreeObject, type ThreeRenderer } from "./crowd/three.js";
export { drawCrowdInPixi, type PixiContainer, type PixiRenderer } from "./crowd/pixi.js";

// 3D crowds with WebGL2, and in scenes of three.js.
export { Crowd3DRenderer, type Crowd3DDrawOptions, type Crowd3DLook } from "./crowd3d/crowd3d-renderer.js";
export type { Crowd3DMesh, Distances } from "./crowd3d/figure-mesh.js";
export {
  crowdInThree, type ThreeCrowd, type ThreeFigure, type ThreeGeometry, type ThreeMaterial, type ThreeModule,
} from "./crowd3d/three.js";

// Canvas2D.
export { CanvasSkeletonRenderer } from "./canvas/canvas-skeleton-renderer.js";
export { CanvasAssetManager, CanvasTexture } from "./canvas/canvas-texture.js";

// Debug drawing into lines, for any renderer.
export { LineBuffer } from "./debug/line-buffer.js";
export { DEBUG_COLORS, debugSkeleton, type SkeletonDebugOptions } from "./debug/skeleton-debug.js";

// Drawing for the animation module: sprites, trails, Spine draw items.
export { CanvasGraphics, CanvasImage } from "./anim/canvas-graphics.js";
export { GlGraphics, GlImage } from "./anim/gl-graphics.js";
