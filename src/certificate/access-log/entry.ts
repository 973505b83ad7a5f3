/** One line of a deployment's access log. */
export interface LogEntry {
  /** ms since the Unix epoch, by the clock of the log's writer; most logs have whole seconds. */
  readonly time: number;
  readonly method: string;
  /** As logged, without its query. */
  readonly path: string;
  readonly status: number;
  /** Whether the line contains the nonce: in the User-Agent, or in a header that the log's format adds. */
  readonly hasNonce: boolean;
  /**
   * Where it has another value instead, such as the nonce of another run: in the place of the nonce, or where the
   * combined format has the User-Agent; null: nowhere.
   */
  readonly instead: 'nonce' | 'agent' | null;
}

/**
 * Reads a line of an access log: the common and the combined format (Apache's `%h %l %u %t "%r" %>s %b`, which nginx
 * also writes), with anything after it, or a JSON object with a time, a method, a path and a status under any of their
 * usual names, at any depth. Null if it is neither.
 */
export function readEntry(line: string, nonce: string | null): LogEntry | null {
  const found = line.trimStart().startsWith('{') ? fromJson(line) : fromCommon(line);
  const hasNonce = nonce !== null && line.includes(nonce);
  return found && { ...found, hasNonce, instead: nonce === null || hasNonce ? null : insteadIn(line) };
}

type Found = Omit<LogEntry, 'hasNonce' | 'instead'>;

/**
 * A field of its own name, in JSON of any depth, also as a list: `nonce`, `http_x_conformance_nonce`,
 * `X-Conformance-Nonce`.
 */
const NONCE_FIELD = /"(?:nonce|[\w-]*conformance[_-]?nonce)"\s*:\s*\[?\s*"([^"]*)"/i;

/**
 * What the common format has after it where it is extended as the documentation shows: no referer, and then the nonce.
 */
const NONCE_AT_END = /" \d{3} \S+ "-" "([A-Za-z0-9._~:-]{1,128})"\s*$/;

/** The suite's own User-Agent, which has the nonce of its run. */
const OWN_AGENT = /size-chart-conformance\/\S+ \(conformance test/;

function insteadIn(line: string): LogEntry['instead'] {
  const has = (pattern: RegExp): boolean => !['', '-'].includes(pattern.exec(line)?.[1] ?? '');
  if (has(NONCE_FIELD) || OWN_AGENT.test(line)) return 'nonce';
  return has(NONCE_AT_END) ? 'agent' : null;
}

const COMMON = /^\S+ \S+ .*?\[([^\]]+)\] "([A-Z]+) (\S+)(?: [^"]*)?" (\d{3}) /;

function fromCommon(line: string): Found | null {
  const [, stamp, method, target, status] = COMMON.exec(`${line} `) ?? [];
  return entryOf(stamp, method, target, status);
}

const TIMES = [
  'time',
  'timestamp',
  '@timestamp',
  'ts',
  'date',
  'datetime',
  'time_iso8601',
  'time_local',
  'msec',
  'start_time',
];
const METHODS = ['method', 'request_method', 'http_method', 'verb'];
const PATHS = ['path', 'uri', 'request_uri', 'url', 'request_path', 'target'];
const STATUSES = ['status', 'status_code', 'statuscode', 'response_code', 'response_status', 'code'];
const REQUEST_LINES = ['request', 'request_line', 'requestline'];

function fromJson(line: string): Found | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  const fields = new Map<string, unknown>();
  flatten(parsed, fields);
  const first = (names: readonly string[]): unknown =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  const [, method, target] = /^([A-Z]+) (\S+)/.exec(String(first(REQUEST_LINES) ?? '')) ?? [];
  return entryOf(first(TIMES), first(METHODS) ?? method, first(PATHS) ?? target, first(STATUSES));
}

/** Fields by their own names in lower case; the one nearest to the root counts. */
function flatten(value: unknown, into: Map<string, unknown>): void {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < 4; depth += 1) {
    const below: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null || Array.isArray(each)) continue;
      for (const [name, field] of Object.entries(each)) {
        if (typeof field === 'object') below.push(field);
        else if (!into.has(name.toLowerCase())) into.set(name.toLowerCase(), field);
      }
    }
    level = below;
  }
}

function entryOf(stamp: unknown, method: unknown, target: unknown, status: unknown): Found | null {
  const time = timeOf(stamp);
  const code = Number(status);
  if (time === null || typeof method !== 'string' || typeof target !== 'string' || !Number.isInteger(code)) return null;
  const path = target.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/, '');
  return { time, method: method.toUpperCase(), path, status: code };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const COMMON_TIME = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}(?:\.\d+)?) ([+-]\d{2}):?(\d{2})$/;

/**
 * A time in the forms that logs use, in ms: `21/Nov/2026:08:30:17 +0000`, ISO 8601, or a number of s, ms, µs or ns
 * since the Unix epoch.
 */
function timeOf(stamp: unknown): number | null {
  const number = typeof stamp === 'number' ? stamp : /^\d+(\.\d+)?$/.test(String(stamp)) ? Number(stamp) : null;
  // 10^11 s are the year 5138, and 10^11 ms the year 1973, so the size shows the unit.
  if (number !== null)
    return number < 1e11 ? number * 1e3 : number < 1e14 ? number : number < 1e17 ? number / 1e3 : number / 1e6;
  const [, day, month = '', year, clock, hours, minutes] = COMMON_TIME.exec(String(stamp)) ?? [];
  const iso =
    day === undefined
      ? String(stamp)
      : `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${clock}${hours}:${minutes}`;
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}
