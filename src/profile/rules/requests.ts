import { NONCE_HEADER } from '../../certificate/nonce.ts';
import { type Finding, finding, type Path } from '../finding.ts';
import { type Outline, type RequestOutline, record } from '../outline.ts';

/** Paths stay below the base URL and hold only what may stand in a URL. */
export function checkPaths(outline: Outline): readonly Finding[] {
  return requestsOf(outline).flatMap(({ at, path, query }) => {
    if (path === null || !path.startsWith('/')) return [];
    const place = [...at, 'path'];
    const bare = path.replace(/\{\{\s*[A-Za-z0-9_]*\s*\}\}/g, 'x');
    if (bare.includes('?') && Object.keys(query).length > 0) {
      return [
        finding(place, 'contains a query string besides the field query', 'Move all parameters to the field query.'),
      ];
    }
    if (bare.includes('#')) return [finding(place, 'contains a fragment', 'Remove "#" and what follows it.')];
    if (bare.startsWith('//')) return [finding(place, 'starts with two slashes', 'Remove one.')];
    const [segments = ''] = bare.split('?');
    if (segments.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
      return [finding(place, 'contains "." or ".." as a segment', 'Write the path without them.')];
    }
    const single = /\{([A-Za-z0-9_]+)\}/.exec(bare.replaceAll('{{', ''))?.[1];
    if (single !== undefined && !path.includes('{{')) {
      return [
        finding(
          place,
          `contains {${single}}, which nothing fills in`,
          `Write {{${single}}} and capture it, or a fixed value.`,
        ),
      ];
    }
    if (path.includes('{{') && bare.includes('{')) return [];
    if (!/^([A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/.test(bare)) {
      return [finding(place, 'contains a character that a URL cannot contain', 'Percent-encode it.')];
    }
    return [];
  });
}

/**
 * Operations ask for something of the service: CONNECT asks a proxy for a tunnel, and cannot be sent as one (RFC 9110,
 * 9.3.6).
 */
export function checkMethods({ operations }: Outline): readonly Finding[] {
  return operations
    .filter(({ method }) => method === 'CONNECT')
    .map(({ at }) =>
      finding([...at, 'method'], 'is not a valid method for an operation', 'Write the method of the endpoint.'),
    );
}

/** The content type of a body is legal as a header. */
export function checkContentTypes(outline: Outline): readonly Finding[] {
  return requestsOf(outline).flatMap(({ at, body }) => {
    const type = record(body).content_type;
    const isType = typeof type === 'string' && typeof record(body).text === 'string';
    return isType ? checkValue(type, [...at, 'body', 'content_type']) : [];
  });
}

/** No parameter carries a key. */
export function checkQueries(outline: Outline): readonly Finding[] {
  return requestsOf(outline).flatMap(({ at, query }) =>
    Object.keys(query)
      .filter((name) => /^(x[-_]?)?(api[-_]?key|access[-_]?token)$/i.test(name))
      .map((name) =>
        finding([...at, 'query', name], 'is a parameter that carries a key', KEYS_ELSEWHERE, { on: 'name' }),
      ),
  );
}

/** Headers are legal, each there once, and neither carry the key nor rule the connection. */
export function checkHeaders(outline: Outline): readonly Finding[] {
  const places: readonly (readonly [Path, Readonly<Record<string, unknown>>])[] = [
    [['http', 'headers'], record(record(outline.root.http).headers)],
    ...requestsOf(outline).map(({ at, headers }) => [[...at, 'headers'], headers] as const),
  ];
  return places.flatMap(([at, headers]) => {
    const seen = new Set<string>();
    return Object.entries(headers).flatMap(([name, value]) => {
      const lower = name.toLowerCase();
      const twice = seen.has(lower);
      seen.add(lower);
      return checkHeader(lower, value, twice, [...at, name]);
    });
  });
}

/**
 * A probe differs from its operation, which must succeed; only the one with the restricted key may be the same request.
 */
export function checkProbes({ probes }: Outline): readonly Finding[] {
  return probes
    .filter(({ list, path, query, headers, body }) => {
      const changes = Object.keys(query).length + Object.keys(headers).length;
      return list !== 'forbidden' && path === null && changes === 0 && body === undefined;
    })
    .map(({ at }) =>
      finding(
        at,
        'changes nothing in its operation, which must succeed',
        'Add the path, query, headers or body that makes the request fail.',
      ),
    );
}

const KEYS_ELSEWHERE = 'Remove it: the suite takes the keys from the environment or .env, and sends them itself.';

const OWN = [
  NONCE_HEADER.toLowerCase(),
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
];

function checkHeader(lower: string, value: unknown, twice: boolean, at: Path): readonly Finding[] {
  const wrong = (problem: string, remedy: string) => [finding(at, problem, remedy, { on: 'name' })];
  if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(lower)) {
    return wrong('is not a valid header name', 'Use letters, digits and -.');
  }
  if (lower === 'x-api-key' || lower === 'authorization')
    return wrong('is a header that carries the key', KEYS_ELSEWHERE);
  if (OWN.includes(lower)) return wrong('is a header that the suite sets itself', 'Remove it.');
  if (twice) return wrong('occurs twice (header names are case-insensitive)', 'Keep one of them.');
  if (typeof value !== 'string') return [];
  const illegal = checkValue(value, at);
  if (illegal.length > 0) return illegal;
  if (/^\s*bearer\s/i.test(value)) return [finding(at, 'looks like a key', KEYS_ELSEWHERE)];
  return [];
}

function checkValue(value: string, at: Path): readonly Finding[] {
  if (/^[\t\x20-\x7e]*$/.test(value)) return [];
  return [finding(at, 'contains a character that a header cannot contain', 'Use printable ASCII on one line.')];
}

function requestsOf({ operations, probes }: Outline): readonly RequestOutline[] {
  return [...operations, ...probes];
}
