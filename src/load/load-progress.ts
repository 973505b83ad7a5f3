import { open } from 'node:fs/promises';

/** What the records say so far. */
export interface LoadCounts {
  sent: number;
  accepted: number;
  refused: number;
  /** Answers with any other status, and requests that were given up. */
  other: number;
}

const EVERY_MS = 500;
const LINE_EVERY_MS = 10_000;

/**
 * Follows the record files while k6 writes them, and says how far the run has come: on one line, redrawn, where there is a
 * terminal, else now and then on a line of its own.
 *
 * @returns a function that ends it
 */
export function showLoadProgress(
  files: readonly string[],
  requests: number,
  stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
): () => void {
  const followers = files.map((file) => ({ file, at: 0, rest: '' }));
  const counts: LoadCounts = { sent: 0, accepted: 0, refused: 0, other: 0 };
  let told = Date.now();
  let busy = false;

  const look = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    for (const follower of followers) await advance(follower, counts);
    busy = false;
    const { sent, accepted, refused, other } = counts;
    const share = Math.round((100 * sent) / Math.max(1, requests));
    const text = `${share} %  ${sent} sent, ${accepted} accepted, ${refused} refused${other > 0 ? `, ${other} other` : ''}`;
    if (stream.isTTY) stream.write(`\r\x1b[2K${text}`);
    else if (Date.now() - told >= LINE_EVERY_MS) {
      told = Date.now();
      stream.write(`${text}\n`);
    }
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  return () => {
    clearInterval(timer);
    if (stream.isTTY) stream.write('\r\x1b[2K');
  };
}

interface Follower {
  readonly file: string;
  at: number;
  rest: string;
}

/** Counts what was written since the last look; a file that is not there yet counts as empty. */
async function advance(follower: Follower, counts: LoadCounts): Promise<void> {
  const handle = await open(follower.file).catch(() => null);
  if (!handle) return;
  try {
    const buffer = Buffer.allocUnsafe(1 << 20);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, follower.at);
    follower.at += bytesRead;
    const lines = (follower.rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
    follower.rest = lines.pop() ?? '';
    for (const line of lines) countLine(line, counts);
  } finally {
    await handle.close();
  }
}

function countLine(line: string, counts: LoadCounts): void {
  if (line.startsWith('>|')) counts.sent += Number(line.split('|')[2]) || 0;
  else if (line.startsWith('x|')) counts.other += 1;
  else if (line.startsWith('<|')) {
    const status = line.split('|')[4] ?? '';
    if (status.startsWith('2')) counts.accepted += 1;
    else if (status === '429') counts.refused += 1;
    else counts.other += 1;
  }
}
