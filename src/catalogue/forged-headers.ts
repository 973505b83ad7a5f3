/** Headers that any client can send, by the variation of LIMIT-EVADE that adds them to a plain request. */
export const FORGED_HEADERS = {
  'forwarded-for': ['X-Forwarded-For', '203.0.113.7'],
  // Addresses of the own network are often exempt from limits, and so is a client that claims to have one.
  'internal-address': ['X-Forwarded-For', '127.0.0.1'],
  forwarded: ['Forwarded', 'for=203.0.113.8;proto=https'],
  'real-ip': ['X-Real-IP', '203.0.113.9'],
  'user-agent': ['User-Agent', 'Mozilla/5.0 (another client)'],
} as const satisfies Readonly<Record<string, readonly [name: string, value: string]>>;
