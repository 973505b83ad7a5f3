import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../clock/system-clock.ts';
import { createTrace } from '../../trace/recorder.ts';
import { exchangeOf, HEADER, temporaryFolder } from '../../trace/trace.test-support.ts';
import { clientOf, get, httpServer, KEY, rawServer } from './loopback.test-support.ts';

test('no byte of a key reaches the trace, whatever a target sends back', async () => {
  const echo = await httpServer((request, response) => {
    response.writeHead(401, {
      'x-ratelimit-limit': KEY,
      'retry-after': `${KEY} ${KEY}`,
      'www-authenticate': `Bearer realm="${KEY}"`,
      location: `${request.url}?key=${KEY}`,
      'x-ratelimit-policy': 'x'.repeat(240) + KEY,
      server: KEY,
    });
    response.end(KEY);
  });
  const noise = await rawServer((socket) => socket.end(`HTTP/1.1 ${KEY} ${KEY}\r\n\r\n`));
  const folder = temporaryFolder();
  const recorder = createTrace(join(folder, 'trace.ndjson'), HEADER, systemClock());
  let seq = 0;
  for (const port of [echo, noise]) {
    const client = clientOf(port);
    const answers = [
      await client.send(get()),
      ...(await client.burst([get(), get()], { delivery: 'connections' })),
      ...(await client.burst([get(), get()], { delivery: 'pipelined' })),
    ];
    for (const { body: _body, fields: _fields, detail, ...answer } of answers) {
      recorder.record(exchangeOf(seq++, answer));
      recorder.note('experiment-failed', null, detail ?? '');
    }
  }
  recorder.close('complete');
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file), 'latin1');
    expect(bytes).toContain('"status":401');
    // Nor a part of it, as a cut in its middle would leave.
    expect(bytes).not.toContain(KEY.slice(0, 8));
  }
});
