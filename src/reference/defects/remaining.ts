import { headers } from '../deviating-headers.ts';
import { type Defect, handMade, telling } from './defect.ts';

const told = telling('remaining-header');

/** Wrong values of `X-RateLimit-Remaining`, although the counting is right. */
export const REMAINING_DEFECTS: readonly Defect[] = [
  told('remaining-before-counting', 10, { offset: 1 }, { only: { statuses: [200, 400, 403, 404, 500] } }),
  told('remaining-one-too-low', null, { offset: -1 }),
  told('remaining-negative', 11, 'below zero'),
  told('remaining-on-refusal', 12, { constant: 1 }, { only: { statuses: [429] } }),
  told('limit-on-refusal', null, 'the limit', { only: { statuses: [429] } }),
  told('missing-not-shown', 13, { offset: 1 }, { only: { statuses: [404] } }),
  {
    name: 'late-read',
    number: 15,
    description: 'Remaining is read again when the answer is written',
    must: [],
    may: [],
    observable: 'it conforms: a value read late is what is left then, so it is a variant and no defect',
    variant: 'anchored-late-read',
  },
  handMade('value-of-another-policy', 'Limit and Remaining are those of an hourly limit', {
    number: 16,
    must: ['HDR-3'],
    may: ['HDR-4', 'HDR-5', 'LIMIT-HISTORY'],
    change: headers((_lines, { remaining }) => ({ limit: ['1000'], remaining: [`${900 + remaining}`] })),
  }),
  told('remaining-frozen', null, { constant: 99 }, { only: { statuses: [200] } }),
  told('remaining-counts-up', null, 'used'),
  told('remaining-in-tens', null, { roundedDownTo: 10 }),
  told('remaining-stale', null, { stale: 1 }),
  told('remaining-of-other-kind', null, 'other kind'),
];
