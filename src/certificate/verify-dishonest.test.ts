import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attestRun } from './attest.ts';
import { forge, judge, makeRun, SUITE, sha256, temporaryFolder, writeReport, writeTrace } from './run.test-support.ts';
import { decodeStatement } from './statement.ts';
import {
  attest,
  attestedRun,
  check,
  failing,
  payload,
  read,
  statementOn,
  stranger,
  vendor,
} from './verify.test-support.ts';
import { verificationText } from './wording.ts';

describe('a holder of the key who cheats', () => {
  test('cannot sign a report that the trace does not give', async () => {
    const run = await attestedRun({ statuses: [200, 500] });
    const report = read(run, 'report.json').replace('"verdict": "fail"', '"verdict": "pass"');
    writeFileSync(join(run, 'report.json'), report);
    forge(run, vendor.privateKey, statementOn(report, SUITE));
    const verification = await check(run);
    expect(failing(verification)).toEqual(['refuted: verdicts']);
    expect(verificationText(verification)).toContain('STATUS-NO5XX is fail, but the report says pass');
  });

  test('cannot sign a result that the report does not give', async () => {
    const run = await attestedRun({ statuses: [200, 500] });
    forge(run, vendor.privateKey, Buffer.from(payload(run).replace('"result":"FAILED"', '"result":"PASSED"')));
    expect(failing(await check(run))).toEqual(['refuted: result']);
  });

  test('cannot take a line out of the trace, judge the rest, and sign that', async () => {
    const run = await attestedRun({ statuses: [200, 500, 200] });
    const lines = read(run, 'trace.ndjson').trimEnd().split('\n');
    writeFileSync(join(run, 'trace.ndjson'), `${lines.filter((line) => !line.includes('"status":500')).join('\n')}\n`);
    await writeReport(run);
    const report = read(run, 'report.json');
    forge(run, vendor.privateKey, statementOn(report, SUITE));
    expect(failing(await check(run))).toEqual(['refuted: chain']);
  });

  test('cannot put the seed of a nonce into a run that was made before', async () => {
    const run = await attestedRun({
      variations: ['head', 'options', 'query', 'cookie', 'both-same', 'unknown', 'other'],
    });
    expect(failing(await check(run))).toEqual(['refuted: schedule']);
    const text = verificationText(await check(run));
    expect(text).toContain('the requests of observed are not in the order that the seed determines');
  });

  test('cannot put another profile in the header', async () => {
    expect(failing(await check(await attestedRun({ header: { profileDigest: 'f'.repeat(64) } })))).toEqual([
      'refuted: profile',
    ]);
  });

  test('cannot sign a run that was cut short, or that is no run', async () => {
    for (const spoil of [(trace: string) => trace.trimEnd().split('\n').slice(0, -1).join('\n'), () => '{}']) {
      const run = await attestedRun();
      const trace = `${spoil(read(run, 'trace.ndjson'))}\n`;
      const digests = { ...JSON.parse(read(run, 'report.json')).digests, trace: sha256(trace) };
      writeFileSync(join(run, 'trace.ndjson'), trace);
      const report = JSON.stringify({ ...JSON.parse(read(run, 'report.json')), digests });
      writeFileSync(join(run, 'report.json'), report);
      forge(run, vendor.privateKey, statementOn(report, SUITE));
      expect(failing(await check(run))).toEqual(['refuted: chain']);
    }
  });

  test('cannot hide behind a suite that nobody has', async () => {
    const run = await attestedRun({ statuses: [200, 500] });
    const claims = decodeStatement(Buffer.from(payload(run)));
    const report = read(run, 'report.json').replace('"verdict": "fail"', '"verdict": "pass"');
    writeFileSync(join(run, 'report.json'), report);
    const suite = { ...claims.suite, version: '9.9.9' };
    forge(run, vendor.privateKey, statementOn(report, suite));
    expect(await check(run)).toMatchObject({ outcome: 'not established', exitCode: 3, result: null });
  });

  test('cannot leave requirements out and call it PASSED', async () => {
    const run = await attestedRun({ header: { selection: ['AUTH-1'] } });
    forge(run, vendor.privateKey, Buffer.from(payload(run).replace('"result":"WARNED"', '"result":"PASSED"')));
    expect(failing(await check(run))).toEqual(['refuted: result']);
  });
});

describe('what cannot be told is neither verified nor refuted', () => {
  test('a run of another version, another build, or with no certificate', async () => {
    const run = await attestedRun();
    for (const suite of [
      { ...SUITE, version: '0.2.0' },
      { ...SUITE, digest: 'e'.repeat(64) },
    ]) {
      expect(await check(run, { suite })).toMatchObject({ outcome: 'not established', exitCode: 3 });
    }
    expect(await check(await makeRun())).toMatchObject({ outcome: 'not established', exitCode: 3 });
  });

  test('a judge that breaks', async () => {
    const broken = () => Promise.reject(new Error('out of memory'));
    expect(failing(await check(await attestedRun(), { judge: broken }))).toEqual(['open: verdicts']);
  });
});

