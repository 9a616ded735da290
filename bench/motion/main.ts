/**
 * How much faster do 64,000 float motions with mixed eases run than in tween.js and gsap?
 *
 * All sides animate the same (peers.ts), on the same clock of 1/60 s, in one process with rounds interleaved. Before timing,
 * the values of all sides are compared on the eases that all three define alike. Then: bytes allocated per update.
 */
import { gsap } from "gsap";
import { bytesPerWindow, race } from "../lib/race.js";
import { COUNT, DT, easeOf, show, startGsap, startOsteon, startTweenJs, targets } from "./peers.js";

gsap.ticker.sleep();
const ourTargets = targets(), tweenTargets = targets(), gsapTargets = targets();
const withSinks = startOsteon(ourTargets);
const inMemory = startOsteon(null);
const group = startTweenJs(tweenTargets);
const timeline = startGsap(gsapTargets);
let tweenTime = 0, gsapTime = 0;
const stepTween = (): void => group.update((tweenTime += DT * 1000));
const stepGsap = (): void => void timeline.time((gsapTime += DT));
const stepSinks = (): void => withSinks.update(DT);
const stepMemory = (): void => inMemory.update(DT);

// Verify before timing.
for (let frame = 0; frame < 30; frame++) {
  stepSinks();
  stepTween();
  stepGsap();
}
let compared = 0;
for (let i = 0; i < COUNT; i++) {
  const [name] = easeOf(i);
  if (/Elastic|Expo|inOutBack/.test(name)) continue; // defined differently by one of the peers
  compared++;
  for (const [peer, list] of [["tween.js", tweenTargets], ["gsap", gsapTargets]] as const) {
    if (Math.abs(ourTargets[i]!.x - list[i]!.x) > 1e-4) throw new Error(`${peer} and osteon differ at ${i} (${name}): ${list[i]!.x}, ${ourTargets[i]!.x}`);
  }
}
console.log(`verified ${compared} of ${COUNT} values against both peers`);

show("update 64,000 / property sinks / tween.js", 20, await race(stepSinks, stepTween));
show("update 64,000 / property sinks / gsap", 6, await race(stepSinks, stepGsap));
show("update 64,000 / values left in memory / tween.js", 40, await race(stepMemory, stepTween));
show("update 64,000 / values left in memory / gsap", 12, await race(stepMemory, stepGsap));

for (const [name, step] of [["property sinks", stepSinks], ["values left in memory", stepMemory]] as const) {
  console.log(`bytes allocated in 100 updates / ${name}: ${bytesPerWindow(step, 100)}`);
}
