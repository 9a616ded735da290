import { expect, test } from "vitest";
import { StaleIdError } from "../../src/crowd/errors.js";
import { IdTable } from "../../src/crowd/id-table.js";
import fc, { runs } from "../properties.js";

test("ids stay true to their rows under random spawns and despawns, and a stale id is never another character", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(1000)), { maxLength: 200 }), (steps) => {
      const table = new IdTable(4);
      const rows: string[] = [];
      const living = new Map<number, string>();
      const dead: number[] = [];
      let name = 0;
      for (const [remove, pick] of steps) {
        if (remove && living.size > 0) {
          const id = [...living.keys()][pick % living.size]!;
          const row = table.remove(id);
          rows[row] = rows[rows.length - 1]!;
          rows.pop();
          living.delete(id);
          dead.push(id);
        } else {
          if (table.count === table.capacity) table.grow(table.capacity * 2);
          const id = table.add();
          expect(living.has(id) || dead.includes(id)).toBe(false);
          rows[table.row(id)] = `c${name}`;
          living.set(id, `c${name++}`);
        }
        expect(table.count).toBe(living.size);
      }
      for (const [id, character] of living) {
        expect(rows[table.row(id)]).toBe(character);
        expect(table.id(table.row(id))).toBe(id);
      }
      for (const id of dead) {
        expect(table.has(id)).toBe(false);
        expect(() => table.row(id)).toThrow(StaleIdError);
      }
    }),
    { numRuns: runs(200) },
  );
});

test.each([-1, 0.5, Number.NaN, 1e300, 7])("id %s names nobody in an empty table", (id) => {
  const table = new IdTable(8);
  expect(table.has(id)).toBe(false);
  expect(() => table.row(id)).toThrow(StaleIdError);
});
