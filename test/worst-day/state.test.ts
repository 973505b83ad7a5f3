import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { KEYS } from '../end-to-end/command.test-support.ts';
import { reference } from '../end-to-end/server.test-support.ts';
import { front } from './front.test-support.ts';
import { expectInnocent, type Rehearsal, rehearse, SCALE } from './rehearsal.test-support.ts';

/** Requirements about budgets: no other may fail if only the counting is disturbed. */
const OF_BUDGETS = /^(LIMIT-|HDR-[4578]|STATUS-429)/;

const [FIRST = '', SECOND = ''] = KEYS.full;

afterEach(() => void vi.restoreAllMocks());

function expectOnlyBudgetsToFail({ failed }: Rehearsal): void {
  expect(failed.filter((each) => !OF_BUDGETS.test(each))).toEqual([]);
}

describe('clocks', () => {
  test('a server that is an hour ahead is within its rights', async () => {
    const { baseUrl } = await reference(SCALE, { skew: 3600 });
    const found = await rehearse(baseUrl);
    expectInnocent(found);
    expect(found.judgement.conditions.skew?.low).toBeGreaterThan(3590e6);
  });

  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])("this machine's clock is set %s by an hour in mid-run: nothing is bent", async (_, step) => {
    const { baseUrl } = await reference(SCALE);
    const real = Date.now.bind(Date);
    let count = 0;
    const found = await rehearse(baseUrl, {
      onExchange: () => {
        count += 1;
        if (count === 300) vi.spyOn(Date, 'now').mockImplementation(() => real() + step);
      },
    });
    expectInnocent(found);
    expect(found.judgement.conditions.clockSteps).toBe(1);
  });
});

describe.concurrent('counters', () => {
  /**
   * A restart that loses the counters lets more than the limit through in the window in which it falls. Clause 8 states
   * the limit of a minute for every minute and excuses none in which the service was restarted, so requests accepted
   * beyond it are a failure, which the requests themselves prove. The suite cannot see a restart, only what looks like
   * one: connections that were reset at the same time, which the conditions of the run show.
   */
  test('lost in a restart in mid-run: more than the limit in one window, by the letter a failure', async () => {
    const options = { variant: 'grid-clock', ownEnd: true } as const;
    // All connections are open beforehand: on a busy machine the window might end while the next one opens.
    const servers = await Promise.all([
      reference(SCALE, options),
      reference(SCALE, options),
      reference(SCALE, options),
    ]);
    const restarts = new Set<string | undefined>();
    const serving = () => servers[Math.min(restarts.size, servers.length - 1)]?.baseUrl ?? '';
    const found = await rehearse(await front('', { route: serving }), {
      // A window that is spent, and another one in case the first ended just then.
      onExchange: ({ kind, status, headers }) =>
        void (kind === 'read' && status === 429 && restarts.add(headers.reset[0])),
    });
    expect(restarts.size).toBeGreaterThan(1);
    expectOnlyBudgetsToFail(found);
    expect(found.judgement.exitCode).toBe(1);
    expect(found.failed.join()).toMatch(/LIMIT-/);
  });

  test('apart in two backends: each lets a limit through', async () => {
    const backends = await Promise.all([reference(SCALE), reference(SCALE)]);
    const found = await rehearse(await front('', { route: (number) => backends[number % 2]?.baseUrl ?? '' }));
    expectOnlyBudgetsToFail(found);
    expect(found.judgement.exitCode).toBe(1);
    expect(found.failed.join()).toMatch(/LIMIT-/);
  });

  test('apart in two backends, one for each connection', async () => {
    const backends = await Promise.all([reference(SCALE), reference(SCALE)]);
    const found = await rehearse(
      await front('', { route: (_, connection) => backends[connection % 2]?.baseUrl ?? '' }),
    );
    expectOnlyBudgetsToFail(found);
    expect(found.judgement.exitCode).toBe(1);
  });
});

describe('others on the keys of the run', () => {
  function read(baseUrl: string, key: string): Promise<void> {
    return new Promise((resolve) => {
      const request = get(`${baseUrl}/labels`, { headers: { 'X-API-Key': key } }, (response) => {
        response.resume().on('close', resolve);
      });
      request.on('error', () => resolve());
    });
  }

  /**
   * Sends this many reads at once with a key, at an interval in seconds of the scaled clock, however long they take;
   * returns a function that stops it.
   */
  function use(baseUrl: string, key: string, { atOnce, every }: Manner): () => Promise<unknown> {
    const sent: Promise<void>[] = [];
    const send = (): void => void sent.push(...Array.from({ length: atOnce }, () => read(baseUrl, key)));
    send();
    const timer = setInterval(send, (every * 1000) / SCALE);
    return () => {
      clearInterval(timer);
      return Promise.all(sent);
    };
  }

  interface Manner {
    readonly atOnce: number;
    readonly every: number;
  }
  const EVENLY: Manner = { atOnce: 1, every: 1 };
  const IN_BURSTS: Manner = { atOnce: 8, every: 5 };

  async function rehearseWithOthers(from: number, manner: Manner, variant = 'grid-clock'): Promise<Rehearsal> {
    const { baseUrl } = await reference(SCALE, { variant });
    let count = 0;
    const ends: (() => Promise<unknown>)[] = [];
    const begin = (): void => {
      if (ends.length === 0) ends.push(use(baseUrl, SECOND, manner));
    };
    if (from === 0) begin();
    const found = await rehearse(baseUrl, {
      onExchange: () => {
        count += 1;
        if (count >= from) begin();
      },
    });
    for (const end of ends) await end();
    return found;
  }

  /** The conclusion about the reads, some of which others used. */
  function ofReads({ judgement }: Rehearsal): { readonly verdict: string; readonly summary: string } | undefined {
    const history = judgement.verdicts.find(({ id }) => id === 'LIMIT-HISTORY');
    return history?.parts.find(({ name }) => name === 'reads');
  }

  test('foreign requests all the time: the reads are left open, and nobody failed', async () => {
    const found = await rehearseWithOthers(0, EVENLY);
    expect(found.failed).toEqual([]);
    expect(ofReads(found)?.verdict).toBe('inconclusive');
  });

  test.each([
    ['evenly', EVENLY, 'grid-clock'],
    ['in bursts', IN_BURSTS, 'grid-clock'],
    ['in bursts', IN_BURSTS, 'anchored'],
    ['evenly', EVENLY, 'log'],
  ])(
    'the same from mid-run on, $0, $2: inconclusive, for that cause, and nobody failed',
    async (_, manner, variant) => {
      const found = await rehearseWithOthers(300, manner, variant);
      expect(found.failed).toEqual([]);
      expect(ofReads(found)?.verdict).toBe('inconclusive');
      expect(ofReads(found)?.summary).toMatch(/others/i);
      expect(found.judgement.exitCode).toBe(3);
    },
  );

  test('two runs at once on one key, from two machines: neither conforms, and nothing but budgets is in doubt', async () => {
    const { baseUrl } = await reference(SCALE);
    const keys = { full: [FIRST], restricted: null, revoked: null };
    const both = await Promise.all([rehearse(baseUrl, { keys }), delay(40).then(() => rehearse(baseUrl, { keys }))]);
    for (const found of both) {
      expectOnlyBudgetsToFail(found);
      expect(['inconclusive', 'does not conform']).toContain(found.judgement.overall);
    }
  });
});
