import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keys } from '../../src/profile/profile.ts';

/** Pieces shorter than this occur by chance. */
const SHORTEST = 8;

/**
 * Every way in which a key could show: as it is, percent-encoded, as JSON text, in base64 (all three alignments, both alphabets), in hex,
 * reversed, and each half of it, forwards and backwards.
 */
export function shapesOf(key: string): readonly string[] {
  const middle = Math.floor(key.length / 2);
  const halves = [key.slice(0, middle), key.slice(middle)].filter((half) => half.length >= SHORTEST);
  const plain = [key, ...halves];
  return [
    ...new Set(
      plain.flatMap((text) => [
        text,
        [...text].reverse().join(''),
        encodeURIComponent(text),
        JSON.stringify(text).slice(1, -1),
        Buffer.from(text).toString('hex'),
        ...[0, 1, 2].flatMap((offset) => base64Within(text, offset)),
      ]),
    ),
  ].filter((shape) => shape.length >= SHORTEST);
}

/** The base64 digits that stand for the text wherever it starts so many bytes into a group of three. */
function base64Within(text: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  const digits = bytes.toString('base64').replaceAll('=', '');
  const own = digits.slice(offset === 0 ? 0 : offset + 1, bytes.length % 3 === 0 ? undefined : -1);
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

export function allKeys({ full, restricted, revoked }: Keys): readonly string[] {
  return [...full, restricted, revoked].filter((key) => key !== null);
}

/** Where a key shows in a text or in bytes: the name of the place and the shape it has there. */
export function leaks(keys: readonly string[], place: string, content: string | Buffer): readonly string[] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return keys.flatMap((key, index) =>
    shapesOf(key)
      .filter((shape) => bytes.includes(shape))
      .map((shape) => `${place}: key ${index} as ${JSON.stringify(shape)}`),
  );
}

/** All bytes of all files below a folder. */
export function leaksInFiles(keys: readonly string[], folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      return leaks(keys, file, readFileSync(file));
    });
}

/** Watches what a process and its descendants show of themselves in the process list, until it is told to end. */
export function watchProcessList(root: number): {
  end(): { readonly seen: number; readonly lines: readonly string[] };
} {
  const lines = new Set<string>();
  const seen = new Set<number>();
  const look = (): void => {
    for (const pid of familyOf(root)) {
      try {
        lines.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
        seen.add(pid);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const timer = setInterval(look, 20);
  look();
  return {
    end() {
      clearInterval(timer);
      return { seen: seen.size, lines: [...lines] };
    },
  };
}

function familyOf(root: number): readonly number[] {
  const family = [root];
  for (const pid of family) {
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      family.push(...children.trim().split(/\s+/).filter(Boolean).map(Number));
    } catch {
      // It has ended meanwhile.
    }
  }
  return family;
}
