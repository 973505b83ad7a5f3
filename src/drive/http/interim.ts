import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100');
const MAX_INTERIM_BYTES = 16 * 1024;

/**
 * Takes `100 Continue` out of what a socket gives to read. A client must be able to skip it even where it did not ask for
 * it (RFC 9110, clause 15.2); undici skips every other interim response, and closes the connection on this one.
 *
 * It looks at the first bytes after each write only, so it is for connections with one request under way at a time.
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

/** What follows the interim responses at the start of `bytes`; `undecided` while more bytes are needed to tell. */
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
