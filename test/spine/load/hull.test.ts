import * as official from "@esotericsoftware/spine-core";
import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { osteon } from "../animation-state/script.js";

/** A mesh whose hull and number of triangles need not fit together, as some exports before 4.2 have them. */
function skeletonWith(hull: number, triangles: number[]): spine.SkeletonData {
  return osteon.load({
    skeleton: { spine: "4.3.00" },
    bones: [{ name: "root" }],
    slots: [{ name: "slot", bone: "root", attachment: "mesh" }],
    skins: [
      {
        name: "default",
        attachments: { slot: { mesh: { type: "mesh", hull, triangles, uvs: [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5], vertices: [0, 0, 9, 0, 9, 9, 0, 9, 4, 5] } } },
      },
    ],
  }) as spine.SkeletonData;
}

const fan = [0, 1, 4, 1, 2, 4, 2, 3, 4];

describe("meshes whose hull does not fit their triangles", () => {
  it("are written to binary with the hull that gives the triangles, which a note says", () => {
    for (const [hull, triangles, written] of [[5, [...fan, 3, 0, 4], 4], [4, fan, 5], [4, [...fan, 3, 0, 4], 4], [5, [...fan, 3, 0, 4, 0, 1, 2], 3]] as const) {
      const report = new spine.LoadReport("binary");
      const bytes = spine.writeSkeletonBinary(skeletonWith(hull, [...triangles]), { report });
      expect(report.notes.map((note) => note.code)).toEqual(hull === written ? [] : ["hull"]);
      for (const core of [spine, official] as unknown as (typeof official)[]) {
        const data = new core.SkeletonBinary(new core.AtlasAttachmentLoader(new (class extends core.TextureAtlas {
          override findRegion(name: string): official.TextureAtlasRegion {
            return new core.TextureAtlasRegion(new core.TextureAtlasPage("page"), name);
          }
        })(""))).readSkeletonData(bytes);
        const mesh = data.defaultSkin!.getAttachment(0, "mesh") as official.MeshAttachment;
        expect(Array.from(mesh.triangles)).toEqual(triangles);
        expect(mesh.hullLength).toBe(written * 2);
      }
    }
  });

  it("are refused where no hull gives the number of triangles", () => {
    expect(() => spine.writeSkeletonBinary(skeletonWith(5, [0, 1, 2]))).toThrow(/mesh 'mesh' of 1 triangles/);
  });
});
