import { SLIDER_RECORD_BYTES, SliderField } from "../../../assembly/layout/update.js";
import { heap } from "../../wasm/heap.js";
import type { Animation } from "../animation.js";
import type { BoneData } from "../data/bone-data.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { Skeleton } from "../model/skeleton.js";
import type { PoseStore } from "../pose-store.js";
import { sliderChannels } from "../update/slider-channels.js";
import type { FromProperty } from "./from-property.js";
import { KernelConstraintData } from "./kernel-constraint-data.js";
import { Slider } from "./slider.js";
import { SliderPose } from "./slider-pose.js";

/** The setup of a slider: an animation applied at a time that is keyed, set by code or read from a bone. */
export class SliderData extends KernelConstraintData<Slider, SliderPose> {
  /** The animation that is applied. */
  animation: Animation = null!;
  /** The bone that drives the time, null if the pose's own time counts. */
  bone: BoneData | null = null;
  /** Which property of the bone drives the time. */
  property: FromProperty | null = null;
  /** Largest value of the driving property in the editor. No effect here. */
  max = 0;
  #additive = false;
  #loop = false;
  #offset = 0;
  #scale = 0;
  #local = false;

  constructor(name: string) {
    super(name, new SliderPose()._asSetup());
  }

  /** Whether the animation is added to the pose instead of mixed with it. */
  get additive(): boolean {
    return this.#additive;
  }
  set additive(value: boolean) {
    this.#additive = value;
    this._touch();
  }

  /** Whether a time beyond the duration starts again. */
  get loop(): boolean {
    return this.#loop;
  }
  set loop(value: boolean) {
    this.#loop = value;
    this._touch();
  }

  /** Seconds per unit of the driving property. */
  get scale(): number {
    return this.#scale;
  }
  set scale(value: number) {
    this.#scale = value;
    this._touch();
  }

  /** Time in seconds where the driving property is `property.offset`. */
  get offset(): number {
    return this.#offset;
  }
  set offset(value: number) {
    this.#offset = value;
    this._touch();
  }

  /** Whether the bone's local property is read instead of the world one. */
  get local(): boolean {
    return this.#local;
  }
  set local(value: boolean) {
    this.#local = value;
    this._touch();
  }

  override create(skeleton: Skeleton): Slider {
    return new Slider(this, skeleton);
  }

  /** @internal */
  override _poseIn(store: PoseStore, row: number): SliderPose {
    return new SliderPose(store, row);
  }

  /** @internal */
  protected override _recordBytes(): number {
    return SLIDER_RECORD_BYTES;
  }

  /** @internal */
  protected override _writeRecord(record: number, skeletonData: SkeletonData): void {
    const { animation, property } = this;
    // Compiling may move the views.
    const channels = animation === null ? null : sliderChannels(animation, skeletonData);
    const { f32, f64, i32, u32 } = heap;
    i32[(record + SliderField.LOOP) >> 2] = Number(this.#loop);
    i32[(record + SliderField.ADDITIVE) >> 2] = Number(this.#additive);
    i32[(record + SliderField.LOCAL) >> 2] = Number(this.#local);
    i32[(record + SliderField.PROPERTY) >> 2] = property?._property ?? 0;
    f32[(record + SliderField.PROPERTY_OFFSET) >> 2] = property?.offset ?? 0;
    f32[(record + SliderField.OFFSET) >> 2] = this.#offset;
    f32[(record + SliderField.SCALE) >> 2] = this.#scale;
    u32[(record + SliderField.CHANNELS) >> 2] = channels === null ? 0 : channels.header;
    u32[(record + SliderField.CROWD_CHANNELS) >> 2] = channels === null ? 0 : channels.numbers;
    f64[(record + SliderField.DURATION) >> 3] = animation?.duration ?? 0;
  }
}
