import { type Behaviour, behaviourOf, type Times } from './behaviour.ts';
import type { Defect } from './defects/defect.ts';
import { DEFECTS } from './defects.ts';
import { VARIANTS, variantNamed } from './variants.ts';

/** Makes the behaviour of one server. Each server needs its own. */
export type Conduct = (times: Times) => Behaviour;

/** The defect with this name. Throws a RangeError if there is none, so look up names from users in `DEFECTS`. */
export function defectNamed(name: string): Defect {
  const found = DEFECTS.find((each) => each.name === name);
  if (!found) throw new RangeError(`no defect ${name}`);
  return found;
}

/**
 * The behaviour of a server that has this defect, in this variant.
 *
 * @param variant a name of `variants.ts`; null: the one that shows the defect best, or the first
 * @param defect a name of `defects.ts`; null: none, so the server conforms
 */
export function conductOf(variant: string | null, defect: string | null): Conduct {
  const fault = defect === null ? null : defectNamed(defect);
  const { options } = variantNamed(variant ?? fault?.variant ?? VARIANTS[0]?.name ?? '');
  return (times) => {
    const behaviour = behaviourOf({ choices: options, deviations: fault?.deviations ?? [] }, times);
    return fault ? { ...behaviour, ...fault.change?.(behaviour) } : behaviour;
  };
}
