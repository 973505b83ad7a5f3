import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keys } from '../../src/profile/profile.ts';
import { TRANSFORMATIONS } from '../../src/profile/transformations.test-support.ts';

/** This many letters and digits of a key in a row are a leak in any encoding, as are all of a key that has no more. */
const WINDOW = 12;

const made = new Map<string, ReadonlyMap<string, string>>();

/**
 * Every run of letters and digits in which a key could show in any of the transformations, without case, and by which
 * one.
 */
function windowsOf(keys: readonly string[]): ReadonlyMap<string, string> {
  const known = made.get(keys.join('\n'));
  if (known) return known;
  const windows = new Map<string, string>();
  made.set(keys.join('\n'), windows);
  for (const [index, key] of keys.entries()) {
    const aligned = [key, ` ${key}`, `  ${key}`, `${key}  `];
    const shapes = Object.entries(TRANSFORMATIONS).flatMap(([name, transform]) =>
      (name.includes('base64') ? aligned : [key]).map((text) => [name, letters(transform(text))] as const),
    );
    for (const [name, shape] of shapes) {
      const width = WINDOW * Math.max(1, Math.ceil(shape.length / letters(key).length));
      for (let at = 0; at + width <= shape.length; at += 1)
        windows.set(shape.slice(at, at + width), `key ${index} ${name}`);
    }
  }
  return windows;
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^0-9a-z]/g, '');
}

export function allKeys({ full, restricted, revoked }: Keys): readonly string[] {
  return [...full, restricted, revoked].filter((key) => key !== null);
}

/** Where a key shows in a text or in bytes: the name of the place and the shape it has there. */
export function leaks(keys: readonly string[], place: string, content: string | Buffer): readonly string[] {
  const windows = windowsOf(keys);
  const text = letters(typeof content === 'string' ? content : content.toString('latin1'));
  const widths = new Set([...windows.keys()].map((window) => window.length));
  const found = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    for (const width of widths) {
      const window = text.slice(at, at + width);
      const shape = windows.get(window);
      if (shape !== undefined) found.add(`${place}: ${shape} (${window})`);
    }
  }
  return [...found];
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

/** Watches how a process and its descendants appear in the process list, until it is told to stop. */
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
