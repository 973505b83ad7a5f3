import { GROUPS, KINDS } from '../../trace/exchange.ts';
import { type Finding, finding, type Path } from '../finding.ts';
import { type Outline, record, text } from '../outline.ts';

const LAST_PORT = 65_535;

/** The base URL is absolute, of HTTP, and nothing but a place. That it ends in `/api/v1` is for VERSION-1 to judge. */
export function checkBaseUrl(url: string, at: Path): readonly Finding[] {
  const remedy = 'Write a URL such as https://api.example.com/api/v1.';
  if (/[\s\p{Cc}\\]/u.test(url)) return [finding(at, 'contains a space or control character', remedy)];
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed) {
    const [, port] = /^https?:\/\/(?:\[[^\]]*\]|[^/?#:@]+):(\d+)(?:[/?#]|$)/i.exec(url) ?? [];
    const problem =
      Number(port) > LAST_PORT ? `has the port ${port}, but the last is ${LAST_PORT}` : 'is not an absolute URL';
    return [finding(at, problem, remedy)];
  }
  const wrong = [
    ...(/^https?:\/\//i.test(url) ? [] : [['is not an http or https URL', remedy] as const]),
    ...(parsed.username || parsed.password
      ? [['contains credentials', 'Remove "@" and the part before it.'] as const]
      : []),
    ...(url.includes('?') ? [['contains a query string', 'Remove "?" and what follows it.'] as const] : []),
    ...(url.includes('#') ? [['contains a fragment', 'Remove "#" and what follows it.'] as const] : []),
  ];
  return wrong.map(([problem, advice]) => finding(at, problem, advice));
}

/**
 * A base URL that VERSION-1 will fail, such as one of another version: mostly a mistake, so it is worth knowing before
 * a run.
 */
export function checkVersion(url: string, at: Path): readonly Finding[] {
  if (!URL.canParse(url) || /\/api\/v1\/*$/.test(url)) return [];
  const problem = 'does not end in /api/v1 (clause 9.1), so VERSION-1 will fail';
  const remedy = 'Give the base URL of version 1 of the API, if there is one.';
  return [finding(at, problem, remedy, { severity: 'warning' })];
}

/** Base URL and proxy are URLs of HTTP, and certificates are checked. */
export function checkTarget({ root }: Outline): readonly Finding[] {
  const url = text(root.base_url);
  const http = record(root.http);
  const tls = record(http.tls);
  const proxy = text(http.proxy);
  const findings = url ? [...checkBaseUrl(url, ['base_url']), ...checkVersion(url, ['base_url'])] : [];
  if (proxy && !(URL.canParse(proxy) && /^https?:\/\//i.test(proxy))) {
    findings.push(
      finding(['http', 'proxy'], 'is not an http or https URL', 'Write a URL such as http://proxy.example.com:3128.'),
    );
  }
  if (tls.insecure === true) {
    const problem = 'turns off the check of the server’s certificate';
    findings.push(finding(['http', 'tls', 'insecure'], problem, 'Use ca_file instead.', { severity: 'warning' }));
  }
  return findings;
}

/** Reads and writes until they are refused: 101 and 31 (clause 8). */
const LEAST_REQUESTS = 132;

/** Ceilings that leave room for the tests. */
export function checkPacing({ root }: Outline): readonly Finding[] {
  const most = record(root.pacing).max_requests;
  if (typeof most !== 'number' || most >= LEAST_REQUESTS) return [];
  const problem = `is less than the ${LEAST_REQUESTS} requests that the limits alone need`;
  const remedy = 'Raise it, or the limits cannot be judged.';
  return [finding(['pacing', 'max_requests'], problem, remedy, { severity: 'warning' })];
}

/** Groups and kinds without an operation leave requirements untested, which is worth knowing before a run. */
export function checkCoverage({ operations }: Outline): readonly Finding[] {
  const lacking = [
    ...KINDS.filter((kind) => !operations.some((each) => each.kind === kind)).map((kind) => `no ${kind} operation`),
    ...GROUPS.filter((group) => !operations.some((each) => each.group === group)).map(
      (group) => `no operation of the group ${group}`,
    ),
  ];
  if (operations.length === 0 || lacking.length === 0) return [];
  const problem = `has ${lacking.join(', ')}: requirements that need one will be "not tested"`;
  return [finding(['operations'], problem, 'A certificate needs them: add them.', { on: 'name', severity: 'warning' })];
}
