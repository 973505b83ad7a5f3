import { createHash } from 'node:crypto';
import { namedKeys } from './keys.ts';
import type { Keys } from './profile.ts';
import { redactorOf } from './redact.ts';

const HASHES = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

/**
 * A function that replaces everything in a text that reveals a key with the key's alias: see `redactorOf`.
 *
 * @param neighbours texts that are sent besides the keys and are similar to one of them, by the alias for each
 */
export function keyHider(keys: Keys, neighbours: ReadonlyMap<string, string> = new Map()): (text: string) => string {
  const own = namedKeys(keys).map(({ alias, key }) => ({ alias, text: key }));
  const others = [...neighbours].map(([text, alias]) => ({ alias, text, near: true }));
  return redactorOf([...own, ...others], (text) => HASHES.map((name) => createHash(name).update(text).digest('hex')));
}
