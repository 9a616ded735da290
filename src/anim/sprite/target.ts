import type { QuadLike, SpriteLike } from "../module/host.js";
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

/** What a player keeps up to date: a quad, a sprite, both or nothing. @internal */
export class SpriteTarget {
  quad: QuadLike | null = null;
  #sprite: SpriteLike | null = null;
  #spriteQuad: PlayerQuad | null = null;
  #spriteSheet: SpriteSheet | null = null;

  get isEmpty(): boolean {
    return this.quad === null && this.#sprite === null;
  }

  bindSprite(sprite: SpriteLike | null): void {
    this.#sprite = sprite;
    this.#spriteSheet = null;
    this.#spriteQuad ??= sprite === null ? null : new PlayerQuad();
  }

  /** Writes a frame of a sheet. */
  show(sheet: SpriteSheet, frame: number): void {
    if (this.quad !== null) sheet.applyToQuad(this.quad, frame);
    const sprite = this.#sprite;
    if (sprite === null) return;
    const texture = sheet.getTexture();
    if (this.#spriteSheet !== sheet && texture !== null) {
      sprite.setTexture?.(texture);
      this.#spriteSheet = sheet;
    }
    sheet.applyToQuad(this.#spriteQuad!, frame);
    sprite.setQuad?.(this.#spriteQuad!);
    sprite.setFrameLayout?.(sheet.getFrameLayout(frame));
  }
}
