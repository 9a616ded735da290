// Where a foot is during a step cycle: planted while it carries, on an arc while it swings.

const radians = (degrees) => (degrees * Math.PI) / 180;

/** Contact points relative to the ankle while the foot is flat: heel, ball. */
const HEEL = [-18, -30], BALL = [24, -30];

/**
 * @param gait - front, back: where the ankle lands and leaves, flat (world units from the setup place);
 *   stance: share of the cycle on the ground; strike, toeOff: foot angles in degrees; lift: height of the swing arc;
 *   flatFrom, flatTo: shares of the cycle between which the sole is flat
 * @returns phase 0…1 → { x, y, rotation }: offset of the ankle and angle of the foot
 */
export function footPath(gait) {
  const { front, back, stance, strike, toeOff, lift, flatFrom, flatTo } = gait;
  const speed = (back - front) / stance;
  const ease = (t) => t * t * (3 - 2 * t);

  const grounded = (phase) => {
    const flat = front + speed * phase;
    let rotation = 0, pivot = BALL;
    if (phase < flatFrom) {
      rotation = strike * (1 - ease(phase / flatFrom));
      pivot = HEEL;
    } else if (phase > flatTo) rotation = toeOff * ((phase - flatTo) / (stance - flatTo)) ** 1.6;
    const cos = Math.cos(radians(rotation)), sin = Math.sin(radians(rotation));
    return { x: flat + pivot[0] - (pivot[0] * cos - pivot[1] * sin), y: pivot[1] - (pivot[0] * sin + pivot[1] * cos), rotation };
  };

  const leave = grounded(stance - 1e-9), land = grounded(0);
  const before = grounded(stance - 1e-3), after = grounded(1e-3);
  const swing = 1 - stance;
  const hermite = (u, a, slopeA, b, slopeB) => {
    const u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * slopeA + (3 * u2 - 2 * u3) * b + (u3 - u2) * slopeB;
  };
  return (phase) => {
    const p = phase - Math.floor(phase);
    if (p < stance) return grounded(p);
    const u = (p - stance) / swing;
    const slope = (key) => [((leave[key] - before[key]) / 1e-3) * swing, ((after[key] - land[key]) / 1e-3) * swing];
    const [xOut, xIn] = slope("x"), [, yIn] = slope("y");
    const arc = lift * Math.sin(Math.PI * u) ** 2;
    const turn = u < 0.3
      ? toeOff * (1 + 0.35 * ease(u / 0.3))
      : toeOff * 1.35 + (strike - toeOff * 1.35) * ease((u - 0.3) / 0.7);
    return {
      x: hermite(u, leave.x, xOut * 0.5, land.x, xIn * 0.5), y: hermite(u, leave.y, 0, land.y, Math.min(yIn, 0) * 0.3) + arc, rotation: turn,
    };
  };
}

/** Wrist offset for an arm at `degrees` from hanging (positive = forward) and reach `reach`, from the setup place. */
export function handAt(degrees, reach) {
  return [reach * Math.sin(radians(degrees)) + 2, -reach * Math.cos(radians(degrees)) + 88];
}
