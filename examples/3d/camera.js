// A camera that turns around a point, and the matrices that go with it (column-major).

export const multiply = (a, b) => Array.from({ length: 16 }, (_, i) => [0, 4, 8, 12].reduce((sum, k, n) => sum + a[(i & 3) + k] * b[(i & ~3) + n], 0));

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

function lookAt(eye, target) {
  const z = normalize(eye.map((v, i) => v - target[i])), x = normalize([z[2], 0, -z[0]]), y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  const dot = (a) => -(a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2]);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, dot(x), dot(y), dot(z), 1];
}

function normalize(v) {
  const length = Math.hypot(...v) || 1;
  return v.map((c) => c / length);
}

/** Where a point is in pixels, or null behind the camera. */
export function toPixels(matrix, x, y, z, width, height) {
  const w = matrix[3] * x + matrix[7] * y + matrix[11] * z + matrix[15];
  if (w <= 0.01) return null;
  const px = (matrix[0] * x + matrix[4] * y + matrix[8] * z + matrix[12]) / w, py = (matrix[1] * x + matrix[5] * y + matrix[9] * z + matrix[13]) / w;
  return [px * 0.5 * width, py * 0.5 * height];
}

export class Camera {
  yaw = 0.6;
  pitch = 0.3;
  distance = 6;
  target = [0, 1, 0];
  /** Height of what is looked at: 1.7 for people. */
  size = 1.7;
  eye = [0, 0, 0];
  matrix = new Float32Array(16);

  /** Drag, wheel and pinch on a canvas. */
  listen(canvas) {
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) return;
      this.yaw -= event.movementX * 0.006;
      this.pitch = Math.min(1.5, Math.max(-0.1, this.pitch + event.movementY * 0.005));
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.distance = Math.min(60, Math.max(0.5, this.distance * Math.exp(event.deltaY * 0.001)));
    }, { passive: false });
  }

  /** @param shift - share of the picture that a panel covers at the left */
  update(aspect, shift) {
    const d = this.distance * this.size, c = Math.cos(this.pitch);
    this.eye = [this.target[0] + d * c * Math.sin(this.yaw), this.target[1] + d * Math.sin(this.pitch), this.target[2] + d * c * Math.cos(this.yaw)];
    const view = multiply(perspective(0.75, aspect, 0.02 * this.size, 250 * this.size), lookAt(this.eye, this.target));
    // Moves the picture to the middle of what the panel leaves free.
    for (let k = 0; k < 4; k++) view[k * 4] += shift * view[k * 4 + 3];
    this.matrix.set(view);
  }
}
