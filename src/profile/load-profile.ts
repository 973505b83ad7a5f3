import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Profile } from './profile.ts';
import { type ProfileError, type ReadOptions, type ReadResult, readProfile } from './read-profile.ts';
import { readTextFile } from './read-text-file.ts';

/**
 * Reads the profile from a file, its TLS files resolved against the file's folder and checked to be readable. Every
 * problem, a missing file among them, is in `errors`; nothing is thrown.
 */
export function loadProfile(file: string, overrides: Omit<ReadOptions, 'file'> = {}): ReadResult {
  const read = readTextFile(file, '--profile', ', or make one by the command init');
  if ('error' in read) return { errors: [read.error] };
  const result = readProfile(read.text, { file, ...overrides });
  return 'errors' in result ? result : withTlsFiles(result.profile, file, result.warnings);
}

function withTlsFiles(profile: Profile, file: string, warnings: readonly ProfileError[]): ReadResult {
  const { tls } = profile.http;
  const absolute = (name: string | null) => name && resolve(dirname(file), name);
  const files = { caFile: absolute(tls.caFile), certFile: absolute(tls.certFile), keyFile: absolute(tls.keyFile) };
  const errors = Object.entries(files).flatMap(([field, path]) => {
    if (path === null || isReadable(path)) return [];
    const name = `http.tls.${field.replace('File', '_file')}`;
    return [error(file, `cannot be read (${path})`, 'Write the path relative to the profile.', name)];
  });
  if (errors.length > 0) return { errors };
  return { profile: { ...profile, http: { ...profile.http, tls: { ...tls, ...files } } }, warnings };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function error(file: string, problem: string, remedy: string, path: string): ProfileError {
  return { file, line: 0, column: 0, path, value: null, problem, suggestion: null, remedy };
}
