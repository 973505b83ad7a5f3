import { isLoopback } from './loopback.ts';

/**
 * The proxy that the environment names for a base URL: HTTPS_PROXY or HTTP_PROXY by its scheme, in either case of
 * letters, unless NO_PROXY lists its host. Null if there is none, and always for this machine itself.
 */
export function environmentProxy(baseUrl: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const { protocol, hostname, port } = new URL(baseUrl);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy || isLoopback(baseUrl)) return null;
  const exempt = (env.NO_PROXY || env.no_proxy || '').split(/[\s,]+/).filter((entry) => entry !== '');
  return exempt.some((entry) => covers(entry, hostname, port)) ? null : proxy;
}

/** `*`, `host`, `.domain`, `host:port`: what curl and most clients understand. */
function covers(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  const [, host = entry, only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const domain = host.replace(/^\*?\./, '').toLowerCase();
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
