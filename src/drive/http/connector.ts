import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { bytesOf, NoPlainFile } from '../../plain-file.ts';
import type { Profile } from '../../profile/profile.ts';
import { CauseError } from './failure.ts';
import { type Endpoint, endpointOf, RequestError } from './message.ts';

/** `alpnProtocol` is the protocol that the TLS handshake agreed on, if there was one. */
export type OpenSocket = Socket & { readonly alpnProtocol?: string | false | null };

/** Opens connections that are ready for writing: looks up the name, connects, and passes TLS and a proxy. */
export interface Connector {
  /**
   * @param h2 offer HTTP/2 in the TLS handshake; `alpnProtocol` of the socket says whether the target accepted
   * @throws what `causeOf` classifies
   */
  open(endpoint: Endpoint, h2?: boolean): Promise<OpenSocket>;
  /** Whether requests to this endpoint go to a forwarding proxy, which gets the absolute URL in their first line. */
  forwards(endpoint: Endpoint): boolean;
  /** Headers that a forwarding proxy needs. */
  readonly proxyHeaders: readonly (readonly [string, string])[];
}

type Connect = ReturnType<typeof buildConnector>;

/**
 * @param timeout real ms for one connection, TLS handshake included
 * @throws RequestError if a file of the TLS options cannot be read or the proxy is no http(s) URL
 */
export function createConnector(http: Profile['http'], timeout: number): Connector {
  const { tls } = http;
  const options = {
    timeout,
    ...(tls.caFile ? { ca: pem(tls.caFile, 'CA file') } : {}),
    ...(tls.certFile ? { cert: pem(tls.certFile, 'client certificate') } : {}),
    ...(tls.keyFile ? { key: pem(tls.keyFile, "client certificate's key") } : {}),
    rejectUnauthorized: !tls.insecure,
  };
  const connect = buildConnector({ ...options, allowH2: false });
  const connectH2 = buildConnector({ ...options, allowH2: true, preferH2: true });
  const proxy = http.proxy === null ? null : proxyOf(http.proxy, timeout);

  return {
    async open(endpoint, h2 = false) {
      const dial = h2 ? connectH2 : connect;
      if (!proxy) return dialled(dial, endpoint);
      if (endpoint.protocol === 'http:') return dialled(proxy.connect, proxy.endpoint);
      return dialled(dial, endpoint, await tunnel(proxy, endpoint));
    },
    forwards: (endpoint) => proxy !== null && endpoint.protocol === 'http:',
    proxyHeaders: proxy?.headers ?? [],
  };
}

function dialled(connect: Connect, { protocol, hostname, port }: Endpoint, httpSocket?: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const route = {
      protocol,
      hostname,
      port: String(port),
      // An address is not a server name (RFC 6066, clause 3). undici treats an empty one as none.
      ...(isIP(hostname) ? {} : { servername: hostname }),
      ...(httpSocket ? { httpSocket } : {}),
    };
    connect(route, (...[error, socket]) => (error ? reject(error) : resolve(socket)));
  });
}

interface Proxy {
  readonly endpoint: Endpoint;
  readonly connect: Connect;
  readonly headers: readonly (readonly [string, string])[];
}

function proxyOf(address: string, timeout: number): Proxy {
  const url = URL.canParse(address) ? new URL(address) : null;
  const endpoint = url && endpointOf(url);
  if (!url || !endpoint) {
    throw new RequestError('the proxy of the profile (http.proxy) is not an http or https URL');
  }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    endpoint,
    connect: buildConnector({ timeout, allowH2: false }),
    headers:
      credentials === ':' ? [] : [['proxy-authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]],
  };
}

/** A tunnel through the proxy (RFC 9110, clause 9.3.6). */
async function tunnel(proxy: Proxy, { hostname, port }: Endpoint): Promise<Socket> {
  const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  const client = new Client(proxy.endpoint.origin, {
    connect: (_, done) => {
      dialled(proxy.connect, proxy.endpoint).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      );
    },
  });
  try {
    const headers = Object.fromEntries([['host', authority], ...proxy.headers]);
    const { statusCode, socket } = await client.connect({ path: authority, headers });
    if (statusCode === 200) return socket as Socket;
    socket.on('error', () => {}).destroy();
    throw new CauseError(
      'refused',
      statusCode === 407
        ? 'the proxy requires credentials: add them to its URL (http.proxy)'
        : `the proxy refused the tunnel with status ${statusCode}`,
    );
  } finally {
    client.close().catch(() => {});
  }
}

/** A bundle of all authorities that a system trusts is a fifth of this. */
const MOST_PEM_BYTES = 1_000_000;

function pem(file: string, what: string): string {
  try {
    return bytesOf(file, MOST_PEM_BYTES, 'followed').toString('utf8');
  } catch (error) {
    const reason = error instanceof NoPlainFile ? error.message : 'unknown error';
    throw new RequestError(`the ${what} "${file}" of the profile (http.tls) cannot be read: ${reason}`);
  }
}
