import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { diagnosisText } from './diagnosis-text.ts';

test('as many requirements are counted as reports count: what is only observed is none of them', () => {
  const text = diagnosisText(
    {
      obstacle: null,
      requests: 0,
      keys: [],
      operations: [],
      probes: [],
      headers: [],
      requirements: REQUIREMENTS.map(({ id, optional }) => ({
        id,
        optional,
        testable: id !== 'STATUS-500',
        todo: ['x'],
      })),
      cost: { requests: 2000, seconds: 128, allowed: null },
      sound: true,
      ready: true,
    },
    { colour: false },
  );
  const judged = REQUIREMENTS.filter(({ level }) => level !== 'observed').length;
  expect(text).toContain(`${judged - 1} of ${judged} requirements can be tested`);
});
