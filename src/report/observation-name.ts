/** The meanings of the names of observations. */
const WORDS: Readonly<Record<string, string>> = {
  'both-headers.same': 'The same key in both headers',
  'both-headers.different': 'Two valid keys, one in each header',
  'both-headers.one-invalid': 'Valid in `X-API-Key`, invalid in `Authorization`',
  'both-headers.other-invalid': 'Invalid in `X-API-Key`, valid in `Authorization`',
  'bearer.lowercase': 'Scheme written `bearer`',
  'bearer.uppercase': 'Scheme written `BEARER`',
  'bearer.extra-space': 'Two spaces after `Bearer`',
  'header.repeated': '`X-API-Key` sent twice, with the same key',
  'key.query': 'Key in a query parameter',
  'key.cookie': 'Key in a cookie',
  'key.revoked': 'Revoked key',
  'key.spaces': 'Spaces around the key',
  'method.head': 'HEAD',
  'method.options': 'OPTIONS',
  'path.unknown': 'Path that no operation has',
  'path.case': 'Path in another case',
  'path.trailing-slash': 'Path with the slash at its end added or left out',
  'outside-prefix': 'Path outside `/api/v1`',
  'retry-after': '`Retry-After`',
  'other-headers': 'Other rate-limit headers',
  'clock.skew': 'Clock',
  'delivery.pipelined': 'Burst over one connection',
  mechanism: 'Mechanism',
  counted: 'Counted, though not a success',
  'not-counted': 'Not counted',
  'limiter-clock-offset': "Limiter's clock ahead of ours",
  'reset.unit': 'Unit of `X-RateLimit-Reset`',
  window: 'Length of the window',
};

/** What the name of an observation stands for, with back-ticks around code. An unknown name stays unchanged. */
export function wordsFor(name: string): string {
  return WORDS[name] ?? name;
}

/**
 * The names of observations about one budget end in its key and kind, such as `mechanism.key-1.read`; for others,
 * `budget` is empty.
 */
export function placeOf(name: string): { readonly name: string; readonly budget: string } {
  const match = /^(.+)\.(key-\d+|restricted|revoked)\.(read|write)$/.exec(name);
  return match ? { name: match[1] ?? name, budget: `${match[2]} ${match[3]}s` } : { name, budget: '' };
}
