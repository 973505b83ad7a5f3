import { conductOf } from '../../reference/conduct.ts';
import { wholeProfile } from './draw-profile.ts';
import type { VirtualRunOptions } from './virtual-run.ts';

/** A run on one key of a reference server that conforms, on a network that is in nobody's way. */
export const PLAIN_RUN: VirtualRunOptions = {
  profile: wholeProfile(),
  keys: 1,
  conduct: conductOf(null, null),
  seed: 7,
  epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
};
