/** A capture of two joints, ten frames a second: nine numbers a line, one line a frame. */
export const smallBvh = (...frames: string[]): string => `HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 0.5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0.25 0
    }
  }
}
MOTION
Frames: ${frames.length}
Frame Time: 0.1
${frames.join("\n")}
`;
