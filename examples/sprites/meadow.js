// What lies behind the figures: an evening sky, hills, grass. Drawn once for each size of the window.
export function meadow(canvas, width, height) {
  canvas.width = width;
  canvas.height = height;
  const art = canvas.getContext("2d"), horizon = height * 0.4;
  const fill = (colors, from, to) => {
    const gradient = art.createLinearGradient(0, from, 0, to);
    colors.forEach((color, i) => gradient.addColorStop(i / (colors.length - 1), color));
    art.fillStyle = gradient;
  };
  fill(["#2b2f63", "#5b4a8c", "#c06f95", "#ffb58a"], 0, horizon);
  art.fillRect(0, 0, width, horizon + 2);
  const sun = art.createRadialGradient(width * 0.72, horizon * 0.86, 0, width * 0.72, horizon * 0.86, height * 0.34);
  sun.addColorStop(0, "#fff2cfff");
  sun.addColorStop(0.13, "#ffe0a8ee");
  sun.addColorStop(0.16, "#ffc98866");
  sun.addColorStop(1, "#ffb07000");
  art.fillStyle = sun;
  art.fillRect(0, 0, width, horizon + 2);
  [["#6f5a93", 0.26, 3.1, 0.2], ["#4f5a86", 0.17, 4.7, 1.9], ["#3d6273", 0.09, 7.3, 4.2]].forEach(([color, rise, waves, shift]) => {
    art.fillStyle = color;
    art.beginPath();
    art.moveTo(0, horizon + 2);
    for (let x = 0; x < width + 6; x += 6) {
      const u = (x / width) * waves + shift;
      art.lineTo(x, horizon - horizon * rise * (0.55 + 0.3 * Math.sin(u) + 0.15 * Math.sin(u * 2.7)));
    }
    art.lineTo(width, horizon + 2);
    art.fill();
  });
  fill(["#5f9a72", "#3f7d5c", "#255a4a", "#173e3a"], horizon, height);
  art.fillRect(0, horizon, width, height - horizon);
  // Tufts, larger the nearer they are.
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  art.lineCap = "round";
  for (let i = 0; i < 900; i++) {
    const depth = i / 900, x = random() * width, y = horizon + (height - horizon) * depth * depth + 2, size = (2 + 13 * depth) * (0.6 + 0.8 * random()) * Math.max(1, height / 900);
    art.strokeStyle = `hsl(${132 + 34 * random()} 42% ${24 + 22 * random() - 8 * depth}% / 0.75)`;
    art.lineWidth = Math.max(1, size / 6);
    for (const lean of [-0.5, 0.1, 0.6]) {
      art.beginPath();
      art.moveTo(x, y);
      art.quadraticCurveTo(x + lean * size * 0.3, y - size * 0.6, x + lean * size, y - size * (0.8 + 0.3 * random()));
      art.stroke();
    }
    if (random() < 0.07 && depth > 0.15) {
      art.fillStyle = ["#ffe9a8", "#ffb3c7", "#e8e3ff"][i % 3];
      art.beginPath();
      art.arc(x, y - size, size * 0.16 + 0.6, 0, 7);
      art.fill();
    }
  }
}
