// Packs pictures into one page: trimmed unless a mesh needs the whole picture, turned by 90 degrees where it saves room.
// The package's main file is a script that exports nothing when imported; its module file is named outright.
import { MaxRectsPacker } from "maxrects-packer/dist/maxrects-packer.mjs";

const PADDING = 2;

/** Rectangle of the pixels with any alpha; the whole picture if it is empty. */
function trim(bytes, width, height) {
  let left = width, top = height, right = -1, bottom = -1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (bytes[(y * width + x) * 4 + 3] === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? { x: 0, y: 0, width, height } : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * @param pictures - Map name → { canvas, isMesh }
 * @returns { width, height, data: RGBA bytes, atlas: text }
 */
export function packPage(pictures, pageName, pageWidth, pageHeight) {
  const items = [...pictures].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, { canvas, isMesh }]) => {
    const bytes = canvas.toBytes();
    const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
    return { name, bytes, canvas, kept: isMesh ? whole : trim(bytes, canvas.width, canvas.height) };
  });
  const bins = new MaxRectsPacker(pageWidth, pageHeight, PADDING, { smart: false, pot: false, square: false, allowRotation: true, border: PADDING });
  bins.addArray(items.map((item) => ({ width: item.kept.width, height: item.kept.height, data: item })));
  if (bins.bins.length !== 1) throw new Error(`the pictures need ${bins.bins.length} pages of ${pageWidth} x ${pageHeight}, expected 1`);
  const data = new Uint8Array(pageWidth * pageHeight * 4);
  const entries = bins.bins[0].rects.map((rect) => ({ ...rect.data, x: rect.x, y: rect.y, turned: rect.rot === true }));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) blit(data, pageWidth, entry);
  bleed(data, pageWidth, pageHeight);
  return { width: pageWidth, height: pageHeight, data, atlas: atlasText(pageName, pageWidth, pageHeight, entries) };
}

/** Copies the kept rectangle; a turned one counter-clockwise, so that its top edge lies along the left side. */
function blit(page, pageWidth, { bytes, canvas, kept, x, y, turned }) {
  for (let row = 0; row < kept.height; row++) {
    for (let column = 0; column < kept.width; column++) {
      const from = ((kept.y + row) * canvas.width + kept.x + column) * 4;
      const px = turned ? x + row : x + column;
      const py = turned ? y + kept.width - 1 - column : y + row;
      page.set(bytes.subarray(from, from + 4), (py * pageWidth + px) * 4);
    }
  }
}

/** Carries colours two pixels outwards under alpha 0, so that filtering does not darken edges. */
function bleed(data, width, height) {
  let known = new Uint8Array(width * height);
  for (let i = 0; i < known.length; i++) known[i] = data[i * 4 + 3] > 0 ? 1 : 0;
  for (let pass = 0; pass < 2; pass++) {
    const next = known.slice();
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        const i = y * width + x;
        if (known[i]) continue;
        let count = 0, r = 0, g = 0, b = 0;
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) {
            const j = i + dy * width + dx;
            if (!known[j]) continue;
            count++;
            r += data[j * 4];
            g += data[j * 4 + 1];
            b += data[j * 4 + 2];
          }
        }
        if (count === 0) continue;
        data[i * 4] = Math.round(r / count);
        data[i * 4 + 1] = Math.round(g / count);
        data[i * 4 + 2] = Math.round(b / count);
        next[i] = 1;
      }
    }
    known = next;
  }
}

function atlasText(pageName, width, height, entries) {
  const lines = [pageName, `\tsize: ${width}, ${height}`, "\tfilter: Linear, Linear"];
  for (const { name, canvas, kept, x, y, turned } of entries) {
    lines.push(name, `\tbounds: ${x}, ${y}, ${kept.width}, ${kept.height}`);
    if (kept.width !== canvas.width || kept.height !== canvas.height) {
      lines.push(`\toffsets: ${kept.x}, ${canvas.height - kept.y - kept.height}, ${canvas.width}, ${canvas.height}`);
    }
    if (turned) lines.push("\trotate: 90");
  }
  return `${lines.join("\n")}\n`;
}
