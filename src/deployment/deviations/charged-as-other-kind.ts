import type { Kind } from '../../trace/exchange.ts';
import { classesText } from '../attribute.ts';
import { type Operator, pick } from '../operator.ts';

/** Operations that draw on the budget of the other kind, with its limit and headers. */
export interface ChargedAsOtherKind {
  /** Of this kind, according to the profile. */
  readonly kind: Kind;
  readonly operations: readonly string[];
}

/** A route with the wrong kind. */
export const chargedAsOtherKind: Operator<'charged-as-other-kind', ChargedAsOtherKind> = {
  id: 'charged-as-other-kind',
  component: 'scope',
  breaks: () => ['HDR-3', 'LIMIT-RW', 'LIMIT-SCOPE'],
  mayShow: () => [],
  sentence: ({ kind, operations }) =>
    `${classesText('operation', operations)} ${operations.length === 1 ? 'draws' : 'draw'} on the budget of ${kind === 'read' ? 'writes' : 'reads'}.`,
  remedy: () =>
    'Usually the kind is taken from the HTTP method or from a list of routes that lacks this one. Correct the list, or the kind in the profile if that is what is wrong.',
  draw(random, { operations }) {
    const kind = pick(random, ['read', 'write'] as const);
    const own = operations.filter((each) => each.kind === kind);
    return own.length < 2 ? null : { kind, operations: [pick(random, own).id] };
  },
};
