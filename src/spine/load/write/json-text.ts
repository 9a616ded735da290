/**
 * JSON text of plain data. Unlike `JSON.stringify` it keeps negative zero and writes a single-precision number with the
 * fewest digits that give the same single-precision number.
 * @param pretty - levels of objects whose members go on lines of their own
 */
export function jsonText(value: unknown, pretty: number): string {
  const parts: string[] = [];
  write(value, pretty, "", parts);
  return parts.join("");
}

/** Marks a number that must be written with all its digits. */
export class Exact {
  constructor(readonly value: number) {}
}

function write(value: unknown, levels: number, indent: string, out: string[]): void {
  if (typeof value === "number") out.push(numberText(value));
  else if (value instanceof Exact) out.push(exactText(value.value));
  else if (value instanceof Float32Array) write(Array.from(value), levels, indent, out);
  else if (Array.isArray(value)) {
    const breaks = levels > 0 && typeof value[0] === "object" && value[0] !== null;
    const inner = breaks ? `${indent}\t` : indent;
    out.push("[");
    for (let i = 0; i < value.length; i++) {
      if (i > 0) out.push(breaks ? "," : ", ");
      if (breaks) out.push("\n", inner);
      write(value[i], levels - 1, inner, out);
    }
    if (breaks) out.push("\n", indent);
    out.push("]");
  } else if (typeof value === "object" && value !== null) {
    const breaks = levels > 0;
    const inner = breaks ? `${indent}\t` : indent;
    let first = true;
    out.push("{");
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined) continue;
      if (!first) out.push(breaks ? "," : ", ");
      if (breaks) out.push("\n", inner);
      out.push(JSON.stringify(key), ": ");
      write(member, levels - 1, inner, out);
      first = false;
    }
    if (breaks && !first) out.push("\n", indent);
    out.push("}");
  } else out.push(JSON.stringify(value));
}

function exactText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Decimal text that reads back as the same single-precision number, or as the same double where it is not one. */
export function numberText(value: number): string {
  if (Number.isInteger(value) || Math.fround(value) !== value) return exactText(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return exactText(short);
  }
  return exactText(Number(value.toPrecision(9)));
}
