import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHAIN_START, chainOn } from './chain.ts';
import { encodeLine } from './codec.ts';
import { inspectTrace } from './read-trace.ts';
import { exchangeOf, HEADER, intentOf, temporaryFolder } from './trace.test-support.ts';
import type { TraceFooter, TraceLine } from './trace.ts';

const FILE = 'trace.ndjson';

type Body = Exclude<TraceLine, { readonly type: 'header' | 'footer' }>;

/** A burst of three and then single requests, as a driver writes them. */
const BODY: readonly Body[] = [
  { type: 'intent', exchanges: [1, 2, 3].map((seq) => intentOf(exchangeOf(seq))) },
  ...[1, 2, 3].map((seq) => ({ type: 'exchange', ...exchangeOf(seq) }) as const),
  ...[4, 5, 6, 7].flatMap((seq): Body[] => [
    { type: 'intent', exchanges: [intentOf(exchangeOf(seq))] },
    { type: 'exchange', ...exchangeOf(seq) },
  ]),
];

/** What is wrong with a trace of these lines whose counts and hash chain were made to fit them, as a forger would. */
async function sealed(body: readonly Body[], outcome: TraceFooter['outcome'] = 'complete', command = 'certify') {
  const lines = [encodeLine({ ...HEADER, command }), ...body.map(encodeLine)];
  const footer: TraceFooter = {
    type: 'footer',
    exchanges: body.filter(({ type }) => type === 'exchange').length,
    intents: body.reduce((sum, line) => sum + (line.type === 'intent' ? line.exchanges.length : 0), 0),
    outcome,
    ended: 1e6,
    chain: lines.reduce(chainOn, CHAIN_START),
  };
  const file = join(temporaryFolder(), FILE);
  writeFileSync(file, `${[...lines, encodeLine(footer)].join('\n')}\n`);
  return (await inspectTrace(file)).problems.map(({ code }) => code);
}

test('a trace as it was recorded is whole', async () => {
  expect(await sealed(BODY)).toEqual([]);
});

test('any line that is taken out is missed, however the footer was made to fit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray([...BODY.keys()], { minLength: 1, maxLength: BODY.length - 1 }), async (taken) => {
      const left = BODY.filter((_, index) => !taken.includes(index));
      // What is cut off at the end, with whole requests before it, is the judge's to see: experiments have no end.
      const cut = left.length === BODY.findIndex((line, index) => line !== left[index]);
      fc.pre(!(cut && left.at(-1)?.type === 'exchange'));
      expect(await sealed(left)).not.toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test.each([
  ['cut off after an announcement', BODY.slice(0, 5), 'unanswered'],
  ['an answer to a request of another kind', altered({ kind: 'write' }), 'unannounced'],
  ['an answer to a request to another place', altered({ target: '/elsewhere' }), 'unannounced'],
  ['an answer to a request on another key', altered({ key: 'key-2' }), 'unannounced'],
  ['an answer before its request', [...BODY.slice(1, 2), ...BODY.slice(0, 1), ...BODY.slice(2)], 'unannounced'],
])('%s is seen', async (_, body, code) => {
  expect(await sealed(body)).toContain(code);
});

test('a run that was ended early leaves requests unanswered, and is whole', async () => {
  expect(await sealed(BODY.slice(0, 5), 'interrupted')).toEqual([]);
});

test('a load run announces what stayed unanswered only, and its numbers have no gap either', async () => {
  const exchanges = [1, 2, 3].map((seq) => ({ type: 'exchange', ...exchangeOf(seq) }) as const);
  const unanswered = { type: 'intent', exchanges: [intentOf(exchangeOf(4))] } as const;
  expect(await sealed([unanswered, ...exchanges], 'complete', 'load')).toEqual([]);
  expect(await sealed([unanswered, ...exchanges.slice(1)], 'complete', 'load')).toEqual(['gap']);
  expect(await sealed([unanswered, ...exchanges], 'complete', 'certify')).not.toEqual([]);
});

function altered(change: Parameters<typeof exchangeOf>[1]): readonly Body[] {
  return BODY.map((line) =>
    line.type === 'exchange' && line.seq === 5 ? { type: 'exchange', ...exchangeOf(5, change) } : line,
  );
}
