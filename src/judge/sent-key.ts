import { badKeyNamed } from '../catalogue/key-states.ts';
import { wayText } from '../deployment/attribute.ts';
import type { Exchange } from '../trace/exchange.ts';

type Sent = Pick<Exchange, 'key' | 'credential' | 'fault' | 'variation'>;

/** With what key a request was sent: `with key-1 by Bearer`, or `with key-1 sent cut to two thirds (shortened)`. */
export function sentKeyText(sent: Sent): string {
  if (sent.credential === 'none') return 'with no key';
  if (sent.fault === 'bad-key') return badKeyText(sent);
  const own = sent.key === 'restricted' ? 'the restricted key' : (sent.key ?? 'no key');
  return `with ${own} by ${wayText(sent.credential)}`;
}

/** What was sent in place of a valid key. */
function badKeyText({ key, variation, credential }: Sent): string {
  const { name, family, words = '' } = badKeyNamed(variation) ?? {};
  if (family === undefined || family === 'unknown') return `with a wrong key (${variation ?? credential})`;
  if (family === 'empty') return `with a key ${words} (${name})`;
  return `with ${key ?? 'a key'} sent ${words.replace(/^sent /, '')} (${name})`;
}
