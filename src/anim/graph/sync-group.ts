import { AnimArgumentError } from "../errors.js";
import { disposed, requireFinite, requireIndex, requireObject } from "../rig/checks.js";
import { NO_LENGTH } from "../rig/clip-time.js";
import type { AnimPlayer } from "../rig/player.js";
import { retire } from "../rig/retire.js";
import { haveCompatibleMarkers, mapSyncInPlace } from "../rig/sync-markers.js";

interface Member {
  readonly player: AnimPlayer;
  /** Cycles, 0..1: typed, so that nothing is boxed. */
  readonly offset: Float64Array;
}

/** Times of leader and follower, and what is handed to `AnimPlayer.advanceBy`: typed arrays, because doubles in arguments are boxed. */
const TIMES = /* @__PURE__ */ new Float64Array(2);
const STEP = /* @__PURE__ */ new Float64Array(2);

/**
 * Keeps players in step: the leader advances, the others follow to the time that corresponds to its own, by sync markers
 * where the clips have fitting ones, else by the share of the clip that has passed.
 *
 * The group updates its members; do not update them too. Speeds of followers do not count while they are members. Events
 * and root motion of followers are those of the way they went.
 */
export class AnimSyncGroup {
  readonly #members: Member[] = [];
  #leader = 0;
  #usedMarkers = false;
  #disposed = false;

  /**
   * @param phaseOffset - how far ahead of the leader the player runs, in cycles (0.5 is half a cycle); kept modulo 1
   * @returns the player's index @throws AnimArgumentError for a player that is a member already
   */
  addPlayer(player: AnimPlayer, phaseOffset = 0): number {
    if (this.#disposed) throw disposed("AnimSyncGroup.addPlayer", "AnimSyncGroup");
    requireObject("AnimSyncGroup.addPlayer", "player", player, "AnimPlayer");
    requireFinite("AnimSyncGroup.addPlayer", "phaseOffset", phaseOffset);
    if (this.#members.some((member) => member.player === player)) {
      throw new AnimArgumentError("AnimSyncGroup.addPlayer: this player is a member already. Add each player once.");
    }
    this.#members.push({ player, offset: Float64Array.of(phaseOffset - Math.floor(phaseOffset)) });
    return this.#members.length - 1;
  }

  /** The member that sets the time; the first until it is set. @throws AnimIndexError */
  setLeader(index: number): void {
    requireIndex("AnimSyncGroup.setLeader", "index", index, this.#members.length);
    this.#leader = index;
  }

  /** -1 without members. */
  getLeader(): number { return this.#members.length === 0 ? -1 : this.#leader; }
  getCount(): number { return this.#members.length; }

  /** Takes a player out; it keeps its time. The leader stays the leader; if it is the one, the first member leads. @throws AnimArgumentError for a player that is no member */
  removePlayer(player: AnimPlayer): void {
    const index = this.#members.findIndex((member) => member.player === player);
    if (index < 0) throw new AnimArgumentError("AnimSyncGroup.removePlayer: this player is no member of the group.");
    this.#members.splice(index, 1);
    if (index === this.#leader) this.#leader = 0;
    else if (index < this.#leader) this.#leader--;
  }

  /** Removes all members; they keep their times. */
  clear(): void {
    this.#members.length = 0;
    this.#leader = 0;
    this.#usedMarkers = false;
  }

  /** Time of the leader as a share of its clip, 0..1; 0 without one. */
  getPhase(): number {
    const leader = this.#leading(), clip = leader?.getClip();
    if (leader === undefined || clip === null || clip === undefined || clip.getDuration() <= NO_LENGTH) return 0;
    return leader.getTime() / clip.getDuration();
  }

  /** Whether any follower went by sync markers in the last update. */
  getUsedMarkerSync(): boolean { return this.#usedMarkers; }

  /** Advances all members by `dt` real seconds of the leader: a negative dt throws, one that is not finite is ignored. */
  update(dt: number): void {
    if (this.#disposed) throw disposed("AnimSyncGroup.update", "AnimSyncGroup");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimSyncGroup.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    this.#usedMarkers = false;
    const leader = this.#leading();
    if (leader === undefined) return;
    const stopped = !leader.isPlaying() || leader.isPaused() || !Number.isFinite(dt);
    leader.update(dt);
    STEP[0] = dt;
    for (let i = 0; i < this.#members.length; i++) {
      const member = this.#members[i]!;
      if (member.player === leader) continue;
      member.player.beginUpdate();
      if (!stopped && !member.player.isPaused() && member.player.getClip() !== null) this.#follow(leader, member);
    }
  }

  /** Lets the members go. Safe to call twice; the players stay. */
  dispose(): void {
    if (this.#disposed) return;
    this.clear();
    this.#disposed = true;
    retire(this, "AnimSyncGroup");
  }

  /** The leader, or the first member with a clip if it has none. */
  #leading(): AnimPlayer | undefined {
    const chosen = this.#members[this.#leader]?.player;
    if (chosen === undefined || chosen.getClip() !== null) return chosen;
    for (let i = 0; i < this.#members.length; i++) if (this.#members[i]!.player.getClip() !== null) return this.#members[i]!.player;
    return undefined;
  }

  /** Lets a member go to where the leader is, STEP[0] seconds. */
  #follow(leader: AnimPlayer, member: Member): void {
    const player = member.player, clip = player.getClip()!, leading = leader.getClip()!, duration = clip.duration, loop = player.getLoop();
    STEP[1] = 0;
    if (duration <= NO_LENGTH || leading.duration <= NO_LENGTH) {
      player.advanceBy(STEP);
      return;
    }
    leader.readTime(TIMES, 0);
    player.readTime(TIMES, 1);
    const now = TIMES[1]!;
    if (haveCompatibleMarkers(leading, clip)) {
      this.#usedMarkers = true;
      mapSyncInPlace(leading, clip, TIMES);
    } else {
      TIMES[0] = (TIMES[0]! / leading.duration) * duration;
    }
    let target = TIMES[0]! + member.offset[0]! * duration;
    if (loop) {
      // The way is forward, through the end of the clip if need be. A hair behind is rounding, not a whole loop.
      let way = target - now;
      way -= Math.floor(way / duration) * duration;
      STEP[1] = duration - way < 1e-9 * duration ? 0 : way;
      player.advanceBy(STEP);
      return;
    }
    target = Math.min(target, duration);
    if (target >= now) {
      STEP[1] = target - now;
      player.advanceBy(STEP);
    } else {
      player.setTime(target);
    }
  }
}
