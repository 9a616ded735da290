import { FollowerLaw, type Discretization, type Integrator } from "./law.js";

/** The parameters that ControlAnim and ControlPose share. */
export class Follower {
  /** @internal */ protected readonly law: FollowerLaw;

  constructor(frequency: number, damping: number, response: number) {
    this.law = new FollowerLaw(frequency, damping, response);
  }

  /** Natural frequency in Hz, above 0: how fast it answers. @throws AnimArgumentError */
  setFrequency(hz: number): void {
    this.law.setFrequency(hz);
  }

  getFrequency(): number {
    return this.law.getFrequency();
  }

  /** Damping ratio, at least 0: 0 rings for ever, 1 is fastest without overshoot. @throws AnimArgumentError */
  setDamping(zeta: number): void {
    this.law.setDamping(zeta);
  }

  getDamping(): number {
    return this.law.getDamping();
  }

  /** How the target's own velocity enters (secondOrder): 0 starts gently, negative winds up first. @throws AnimArgumentError */
  setResponse(r: number): void {
    this.law.setResponse(r);
  }

  getResponse(): number {
    return this.law.getResponse();
  }

  /** The law of motion; the state carries over. @throws AnimArgumentError, and the old one stays */
  setIntegrator(kind: Integrator): void {
    this.law.setIntegrator(kind);
  }

  getIntegrator(): Integrator {
    return this.law.getIntegrator();
  }

  /** How a step is taken; "exact" unless another engine is to be matched. @throws AnimArgumentError */
  setDiscretization(kind: Discretization): void {
    this.law.setDiscretization(kind);
  }

  getDiscretization(): Discretization {
    return this.law.getDiscretization();
  }
}
