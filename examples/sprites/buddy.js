// The frames: a round fellow who walks and jumps, drawn once each.
/** Side of a frame, frames of the walk and of the jump. */
export const BUDDY = 96, WALK = 10, JUMP = 8;

/** Frame `index` as straight-alpha pixels. The body is nearly white, so that a tint colours it. */
export function drawBuddy(index) {
  const art = new OffscreenCanvas(BUDDY, BUDDY).getContext("2d", { willReadFrequently: true });
  const isJump = index >= WALK, phase = isJump ? (index - WALK) / (JUMP - 1) : index / WALK;
  const swing = isJump ? 0 : Math.sin(phase * 6.2832), lift = isJump ? Math.sin(phase * 3.1416) : Math.abs(Math.cos(phase * 6.2832)) * 0.12;
  // Squeezed where it lands, stretched where it flies.
  const stretch = isJump ? 0.9 + 0.22 * lift : 1 + 0.05 * lift;
  const dot = (x, y, rx, ry, fill, turn = 0) => {
    art.fillStyle = fill;
    art.beginPath();
    art.ellipse(x, y, rx, ry, turn, 0, 7);
    art.fill();
  };
  art.translate(BUDDY / 2, BUDDY - 7);
  dot(0, 2, 19 - 7 * lift, 4 - 1.4 * lift, `rgb(20 24 48 / ${0.42 - 0.22 * lift})`);
  art.translate(0, -lift * 30);
  art.lineCap = "round";
  for (const side of [-1, 1]) {
    const step = swing * side, footX = side * 4 + step * 11, footY = isJump ? -2 + 4 * lift : -Math.max(0, Math.cos(phase * 6.2832) * side) * 6;
    art.strokeStyle = side < 0 ? "#c2583a" : "#e9764c";
    art.lineWidth = 7;
    art.beginPath();
    art.moveTo(side * 6, -16);
    art.lineTo(footX, footY - 2);
    art.stroke();
    dot(footX + 3, footY - 1, 6.5, 3.8, side < 0 ? "#a8452c" : "#d9633b");
  }
  art.scale(1 / Math.sqrt(stretch), stretch);
  art.translate(0, 4);
  // A tail that swings behind.
  art.strokeStyle = "#e88a5e";
  art.lineWidth = 6;
  art.beginPath();
  art.moveTo(-18, -26);
  art.quadraticCurveTo(-29, -26 - 4 * swing, -31, -38 + 5 * swing - 8 * lift);
  art.stroke();
  const body = art.createRadialGradient(7, -50, 4, 0, -36, 30);
  body.addColorStop(0, "#fff3e2");
  body.addColorStop(0.55, "#ffb27c");
  body.addColorStop(1, "#ee7a48");
  dot(0, -36, 22, 23, body);
  dot(6, -29, 13, 13, "#fff6e6");
  for (const side of [-1, 1]) dot(-2 + side * 10, -58, 5, 6.5, side < 0 ? "#d9703f" : "#f08a55", side * 0.4);
  for (const [x, size] of [[8, 4.4], [18, 3.8]]) {
    dot(x, -43, size, size * 1.15, "#2a2140");
    dot(x + 1.3, -44.8, size * 0.36, size * 0.36, "#ffffff");
  }
  dot(1, -35, 3.6, 2.4, "#ff8f7a99");
  art.strokeStyle = "#2a2140";
  art.lineWidth = 1.8;
  art.beginPath();
  art.arc(14, -37, 3.6, 0.3, 2.5);
  art.stroke();
  return art.getImageData(0, 0, BUDDY, BUDDY);
}
