import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeTrace } from '../judge/judge-trace.ts';
import { extentOf } from '../load/extent.ts';
import { specify } from '../load/load-plan.ts';
import { readTrace } from '../trace/read-trace.ts';
import { KEYS, k6, serve } from './k6-run.test-support.ts';
import { loadCommand, mergeCommand } from './load-run.ts';

// Scaled windows are 3 s: on busy cores a wave of k6 misses one now and then. What fails twice is no such miss.
describe.skipIf(k6 === null)('load runs with k6 (skipped where none is found or was built)', { retry: 1 }, () => {
  test('a conforming target conforms, from two processes that share both keys', async () => {
    // Windows that the burst opens: none of them ends in its midst.
    const { folder, options, report } = await serve({ variant: 'anchored' });
    expect(await loadCommand(options({ instances: 2 }))).toBe(0);
    const { load, verdicts } = await report();
    expect(load?.accounting).toEqual({ due: 279, sent: 279, recorded: 279, dropped: 0, unanswered: 0 });
    expect(load?.instances).toHaveLength(2);
    expect(load?.warnings).toEqual([]);
    for (const { accepted, limit, overshoot, undershoot } of load?.windows ?? []) {
      expect({ accepted, overshoot, undershoot }).toEqual({ accepted: limit, overshoot: 0, undershoot: 0 });
    }
    expect(verdicts.map(({ verdict }) => verdict)).toContain('pass');

    // What was judged in memory is what the file says.
    const trace = await readTrace(join(folder, 'run', 'trace.ndjson'));
    expect(judgeTrace(trace).verdicts.map(({ id, verdict }) => [id, verdict])).toEqual(
      verdicts.map(({ id, verdict }) => [id, verdict]),
    );

    // No key in anything that was written.
    for (const file of await readdir(join(folder, 'run'))) {
      expect(await readFile(join(folder, 'run', file), 'utf8'), file).not.toContain('a-key-that-is-secret');
    }

    // The same records merged by hand give the same verdicts; a part of them gives none.
    const files = [1, 2].map((i) => join(folder, 'run', `records-${i}.raw`));
    const merged = { ...options(), folder: join(folder, 'merged') };
    expect(await mergeCommand({ ...merged, files, sameHost: true })).toBe(0);
    await expect(mergeCommand({ ...merged, files, sameHost: true })).rejects.toThrow('already contains a run');
    const part = { ...merged, folder: join(folder, 'part'), files: files.slice(1) };
    await expect(mergeCommand({ ...part, sameHost: true })).rejects.toThrow('is missing');
  });

  test('four processes share one key: each request is there once, and exactly the limit was let through', async () => {
    const { folder, profile, options, report } = await serve({ variant: 'anchored' });
    const one = { ...KEYS, full: KEYS.full.slice(0, 1) };
    expect(await loadCommand(options({ instances: 4, keys: one }))).toBe(0);
    const { load } = await report();
    const due = extentOf(specify(profile, { ...options(), keys: 1, run: 'x' })).requests;
    expect(load?.accounting).toEqual({ due, sent: due, recorded: due, dropped: 0, unanswered: 0 });
    expect(load?.instances.map(({ requests }) => requests > 0)).toEqual([true, true, true, true]);
    expect(load?.windows.map(({ kind, accepted }) => `${accepted} ${kind}s`).sort()).toEqual([
      '100 reads',
      '30 writes',
    ]);
    const trace = await readTrace(join(folder, 'run', 'trace.ndjson'));
    expect(new Set(trace.exchanges.map(({ key }) => key))).toEqual(new Set(['key-1']));
    expect(trace.exchanges).toHaveLength(due);
  });

  test("k6's own page and summary are kept on demand, and hold no key", async () => {
    const { folder, options } = await serve();
    expect(await loadCommand(options({ instances: 2, dashboard: true }))).toBe(0);
    const run = join(folder, 'run');
    const own = ['k6-dashboard-1.html', 'k6-dashboard-2.html', 'k6-summary-1.json', 'k6-summary-2.json'];
    expect((await readdir(run)).filter((name) => name.startsWith('k6-')).sort()).toEqual(own);
    for (const name of await readdir(run)) {
      expect(await readFile(join(run, name), 'utf8'), name).not.toContain('a-key-that-is-secret');
    }
    const summaries = await Promise.all(own.slice(2).map((name) => readFile(join(run, name), 'utf8')));
    const requests = summaries.map((text) => JSON.parse(text).metrics.http_reqs.count as number);
    expect(requests.reduce((sum, each) => sum + each, 0)).toBe(279);
    expect(await readFile(join(run, 'k6-dashboard-1.html'), 'utf8')).toMatch(/^<!DOCTYPE html>/i);
  });

  test('a race is caught, and counted in requests', async () => {
    const { options, report } = await serve({ defect: 'check-then-increment', scale: 5 });
    const one = { ...KEYS, full: KEYS.full.slice(0, 1) };
    expect(await loadCommand(options({ scenario: 'contention', keys: one, scale: 5 }))).toBe(1);
    const { load } = await report();
    expect(Math.max(...(load?.windows ?? []).map(({ overshoot }) => overshoot))).toBeGreaterThan(0);
  });

  test.each([
    ['none', [], 'key-1, key-2, key-3, key-4 are not accepted'],
    ['one', KEYS.full.slice(0, 1), 'key-1, key-3, key-4 are not accepted'],
  ])(
    'where %s of four keys is accepted, the run ends after a few requests and names the others',
    async (_, good, cause) => {
      const { options, report } = await serve();
      const wrong = ['a-wrong-key-1', 'a-wrong-key-2', 'a-wrong-key-3', 'a-wrong-key-4'];
      const full = wrong.map((key, index) => (index === 1 ? (good[0] ?? key) : key));
      const given = options({ scenario: 'sustained', keys: { ...KEYS, full }, seconds: 60 });
      expect(await loadCommand(given)).toBe(3);
      const { result, load } = await report();
      expect(result.reason).toContain(cause);
      expect(load?.accounting.sent).toBeLessThan(50);
    },
  );

  test('a script that throws fails the run, though k6 would exit with 0', async () => {
    const { profile, options } = await serve();
    const broken = { ...profile, http: { ...profile.http, headers: { 'bad header': 'x' } } };
    const code = await loadCommand(options({ profile: broken })).catch((error: Error) => error.message);
    expect(code).not.toBe(0);
    expect(code).not.toBe(1);
  });
});
