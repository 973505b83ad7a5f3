import type { Deviation } from '../../deployment/operators.ts';

/**
 * Whether the requests of a key can show a deviation: those of keys for which it does not hold are answered as they
 * should be, and what they show is something else.
 */
export function isAbout({ operator, parameters, keys }: Deviation): (key: { readonly key: string }) => boolean {
  const only = keys ?? (operator === 'anonymous-charged' ? chargedKey(parameters.to) : null);
  return ({ key }) => only?.includes(key) ?? true;
}

/** The only key that is charged; null: another one each time. */
function chargedKey(to: string | object): readonly string[] | null {
  return typeof to === 'string' ? [to] : null;
}
