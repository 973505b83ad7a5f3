import { type Behaviour, behaviourOf, type Times } from './behaviour.ts';
import type { Defect } from './defects/defect.ts';
import { DEFECTS } from './defects.ts';
import { VARIANTS, variantNamed } from './variants.ts';

/** Makes the conduct of one server, anew for each. */
export type Conduct = (times: Times) => Behaviour;

/** The defect of this name. Throws a RangeError where there is none: names from users are looked up in `DEFECTS`. */
export function defectNamed(name: string): Defect {
  const found = DEFECTS.find((each) => each.name === name);
  if (!found) throw new RangeError(`no defect ${name}`);
  return found;
}

/**
 * How a server behaves that has this defect, in this variant.
 *
 * @param variant a name of `variants.ts`; null: the one that shows the defect best, or the first
 * @param defect a name of `defects.ts`; null: none, so that it conforms
 */
export function conductOf(variant: string | null, defect: string | null): Conduct {
  const fault = defect === null ? null : defectNamed(defect);
  const { options } = variantNamed(variant ?? fault?.variant ?? VARIANTS[0]?.name ?? '');
  return (times) => {
    const behaviour = behaviourOf({ choices: options, deviations: fault?.deviations ?? [] }, times);
    return fault ? { ...behaviour, ...fault.change?.(behaviour) } : behaviour;
  };
}
