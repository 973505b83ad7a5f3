import type { Operation, Profile } from '../profile/profile.ts';
import type { Exchange } from '../trace/exchange.ts';

/**
 * What a request asked for in vain, and which captures its path is made of, as the end of a sentence: a capture that
 * reads the wrong field shows in the path. Empty where the answer is no 404, or nothing is captured.
 */
export function askedFor(
  { operations }: Pick<Profile, 'operations'>,
  { path }: Pick<Operation, 'path'>,
  { status, target }: Pick<Exchange, 'status' | 'target'>,
): string {
  if (status !== 404) return '';
  const names = new Set([...path.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
  const captures = operations.flatMap(({ id, capture }) =>
    capture
      .filter(({ name }) => names.has(name))
      .map(({ name, from }) => {
        const place = 'pointer' in from ? from.pointer || 'the whole body' : `the header ${from.header}`;
        return `${name} from ${place} of the answer to ${id}`;
      }),
  );
  return captures.length === 0 ? '' : ` It asked for ${target}, with ${captures.join(' and ')}.`;
}
