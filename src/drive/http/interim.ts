import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100');
const MAX_INTERIM_BYTES = 16 * 1024;

/**
 * Removes `100 Continue` from the bytes of a socket. A client must be able to skip it even if it did not ask for it
 * (RFC 9110, clause 15.2). undici skips every other interim response, but closes the connection on this one.
 *
 * It examines only the first bytes after each write, so it fits only connections with one request at a time.
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write;
  let pending: Buffer | null = Buffer.alloc(0);

  socket.write = ((...args: Parameters<typeof write>) => {
    pending = Buffer.alloc(0);
    return Reflect.apply(write, socket, args);
  }) as typeof write;

  socket.read = (size?: number): unknown => {
    while (pending) {
      const chunk: unknown = read(size);
      if (!(chunk instanceof Buffer)) return null;
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const rest = withoutContinue(pending);
      if (rest === 'undecided') continue;
      pending = null;
      return rest;
    }
    return read(size);
  };
}

/** The bytes after the interim responses at the start of `bytes`; `undecided` if more bytes are needed. */
function withoutContinue(bytes: Buffer): Buffer | 'undecided' {
  let rest = bytes;
  for (;;) {
    const length = Math.min(rest.length, CONTINUE.length);
    if (!rest.subarray(0, length).equals(CONTINUE.subarray(0, length))) return rest;
    const end = length < CONTINUE.length ? -1 : rest.indexOf('\r\n\r\n');
    if (end < 0) return rest.length > MAX_INTERIM_BYTES ? rest : 'undecided';
    rest = rest.subarray(end + 4);
  }
}
