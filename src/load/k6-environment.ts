import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Keys, Profile } from '../profile/profile.ts';
import type { LoadHeaders } from './load-headers.ts';

/** A single environment variable may hold 128 KiB on Linux; keys beyond half of that go by a file. */
const MOST_IN_VARIABLE = 64 * 1024;

/**
 * The variables of the user's environment that k6 gets: those that any program needs, but none of k6's own, because
 * `K6_VUS`, `K6_ITERATIONS` and others would change the plan.
 */
const HANDED_ON = /^(PATH|HOME|USERPROFILE|SYSTEMROOT|TMPDIR|TEMP|SSL_CERT_FILE|SSL_CERT_DIR|NO_PROXY)$/;

export interface K6Environment {
  readonly env: NodeJS.ProcessEnv;
  /** Removes the file of keys, if there was one. */
  dispose(): Promise<void>;
}

/**
 * The environment of k6: what any program needs, the specification's path, and what is secret. Keys are never an
 * argument, a tag or an `-e` value, which k6 writes into archives; only this user can read a file of them, and it is
 * removed after the run.
 */
export async function k6Environment(
  spec: string,
  { keys, headers, http }: { readonly keys: Keys; readonly headers: LoadHeaders; readonly http: Profile['http'] },
  own: NodeJS.ProcessEnv,
): Promise<K6Environment> {
  const { caFile, certFile, keyFile } = http.tls;
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => HANDED_ON.test(name))),
    SIZE_CHART_LOAD_SPEC: spec,
    SIZE_CHART_LOAD_HEADERS: JSON.stringify(headers),
    ...(caFile === null ? {} : { SSL_CERT_FILE: resolve(caFile) }),
    ...(certFile === null || keyFile === null
      ? {}
      : { SIZE_CHART_TLS_CERT: resolve(certFile), SIZE_CHART_TLS_KEY: resolve(keyFile) }),
    ...(http.proxy === null ? {} : { HTTP_PROXY: http.proxy, HTTPS_PROXY: http.proxy }),
  };
  const list = keys.full.join(',');
  if (list.length <= MOST_IN_VARIABLE) {
    return { env: { ...env, SIZE_CHART_KEYS: list }, dispose: () => Promise.resolve() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'size-chart-load-'));
  const file = join(folder, 'keys');
  await writeFile(file, keys.full.join('\n'), { mode: 0o600 });
  return {
    env: { ...env, SIZE_CHART_KEYS_FILE: file },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
