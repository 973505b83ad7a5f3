import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Profile } from './profile.ts';
import { type ProfileError, type ReadOptions, type ReadResult, readProfile } from './read-profile.ts';

/**
 * Reads the profile from a file, its TLS files resolved against the file's folder and checked to be readable. Every
 * problem, a missing file among them, is in `errors`; nothing is thrown.
 */
export function loadProfile(file: string, overrides: Omit<ReadOptions, 'file'> = {}): ReadResult {
  let bytes: Buffer;
  try {
    // A device or pipe would be read without end; the size is bounded before anything is read.
    const found = statSync(file);
    if (!found.isFile()) return refused(file, 'is not a file', 'Give the path of a YAML or JSON file by --profile.');
    if (found.size > 1_000_000) return refused(file, 'the file is larger than 1 MB', 'Name fewer operations.');
    bytes = readFileSync(file);
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT';
    return refused(
      file,
      missing ? 'there is no such file' : `the file cannot be read (${codeOf(error)})`,
      missing ? 'Give its path by --profile, or make one by the command init.' : 'Check its permissions.',
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused(file, 'the file is not UTF-8 text', 'Save it as UTF-8.');
  }
  const result = readProfile(text, { file, ...overrides });
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

function refused(file: string, problem: string, remedy: string): ReadResult {
  return { errors: [error(file, problem, remedy, '')] };
}

function error(file: string, problem: string, remedy: string, path: string): ProfileError {
  return { file, line: 0, column: 0, path, value: null, problem, suggestion: null, remedy };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