describe('a hostile folder', () => {
  test.each(['trace.ndjson', 'report.json', 'envelope.json', 'report.sigstore.json', 'envelope.json.sig'])(
    '%s as a link out of the folder is not followed, even to the very same bytes',
    async (file) => {
      const run = await attestedRun();
      const outside = join(temporaryFolder(), file);
      cpSync(join(run, file), outside);
      rmSync(join(run, file));
      symlinkSync(outside, join(run, file));
      expect((await check(run)).outcome).toBe('refuted');
    },
  );

  test('a folder in the place of a file, or a file without end, is refuted', async () => {
    const run = await attestedRun();
    rmSync(join(run, 'report.json'));
    mkdirSync(join(run, 'report.json'));
    const { outcome, checks } = await check(run);
    expect(outcome).toBe('refuted');
    // It is there, so it is not called missing as well.
    expect(checks.filter(({ name }) => name === 'report').map(({ text }) => text)).toEqual([
      expect.stringMatching(/report\.json cannot be read: /),
    ]);

    const large = await attestedRun();
    appendFileSync(join(large, 'envelope.json'), Buffer.alloc(2 ** 20, ' '));
    expect(failing(await check(large))).toEqual(['refuted: signature']);
  });

  test('a missing report or trace is refuted, since the certificate is about them', async () => {
    for (const file of ['report.json', 'trace.ndjson']) {
      const run = await attestedRun();
      rmSync(join(run, file));
      expect((await check(run)).outcome).toBe('refuted');
    }
  });

  test('control characters in a certificate do not reach the terminal', async () => {
    const run = await attestedRun({ header: { nonce: '\u001b[2J\u202e' } });
    const text = verificationText(await check(run, { nonce: 'n-1' }));
    expect(text).toContain('\\x1b[2J\\u202e');
    expect(text).not.toContain('\u001b');
  });

  test('a folder that is not there is said, and is no verdict', async () => {
    await expect(check('/nowhere')).rejects.toThrow('There is no folder /nowhere');
  });
});

describe('what is not attested', () => {
  test.each<[string, (run: string) => void, string]>([
    ['no report', (run) => rmSync(join(run, 'report.json')), 'make it from the trace with `judge '],
    ['no trace', (run) => rmSync(join(run, 'trace.ndjson')), 'There is no'],
    ['an altered report', (run) => appendFileSync(join(run, 'report.json'), ' '), 'make it again with `judge'],
    [
      'a trace with a line too many',
      (run) => appendFileSync(join(run, 'trace.ndjson'), `${read(run, 'trace.ndjson').trimEnd().split('\n').at(-1)}\n`),
      'line 11: there are lines after the footer',
    ],
    [
      'a trace that was cut short',
      (run) => writeFileSync(join(run, 'trace.ndjson'), read(run, 'trace.ndjson').replace(/.*"footer".*\n/, '')),
      'has no footer, so the run was cut short',
    ],
    [
      'another certificate',
      (run) => writeFileSync(join(run, 'envelope.json'), '{}'),
      'already exists with other content',
    ],
    [
      'a link for a report',
      (run) => {
        rmSync(join(run, 'report.json'));
        symlinkSync('/etc/hostname', join(run, 'report.json'));
      },
      'links are not followed',
    ],
  ])('%s', async (_, spoil, message) => {
    const run = await makeRun();
    spoil(run);
    await expect(attest(run)).rejects.toThrow(message);
  });

  test('a run of another version', async () => {
    const run = await makeRun();
    const suite = { ...SUITE, version: '0.2.0' };
    await expect(attestRun({ run, key: vendor.privateKey, suite, judge })).rejects.toThrow(
      'with the version that made it',
    );
  });

  test.each([
    ['load', /^Load runs are not certified: run certify/],
    ['property', /^A run of property is not certified: run certify/],
  ])('a run of %s, whose report is left as it is', async (command, message) => {
    await expect(attest(await makeRun({ header: { command } }))).rejects.toThrow(message);
  });

  test('a run in scaled time, which shows nothing about a deployment in real time', async () => {
    await expect(attest(await makeRun({ header: { scale: 10 } }))).rejects.toThrow(
      'Time ran 10 times faster than real time in this run: it is a rehearsal',
    );
  });

  test('a trace whose lines were changed with their chain, when the report was not', async () => {
    const run = await makeRun();
    const lines = read(run, 'trace.ndjson').trimEnd().split('\n').slice(0, -1);
    writeTrace(run, lines.slice(0, -2));
    await expect(attest(run)).rejects.toThrow('make it again with `judge');
  });
});

test('no part of the private key is in any file of the certificate', async () => {
  const run = await attestedRun();
  const secret = vendor.privateKey.export({ format: 'jwk' }).d ?? '';
  const forms = [
    secret,
    Buffer.from(secret, 'base64url').toString('base64'),
    Buffer.from(secret, 'base64url').toString('hex'),
  ];
  for (const file of ['envelope.json', 'report.sigstore.json', 'envelope.json.sig']) {
    const text = read(run, file).replaceAll('\n', '');
    for (const form of forms) expect(text).not.toContain(form.slice(0, 20));
  }
});

test('a certificate by another key is refuted', async () => {
  expect(failing(await check(await attestedRun(), { key: stranger.publicKey }))).toEqual(['refuted: signature']);
});
