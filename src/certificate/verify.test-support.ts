import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attestRun } from './attest.ts';
import { judge, makeRun, type RunChanges, SUITE, sha256, TESTED } from './run.test-support.ts';
import { encodeStatement, type SuitePackage } from './statement.ts';
import { type VerifyOptions, verifyRun } from './verify.ts';

export const vendor = generateKeyPairSync('ed25519');
export const stranger = generateKeyPairSync('ed25519');
export const attest = (run: string, role?: 'vendor' | 'certifier') =>
  attestRun({ run, key: vendor.privateKey, suite: SUITE, judge, ...(role ? { role } : {}) });
export const check = (run: string, rest: Partial<VerifyOptions> = {}) =>
  verifyRun({ run, key: vendor.publicKey, suite: SUITE, judge, ...rest });

export async function attestedRun(changes: RunChanges = {}, role?: 'vendor' | 'certifier'): Promise<string> {
  const run = await makeRun(changes);
  await attest(run, role);
  return run;
}

export const statementOn = (report: string, suite: SuitePackage): Uint8Array =>
  encodeStatement(JSON.parse(report), { reportDigest: sha256(report), suite, role: 'vendor', tested: TESTED });
export const read = (run: string, file: string): string => readFileSync(join(run, file), 'utf8');
export const payload = (run: string): string =>
  Buffer.from(JSON.parse(read(run, 'envelope.json')).payload, 'base64').toString();
export const failing = (verification: Awaited<ReturnType<typeof check>>): readonly string[] =>
  verification.checks.filter((each) => each.outcome !== 'established').map((each) => `${each.outcome}: ${each.name}`);
