import { createPrivateKey, X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { bytesOf } from '../plain-file.ts';
import type { Profile } from './profile.ts';
import { errorOf, type ProfileError, type ReadOptions, type ReadResult, readProfile } from './read-profile.ts';
import { readTextFile } from './read-text-file.ts';

/**
 * Reads the profile from a file, its TLS files resolved against the file's folder and checked to be what they are named
 * as. Every problem, including a missing file, is in `errors`; it never throws.
 */
export function loadProfile(file: string, overrides: Omit<ReadOptions, 'file'> = {}): ReadResult {
  const source = readTextFile(file, '--profile', ', or make one with the command init');
  if ('error' in source) return { errors: [source.error] };
  const result = readProfile(source.text, { file, ...overrides });
  return 'errors' in result ? result : withTlsFiles(result.profile, file, result.warnings);
}

function withTlsFiles(profile: Profile, file: string, warnings: readonly ProfileError[]): ReadResult {
  const { tls } = profile.http;
  const absolute = (name: string | null) => name && resolve(dirname(file), name);
  const files = { caFile: absolute(tls.caFile), certFile: absolute(tls.certFile), keyFile: absolute(tls.keyFile) };
  const errors = Object.entries(files).flatMap(([field, path]) => {
    const problem = path === null ? null : problemOf(path, field === 'keyFile');
    return problem ? [{ ...errorOf(file, ...problem), path: `http.tls.${field.replace('File', '_file')}` }] : [];
  });
  if (errors.length > 0) return { errors };
  return { profile: { ...profile, http: { ...profile.http, tls: { ...tls, ...files } } }, warnings };
}

/** What is wrong with a file of the TLS options, and what to do; null: nothing. */
function problemOf(path: string, isKey: boolean): readonly [problem: string, remedy: string] | null {
  const text = read(path);
  if (text === null) return [`cannot be read (${path})`, 'Write the path relative to the profile.'];
  try {
    if (isKey) createPrivateKey(text);
    else new X509Certificate(text);
    return null;
  } catch {
    return isKey
      ? [
          `is not a private key in PEM without a passphrase (${path})`,
          'Give a file that begins with -----BEGIN PRIVATE KEY-----.',
        ]
      : [`is not a certificate in PEM (${path})`, 'Give a file that begins with -----BEGIN CERTIFICATE-----.'];
  }
}

/** More than any bundle of certificates has. */
const MOST_BYTES = 4_000_000;

function read(path: string): string | null {
  try {
    return bytesOf(path, MOST_BYTES, 'followed').toString('utf8');
  } catch {
    return null;
  }
}
