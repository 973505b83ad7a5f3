import type { Checked } from '../proposal.ts';

/** What stands where no base URL is known. */
export const PLACEHOLDER_URL = 'https://api.example.com/api/v1';

const PREFIX = '/api/v1';

/** Where the operations lie, and what of a document's paths is part of the base URL. */
export interface Base {
  readonly url: Checked<string>;
  /** Start of the document's paths that the base URL already holds; empty where they lie below it as they are. */
  readonly strip: string;
}

/**
 * Finds the base URL: the one given by the user, else the document's first server that can be used, a relative one being resolved against
 * the document's own URL. Documents that write `/api/v1` into their paths have it moved to the base URL.
 */
export function proposeBaseUrl(
  given: string | null,
  servers: readonly string[],
  paths: readonly string[],
  documentUrl: string | null,
): Base {
  const usable = servers.flatMap((server) => absolute(server, documentUrl) ?? []);
  const [first, ...others] = usable;
  const prefix = first !== undefined && given === null && endsInPrefix(first) ? '' : commonPrefix(paths);
  if (given !== null) {
    const base = trimmed(given);
    return { url: { value: base, checks: [] }, strip: prefix !== '' && base.endsWith(prefix) ? prefix : '' };
  }
  if (first === undefined) {
    const said =
      servers.length > 0 ? 'The document names no server by its whole address' : 'The document names no server';
    return {
      url: { value: PLACEHOLDER_URL, checks: [`${said}: write the base URL of the deployment.`] },
      strip: prefix,
    };
  }
  const url = trimmed(first) + prefix;
  const checks = [
    ...(others.length > 0
      ? [`The first of ${usable.length} servers of the document; the others: ${others.slice(0, 4).join(', ')}.`]
      : []),
    ...(endsInPrefix(url)
      ? []
      : [`Does not end in ${PREFIX}, as clause 9.1 has it: if it is right as it stands, VERSION-1 fails.`]),
  ];
  return { url: { value: url, checks }, strip: prefix };
}

/** A base URL without which `profile` cannot be read is none. */
function absolute(server: string, documentUrl: string | null): string | null {
  const base = documentUrl ?? undefined;
  if (/[{}\s\\]/.test(server) || !URL.canParse(server, base)) return null;
  const url = new URL(server, base);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return null;
  return trimmed(url.href);
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

function endsInPrefix(url: string): boolean {
  return trimmed(url).endsWith(PREFIX);
}

/** `/api/v1`, with what stands before it, where most paths start so; else nothing. */
function commonPrefix(paths: readonly string[]): string {
  const starts = paths.flatMap((path) => /^((?:\/[^/{}]+)*?\/api\/v1)(?=\/)/.exec(path)?.[1] ?? []);
  const [start] = starts;
  return start !== undefined && starts.length * 2 > paths.length ? start : '';
}
