import { checkBaseUrl } from '../../profile/rules/target.ts';
import type { Checked } from '../proposal.ts';
import { isPlaceholder } from './placeholder.ts';

const PREFIX = '/api/v1';
const UNKNOWN_HOST = 'https://api.example.com';

/** The placeholder if no base URL is known. */
export const PLACEHOLDER_URL = UNKNOWN_HOST + PREFIX;

/** The base URL, and the part of the document's paths that belongs to it. */
export interface Base {
  readonly url: Checked<string>;
  /** Start of the document's paths that the base URL already contains; empty if the paths are relative to it. */
  readonly strip: string;
  /** Whether the host is one that was given, or that the document names and that is no placeholder. */
  readonly known: boolean;
}

/**
 * Finds the base URL: the one given by the user, else the document's first usable server that is no placeholder; a
 * relative one is resolved against the document's URL. If a document's paths contain `/api/v1`, it moves this to the
 * base URL.
 */
export function proposeBaseUrl(
  given: string | null,
  servers: readonly string[],
  paths: readonly string[],
  documentUrl: string | null,
): Base {
  const inPaths = commonPrefix(paths);
  if (given !== null) {
    const base = trimmed(given);
    return {
      url: { value: base, checks: [] },
      strip: inPaths !== '' && base.endsWith(inPaths) ? inPaths : '',
      known: true,
    };
  }
  const usable = servers.flatMap((server) => absolute(server, documentUrl ?? schemeFor(server)) ?? []);
  const real = usable.filter((each) => !isPlaceholder(each));
  const [relative] = servers.flatMap((server) => absolute(withoutVariables(server), UNKNOWN_HOST) ?? []);
  const [first = usable[0] ?? relative ?? UNKNOWN_HOST, ...further] = real;
  const known = real.length > 0;
  const others = [...further, ...(known && documentUrl === null ? servers.filter((each) => /^\/[^/]/.test(each)) : [])];
  const strip = endsInPrefix(first) ? '' : inPaths;
  const value = trimmed(first) + (strip === '' && usable.length === 0 && !endsInPrefix(first) ? PREFIX : strip);
  const instead = usable.length > 0 ? `only the placeholder ${first}` : 'no complete address';
  const isGuessed =
    documentUrl === null && servers.some((each) => absolute(each, schemeFor(each)) === first && !/^\w/.test(each));
  const checks = [
    ...(known ? [] : [`The document gives ${instead}: write the base URL of the deployment.`]),
    ...(known && isGuessed ? ['The document does not say whether it is http or https: is https right?'] : []),
    ...(others.length > 0 ? [`Is this the right server? The document also has ${others.slice(0, 4).join(', ')}.`] : []),
    ...(endsInPrefix(value)
      ? []
      : [`Does not end in ${PREFIX}, as clause 9.1 requires: if this is the real base URL, VERSION-1 fails.`]),
  ];
  return { url: { value, checks }, strip, known };
}

/**
 * What a server without a scheme (`//host/path`) is resolved against where the document has no URL; null: not such a
 * server.
 */
function schemeFor(server: string): string | null {
  return server.startsWith('//') ? UNKNOWN_HOST : null;
}

/** The server without a host that is variable, and with the names of other variables for their values. */
function withoutVariables(server: string): string {
  return server.replace(/^[^/]*\/\/[^/]*[{}][^/]*/, '').replace(/[{}]/g, '');
}

/** Null for a URL that a profile does not accept as base URL. */
function absolute(server: string, base: string | null): string | null {
  if (/[{}\s\\]/.test(server) || !URL.canParse(server, base ?? undefined)) return null;
  const { href } = new URL(server, base ?? undefined);
  return checkBaseUrl(href, []).length > 0 ? null : trimmed(href);
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

function endsInPrefix(url: string): boolean {
  return trimmed(url).endsWith(PREFIX);
}

/** `/api/v1` and what precedes it, if most paths start so; else empty. */
function commonPrefix(paths: readonly string[]): string {
  const starts = paths.flatMap((path) => /^((?:\/[^/{}]+)*?\/api\/v1)(?=\/|$)/.exec(path)?.[1] ?? []);
  const [start] = starts;
  return start !== undefined && starts.length * 2 > paths.length ? start : '';
}
