/** Line segments with a colour each, for any renderer: two ends of x, y in world units. */
export class LineBuffer {
  /** x1, y1, x2, y2 per line; `lineCount` of them count. */
  positions = new Float32Array(1024);
  /** 0xAABBGGRR per line: bytes r, g, b, a in memory. */
  colors = new Uint32Array(256);
  lineCount = 0;

  clear(): void {
    this.lineCount = 0;
  }

  /** @param color - 0xRRGGBBAA */
  line(x1: number, y1: number, x2: number, y2: number, color: number): void {
    const at = this.lineCount++;
    if (at === this.colors.length) this.#grow();
    this.positions[at * 4] = x1;
    this.positions[at * 4 + 1] = y1;
    this.positions[at * 4 + 2] = x2;
    this.positions[at * 4 + 3] = y2;
    this.colors[at] = ((color >>> 24) | ((color >>> 8) & 0xff00) | ((color << 8) & 0xff0000) | (color << 24)) >>> 0;
  }

  /** Lines through points (x, y pairs). */
  polyline(points: ArrayLike<number>, count: number, closed: boolean, color: number): void {
    for (let i = 2; i < count; i += 2) this.line(points[i - 2]!, points[i - 1]!, points[i]!, points[i + 1]!, color);
    if (closed && count > 4) this.line(points[count - 2]!, points[count - 1]!, points[0]!, points[1]!, color);
  }

  /** A cross of two lines, `size` from its middle to each end. */
  cross(x: number, y: number, size: number, color: number): void {
    this.line(x - size, y, x + size, y, color);
    this.line(x, y - size, x, y + size, color);
  }

  /** A circle of `segments` lines. */
  circle(x: number, y: number, radius: number, color: number, segments = 12): void {
    let x1 = x + radius;
    let y1 = y;
    for (let i = 1; i <= segments; i++) {
      const angle = (i * 2 * Math.PI) / segments;
      const x2 = x + Math.cos(angle) * radius;
      const y2 = y + Math.sin(angle) * radius;
      this.line(x1, y1, x2, y2, color);
      x1 = x2;
      y1 = y2;
    }
  }

  /** A cubic Bezier curve of `segments` lines. */
  curve(
    x1: number, y1: number, cx1: number, cy1: number, cx2: number, cy2: number, x2: number, y2: number, color: number, segments = 16,
  ): void {
    let fromX = x1;
    let fromY = y1;
    for (let i = 1; i <= segments; i++) {
      const t = i / segments;
      const u = 1 - t;
      const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      const x = a * x1 + b * cx1 + c * cx2 + d * x2;
      const y = a * y1 + b * cy1 + c * cy2 + d * y2;
      this.line(fromX, fromY, x, y, color);
      fromX = x;
      fromY = y;
    }
  }

  #grow(): void {
    const positions = new Float32Array(this.positions.length * 2);
    positions.set(this.positions);
    this.positions = positions;
    const colors = new Uint32Array(this.colors.length * 2);
    colors.set(this.colors);
    this.colors = colors;
  }
}
