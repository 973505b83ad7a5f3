import { expect, test } from 'vitest';
import { systemClock } from '../../clock/system-clock.ts';
import { causeOf } from './failure.ts';
import { Reply } from './reply.ts';

const CONDITIONS = { clock: systemClock(), redact: (text: string) => text, timeout: 1000 };
const lost = (code: string) => causeOf(Object.assign(new Error(code), { code }));

test.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'])(
  '%s after bytes were written is unknown: they may have arrived, and been counted',
  async (code) => {
    const [unsent, sent] = [new Reply(1, CONDITIONS, false), new Reply(2, CONDITIONS, false)];
    sent.release();
    for (const reply of [unsent, sent]) reply.fail(lost(code));
    expect((await unsent.answer).failure).toMatch(/^(refused|dns)$/);
    expect((await sent.answer).failure).toBe('unknown');
  },
);

test('an answer whose body never ended is truncated, and one beyond our own bound is not', async () => {
  const [broken, long, whole] = [1, 2, 3].map((number) => new Reply(number, CONDITIONS, false));
  if (!broken || !long || !whole) throw new RangeError('three replies');
  for (const reply of [broken, long, whole]) {
    reply.release();
    reply.begin(200, []);
  }
  broken.fail(lost('ECONNRESET'));
  long.receive(Buffer.alloc(1024 * 1024 + 1));
  whole.end();
  expect(await broken.answer).toMatchObject({ status: 200, failure: null, truncated: true });
  for (const reply of [long, whole]) expect(await reply.answer).not.toHaveProperty('truncated');
});
