import type { QuadLike, SpriteLike, TextureLike } from "../module/host.js";
import type { SpriteSheet } from "./sheet.js";

/** The quad that a player gives to its sprite. */
class PlayerQuad implements QuadLike {
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  degrees: 0 | 90 = 0;
  setViewport(x: number, y: number, width: number, height: number): void {
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
  }
  setRotated(degrees: 0 | 90): void {
    this.degrees = degrees;
  }
}

/** A sprite that a player keeps up to date. @internal */
export class SpriteTarget {
  readonly #quad = new PlayerQuad();
  #sheet: SpriteSheet | null = null;
  #texture: TextureLike | null = null;

  constructor(readonly sprite: SpriteLike) {}

  /** Gives it a frame: the texture once per sheet (again if the sheet got another), the quad, the layout. */
  show(sheet: SpriteSheet, frame: number): void {
    const { sprite } = this;
    const texture = sheet.getTexture();
    if (texture !== null && (this.#sheet !== sheet || this.#texture !== texture)) {
      sprite.setTexture?.(texture);
      this.#sheet = sheet;
      this.#texture = texture;
    }
    sheet.applyToQuad(this.#quad, frame);
    sprite.setQuad?.(this.#quad);
    sprite.setFrameLayout?.(sheet.getFrameLayout(frame));
  }
}
