import type { MechanismName } from './variant.ts';

const NAMES: Readonly<Record<MechanismName, string>> = {
  grid: 'fixed windows on a grid',
  anchored: 'fixed windows from the first request',
  'grid, anchored': 'fixed windows that go on or begin anew with a request',
  'anchored, key': 'fixed windows from the first request of the key, of either kind',
  'anchored, all': 'fixed windows from the first request of anybody',
  log: 'sliding log',
  counter: 'sliding counter',
  'counter, anchored': 'sliding counter on a grid of each key’s own',
};

/** A mechanism's name in proofs and reports. */
export function nameOf(mechanism: MechanismName): string {
  return NAMES[mechanism];
}
