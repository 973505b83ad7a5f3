import { DEFECTS } from '../reference/defects.ts';
import { VARIANTS } from '../reference/variants.ts';
import type { Conditions, Subject } from './subject.ts';

const CALM: Conditions = { name: 'calm', jitter: null, resets: 0, skew: 0 };

/** The networks and clocks for conforming servers: each variant is tested with two of them. */
const CONDITIONS: readonly Conditions[] = [
  CALM,
  { name: 'jitter 0–300 ms', jitter: [0, 300], resets: 0, skew: 0 },
  { name: 'an hour fast', jitter: null, resets: 0, skew: 3600 },
  { name: '1 % resets', jitter: null, resets: 0.01, skew: 0 },
  { name: 'jitter 0–300 ms, a day slow, 2 % resets', jitter: [0, 300], resets: 0.02, skew: -86_400 },
];

/** Every admissible variant of the reference server under two conditions, and every seeded defect on a good network. */
export function subjects(): Subject[] {
  return [
    ...VARIANTS.flatMap((variant, index) =>
      [CALM, CONDITIONS[1 + (index % (CONDITIONS.length - 1))] ?? CALM].map(
        (conditions): Subject => ({
          name: `${variant.name}, ${conditions.name}`,
          description: variant.description,
          kind: 'conforming',
          variant: variant.name,
          defect: null,
          conditions,
          must: [],
          may: [],
          observable: true,
        }),
      ),
    ),
    ...DEFECTS.map(
      (defect): Subject => ({
        name: defect.name,
        description: defect.description,
        kind: 'defective',
        variant: null,
        defect: defect.name,
        conditions: CALM,
        must: defect.must,
        may: defect.may,
        observable: defect.observable,
      }),
    ),
  ];
}
