/** Constants and functions of the model. Angles are degrees unless stated; pi is the model's own, rounded to 3.1415927. */
export class MathUtils {
  static readonly epsilon = 1e-5;
  static readonly epsilon2 = 1e-10;
  static readonly PI = 3.1415927;
  static readonly PI2 = 6.2831854;
  static readonly invPI2 = 1 / 6.2831854;
  static readonly radiansToDegrees = 180 / 3.1415927;
  static readonly radDeg = 180 / 3.1415927;
  static readonly degreesToRadians = 3.1415927 / 180;
  static readonly degRad = 3.1415927 / 180;

  static clamp(value: number, min: number, max: number): number {
    return value < min ? min : value > max ? max : value;
  }

  static cosDeg(degrees: number): number {
    return Math.cos(degrees * MathUtils.degRad);
  }

  static sinDeg(degrees: number): number {
    return Math.sin(degrees * MathUtils.degRad);
  }

  /** Angle of (x, y) in degrees. */
  static atan2Deg(y: number, x: number): number {
    return Math.atan2(y, x) * MathUtils.radDeg;
  }

  /** -1, 0 or 1. */
  static signum(value: number): number {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
  }

  /** Rounds towards zero. */
  static toInt(x: number): number {
    return x > 0 ? Math.floor(x) : Math.ceil(x);
  }

  static cbrt(x: number): number {
    return Math.cbrt(x);
  }

  /** A random number with a triangular distribution whose mode is the middle of the range. */
  static randomTriangular(min: number, max: number): number {
    return MathUtils.randomTriangularWith(min, max, (min + max) * 0.5);
  }

  /** A random number with a triangular distribution, by inverting its cumulative distribution function. */
  static randomTriangularWith(min: number, max: number, mode: number): number {
    const u = Math.random();
    const range = max - min;
    return u <= (mode - min) / range ? min + Math.sqrt(u * range * (mode - min)) : max - Math.sqrt((1 - u) * range * (max - mode));
  }

  static isPowerOfTwo(value: number): boolean {
    return value > 0 && Number.isInteger(value) && (value & (value - 1)) === 0;
  }
}
