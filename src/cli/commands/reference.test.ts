import { afterEach, expect, test, vi } from 'vitest';
import { setAsideListeners } from '../signals.test-support.ts';
import { type ReferenceCommandOptions, referenceCommand } from './reference.ts';

setAsideListeners();

const OPTIONS: ReferenceCommandOptions = {
  port: null,
  host: '127.0.0.1',
  variant: null,
  defect: null,
  list: false,
  timeScale: 1,
  jitter: null,
  resets: null,
  skew: null,
  seed: null,
  writeProfile: null,
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function printed(): () => string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join('');
}

async function runUntilListening(options: Partial<ReferenceCommandOptions>): Promise<string> {
  const text = printed();
  const running = referenceCommand({ options: { ...OPTIONS, ...options } });
  await vi.waitFor(() => expect(text()).toContain('Ctrl-C stops it.'), { timeout: 60_000 });
  process.emit('SIGINT');
  expect(await running).toBe(0);
  return text();
}

test('lists every variant and defect', async () => {
  const text = printed();
  expect(await referenceCommand({ options: { ...OPTIONS, list: true } })).toBe(0);
  expect(text()).toMatch(/^ {2}grid-clock +fixed windows on whole minutes/m);
  // The longest name leaves a space before what it means, and each means something.
  expect(
    text()
      .split('\n')
      .filter((line) => /^ {2}\S/.test(line) && !/^ {2}\S+ {2,}\S.*\S$/.test(line)),
  ).toEqual([]);
  expect(text()).toMatch(/^ {2}token-bucket +the limiter is a token bucket/m);
});

test('runs until it is ended, with made-up keys that it prints', async () => {
  vi.stubEnv('SIZE_CHART_KEYS', '');
  const text = await runUntilListening({ timeScale: 30, defect: 'gcra', jitter: '1-5' });
  expect(text).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m);
  expect(text).toMatch(/^export SIZE_CHART_KEYS=full-\w+,full-\w+,full-\w+,full-\w+$/m);
});

test('keys of the environment are not printed', async () => {
  vi.stubEnv('SIZE_CHART_KEYS', 'secret-one, secret-two');
  expect(await runUntilListening({})).not.toContain('secret');
});

test.each([
  [{ variant: 'anchord' }, 'There is no variant "anchord". Did you mean "anchored"? --list shows all.'],
  [{ defect: 'nothing-like-it' }, 'There is no defect "nothing-like-it". --list shows all.'],
  [{ jitter: '9' }, '--jitter must be two whole numbers of ms such as 5-200, not "9".'],
  [{ jitter: '9-5' }, '--jitter must be two whole numbers of ms such as 5-200, not "9-5".'],
])('%j is refused', async (options, message) => {
  await expect(referenceCommand({ options: { ...OPTIONS, ...options } })).rejects.toThrow(message);
});

test('a port that is in use is named', async () => {
  const text = printed();
  const first = referenceCommand({ options: OPTIONS });
  await vi.waitFor(() => expect(text()).toContain('Ctrl-C stops it.'), { timeout: 60_000 });
  const port = Number(/:(\d+)\//.exec(text())?.[1]);
  await expect(referenceCommand({ options: { ...OPTIONS, port } })).rejects.toThrow(
    `Port ${port} is in use: choose another with --port, or leave --port out to use any free port.`,
  );
  process.emit('SIGTERM');
  expect(await first).toBe(0);
});
