import type { Deviation } from '../../deployment/operators.ts';
import type { Explained } from '../../diagnosis/explained.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { isFullKey } from '../../trace/exchange.ts';

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

/** The decision without the names of keys where these are all full keys of the run: they are not told apart. */
export function withoutAllKeys(kind: KindRuling): KindRuling {
  const full = kind.diagnosis.world.histories.map(({ key }) => key).filter(isFullKey);
  const ofAny = (each: Deviation): Deviation => {
    const { keys, ...rest } = each;
    return keys && full.length > 0 && full.every((key) => keys.includes(key)) ? rest : each;
  };
  const said = (each: Explained): Explained => ({ ...each, deviations: each.deviations.map(ofAny) });
  return { ...kind, minimal: kind.minimal.map(said), ...(kind.likelier && { likelier: said(kind.likelier) }) };
}
