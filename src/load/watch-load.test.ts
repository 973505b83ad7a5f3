import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import { catalogueDigest } from '../catalogue/catalogue.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { profileDigest } from '../profile/digest.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { readTrace } from '../trace/read-trace.ts';
import { LoadReading } from './load-reading.ts';
import { SCENARIOS } from './scenario.ts';
import { sampleSpec } from './spec.test-support.ts';
import { type LoadNews, watchLoad } from './watch-load.ts';

const START = Date.UTC(2026, 10, 21, 8, 30, 0);
/** ms after the start of the instance at which the first window ends. */
const END = 60_000;
const spec = sampleSpec({ scenario: 'sustained', keys: 1, start: START, seconds: 180 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-load-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function reading(): { readonly records: string; readonly trace: string; readonly reading: LoadReading } {
  const profile = readProfile(referenceProfile(spec.baseUrl), { file: 'reference' });
  if ('errors' in profile) throw new Error('the reference profile is wrong');
  const identity = {
    suite: { name: 'test', version: '0' },
    profile: profile.profile,
    profileDigest: profileDigest(profile.profile),
    catalogueDigest: catalogueDigest(),
    seed: 1,
    nonce: null,
    runtime: { node: '24', platform: 'test' },
    selection: SCENARIOS.sustained.requirements,
  };
  const records = join(folder, 'records-1.raw');
  const trace = join(folder, 'trace.ndjson');
  appendFileSync(records, `=|${JSON.stringify(spec)}\n${`~|0|${START}|0\n`.repeat(10)}@|0|${START}|0:1\n`);
  return { records, trace, reading: new LoadReading([{ name: 'one', file: records }], null, identity, trace) };
}

/** A burst of reads, each accepted, at this many ms; what it leaves of the limit is never less than nothing. */
function burst(file: string, first: number, at: number, count: number, limit = 100): void {
  const reset = (START + (Math.floor(at / END) + 1) * END) / 1000;
  for (let i = 0, id = first; i < count; id += 1) {
    if (Math.floor(((id + 1) * 28) / 123) > Math.floor((id * 28) / 123)) continue; // a write
    const sent = (at + i) * 1000;
    const line = `200|100|${Math.max(0, limit - 1 - i)}|${reset}|${new Date(START + at + i).toUTCString()}|-`;
    appendFileSync(file, `>|${id}|1|${START + at + i}|${sent}\n<|${id}|${sent}|${sent + 900}|${line}\n`);
    i += 1;
  }
}

/** Looks as often as the worker does, until so many ms; gives what was told, each with the ms at which it was. */
function watch(
  look: (now: number) => void,
  news: LoadNews[],
  until: number,
  from = 0,
): (LoadNews & { readonly at: number })[] {
  const told: (LoadNews & { readonly at: number })[] = [];
  for (let at = from; at <= until; at += 250) {
    look((START + at) * 1000);
    told.push(...news.splice(0).map((each) => ({ ...each, at })));
  }
  return told.filter(({ type }) => type !== 'counts');
}

test('a window that let through more than its limit is told within two seconds of its end, once', () => {
  const { records, reading: run } = reading();
  burst(records, 0, 40_000, 120);
  const news: LoadNews[] = [];
  const told = watch(
    watchLoad(run, (each) => news.push(each)),
    news,
    END + 5_000,
  );
  expect(told.map(({ type }) => type)).toEqual(['said']);
  expect(told[0]).toMatchObject({
    text: 'OVER key-1 read: 120 of 100 accepted in the window that ended at 59.1 s',
  });
  // A Date of whole seconds tells the end to within one.
  expect(told[0]?.at).toBeGreaterThanOrEqual(END - 1_000);
  expect(told[0]?.at).toBeLessThanOrEqual(END + 2_000);
});

thorough('a window is told once, though answers after it tell its end more closely', () => {
  const { records, reading: run } = reading();
  burst(records, 0, 40_250, 120);
  const news: LoadNews[] = [];
  const look = watchLoad(run, (each) => news.push(each));
  const first = watch(look, news, END + 2_000);
  // A Date within a few ms of a second tells the server's clock to within these.
  burst(records, 300, END + 3_900, 90);
  expect([...first, ...watch(look, news, END + 9_000, END + 2_000)].map(({ type }) => type)).toEqual(['said']);
});

test('where nothing is sent for a while, the time left tells that the run goes on', () => {
  const { records, reading: run } = reading();
  burst(records, 0, 40_000, 100);
  const news: LoadNews[] = [];
  const look = watchLoad(run, (each) => news.push(each));
  const countAt = (at: number): string => {
    look((START + at) * 1000);
    return news.splice(0).flatMap((each) => (each.type === 'counts' ? [each.text] : []))[0] ?? '';
  };
  expect(countAt(50_000)).toMatch(/ % {2}100 sent: .*; at most 130 s left$/);
  expect(countAt(60_000)).toMatch(/; at most 120 s left$/);
  expect(countAt(181_000)).not.toContain('left');
  expect(run.progress()).not.toContain('left');
});

test('nothing is told of a window within its limit', () => {
  const { records, reading: run } = reading();
  burst(records, 0, 40_000, 100);
  const news: LoadNews[] = [];
  expect(
    watch(
      watchLoad(run, (each) => news.push(each)),
      news,
      END + 5_000,
    ),
  ).toEqual([]);
});

thorough('what an answer contradicts is told at once, and stands in the trace', async () => {
  const { records, trace, reading: run } = reading();
  burst(records, 0, 2_000, 20);
  appendFileSync(
    records,
    `>|200|1|${START + 3_000}|3000000\n<|200|3000000|3001000|299|100|70|${START / 1000 + 60}|-|-\n`,
  );
  const news: LoadNews[] = [];
  const [told] = watch(
    watchLoad(run, (each) => news.push(each)),
    news,
    5_000,
  );
  expect(told).toMatchObject({ type: 'proved', proved: { verdict: { id: 'STATUS-SET', verdict: 'fail' } } });
  run.finish([]);
  const { notes } = await readTrace(trace);
  expect(notes.map(({ code, text }) => [code, text])).toContainEqual(['failure-shown', 'STATUS-SET']);
});

describe('keys that the target does not accept', () => {
  /** One read each, answered with these statuses, every 100 ms. */
  function answered(records: string, statuses: readonly number[]): void {
    statuses.forEach((status, index) => {
      const sent = (1_000 + 100 * index) * 1000;
      const rate = status === 401 ? '-|-|-' : `100|${99 - index}|${START / 1000 + 60}`;
      appendFileSync(
        records,
        `>|${index}|1|${START + sent / 1000}|${sent}\n<|${index}|${sent}|${sent + 900}|${status}|${rate}|-|-\n`,
      );
    });
  }

  test('three answers 401 and none else end the run: told once, within a second, and the cause of every verdict', () => {
    const { records, reading: run } = reading();
    answered(records, [401, 401, 401, 401]);
    const news: LoadNews[] = [];
    const told = watch(
      watchLoad(run, (each) => news.push(each)),
      news,
      5_000,
    );
    expect(told).toMatchObject([{ type: 'refused', keys: ['key-1'] }]);
    expect(told[0]?.at).toBeLessThanOrEqual(2_000);
    const { obstacle, overall } = judgeTrace(run.finish([], ['key-12', 'key-2']).trace);
    expect(obstacle?.cause).toMatch(/^key-1, key-2, key-12 are not accepted \(401 to every request with X-API-Key\)/);
    expect(overall).not.toBe('conforms');
  });

  test.each([
    ['two answers 401 are not enough', [401, 401]],
    ['a key that was accepted is no wrong key', [200, 401, 401, 401, 401]],
    ['nor is one that is accepted later', [401, 401, 200, 401, 401, 401]],
    ['nor one that gets other errors', [503, 401, 401, 401]],
  ])('%s', (_, statuses) => {
    const { records, reading: run } = reading();
    answered(records, statuses);
    const news: LoadNews[] = [];
    const told = watch(
      watchLoad(run, (each) => news.push(each)),
      news,
      5_000,
    );
    expect(told.filter(({ type }) => type === 'refused')).toEqual([]);
    expect(judgeTrace(run.finish([]).trace).obstacle).toBeNull();
  });
});
