/**
 * Runs a command list: everything numeric that an animation, or all entries of an animation state, do to one skeleton.
 *
 * Layout   commands, animations, deform records: layout/animation.ts. `pose` is a skeleton's block (one lane, two halves),
 *          `setup` a setup block, `program` an update program.
 * Requires commands from `commands` (inclusive) to `end` (exclusive) are whole.
 * Ensures  commands take effect in their order: rows of active targets, deform values and counts. Nothing else is written,
 *          except rotation memories. Returns `end`, or the address of a DEFORM command whose first record needs more room in
 *          a slot that it deforms: call again from there when it has it.
 * Source   timelines sections 7 and 8, animation-state sections 7, 8 and 10.
 */
import { CommandField, CommandOp } from "../layout/animation";
import { SlotRow } from "../layout/rig2d";
import { mixAnimation } from "./apply-mix";
import { poseAnimation } from "./apply-pose";
import { applyDeforms } from "./deform";
import { heldTime } from "./sample";

export function applyCommands(commands: usize, end: usize, pose: usize, setup: usize, program: usize): usize {
  while (commands < end) {
    const op = load<i32>(commands, CommandField.OP);
    if (op == CommandOp.POSE) {
      poseAnimation(<usize>load<u32>(commands, CommandField.SUBJECT), heldTime(load<f64>(commands, CommandField.TIME)), pose, setup, program);
    } else if (op == CommandOp.MIX) {
      mixAnimation(commands, pose, setup, program);
    } else if (op == CommandOp.DEFORM) {
      if (!applyDeforms(commands, pose, program)) return commands;
    } else {
      store<i32>(pose + (<usize>load<u32>(commands, CommandField.SUBJECT) << 2), 0, SlotRow.DEFORM_COUNT * 4);
    }
    commands += <usize>load<i32>(commands, CommandField.BYTES);
  }
  return end;
}
