import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import { scriptOf } from './script.ts';
import { inSteps } from './sequence.ts';

const profile = profileWith({
  baseUrl: 'https://acme.example/api/v1',
  operations: [operationOf({ id: 'list-labels', group: 'labels', path: '/labels', headers: { 'X-Tenant': '…' } })],
});
const run = [0, 0.1, 0.2, 3000].map((ms, seq) =>
  sampleExchange({ seq, key: 'key-2', sent: ms * 1000, answered: ms * 1000 + 1000, status: seq < 3 ? 200 : 429 }),
);

function script(): string {
  const sequence = {
    steps: inSteps(run, true),
    pace: 'as recorded',
    window: null,
    shows: true,
    isCertain: true,
  } as const;
  return scriptOf('LIMIT-R', sequence, { profile, scale: 1 });
}

test('the whole sequence is a script that a shell runs, with keys from the environment', () => {
  // Curl reads headers and the URL as its configuration.
  const told = 'curl() { sed -n "/API-Key\\|https/p"; }; sleep() { echo "sleep $1"; }';
  const output = execFileSync('sh', ['-c', `${told}\n${script()}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, SIZE_CHART_KEYS: 'first,second,third', X_TENANT: 'acme' },
  });
  const request = ['header = "X-API-Key: second"', 'url = "https://acme.example/api/v1/labels"'];
  expect(output.trim().split('\n').toSorted()).toEqual(
    [...Array.from({ length: 4 }, () => request).flat(), 'sleep 3.00'].toSorted(),
  );
});

test('a form with a file reaches curl with the line ends that it has', () => {
  const text = '--b\r\nContent-Disposition: form-data; name="it\'s"\r\n\r\nx\r\n--b--\r\n';
  const body = { contentType: 'multipart/form-data; boundary=b', text };
  const upload = operationOf({ id: 'upload', group: 'labels', method: 'POST', path: '/labels', body });
  const sent = sampleExchange({ operation: 'upload', method: 'POST', key: 'key-1' });
  const sequence = {
    steps: inSteps([sent], true),
    pace: 'single',
    window: null,
    shows: true,
    isCertain: true,
  } as const;
  const shown = scriptOf('HDR-1', sequence, { profile: profileWith({ operations: [upload] }), scale: 1 });
  expect(shown).not.toContain('\r');
  const told = 'curl() { while [ "$#" -gt 0 ]; do case $1 in --data-raw) printf %s "$2";; esac; shift; done; }';
  const env = { PATH: process.env.PATH, SIZE_CHART_KEYS: 'first' };
  expect(execFileSync('sh', ['-c', `${told}\n${shown}`], { encoding: 'utf8', env })).toBe(text);
});

test('it says how many requests it takes, and what to set first', () => {
  expect(script()).toContain('# LIMIT-R: the 4 requests that show the failure, in order.');
  expect(script()).toContain('# Set X_TENANT first');
});
