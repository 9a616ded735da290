// Blink: for a second track. A clipping window closes over the eyes, the lashes take over, and it opens again.
import { attachmentKeys, throughKeys } from "./keys.mjs";
import { blinkDeform } from "./deform.mjs";

const CLOSING = 0.09, CLOSED = 0.16, OPEN = 0.3;

export function blink() {
  const lashes = attachmentKeys([0, "eye-open"], [CLOSING, "eye-asleep"], [CLOSED, "eye-open"]);
  return {
    slots: { "eye-near": lashes, "eye-far": lashes, "eye-clip": attachmentKeys([0, "eye-clip"], [CLOSING, null], [CLOSED, "eye-clip"], [OPEN, null]) },
    bones: {
      "brow-near": { translatey: throughKeys("translatey", [[0, 0], [CLOSING, -3.5], [CLOSED, -3.5], [OPEN, 0]]) },
      "brow-far": { translatey: throughKeys("translatey", [[0, 0], [CLOSING, -3], [CLOSED, -3], [OPEN, 0]]) },
    },
    attachments: blinkDeform(CLOSING, CLOSED, OPEN),
  };
}

/** What the mood slider plays: time 0 neutral, time 1 delighted. */
export function mood() {
  return {
    bones: {
      "brow-near": { translatey: [{}, { time: 1, value: 6 }], rotate: [{}, { time: 1, value: 6 }] },
      "brow-far": { translatey: [{}, { time: 1, value: 6 }], rotate: [{}, { time: 1, value: -5 }] },
      "ear-near-2": { rotate: [{}, { time: 1, value: 7 }] },
      "ear-far-2": { rotate: [{}, { time: 1, value: 5 }] },
      jaw: { scale: [{}, { time: 1, x: 1.12, y: 1.15 }] },
    },
  };
}
