import { repeatable } from '../../profile/repetition.ts';
import type { Kind } from '../../trace/exchange.ts';
import { pairOf, type RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';

/** The kinds of which a plain request can be sent at any time. */
export function settlingKinds({ profile }: Pick<Session, 'profile'>): readonly Kind[] {
  return (['read', 'write'] as const).filter((kind) => repeatable(profile.operations, kind).length > 0);
}

/** A single plain request with a key: its answer shows whether the requests before it were counted. */
export function settling(session: Session, experiment: string, key: string, kind: Kind): RequestSpec {
  const operation = session.defaultOperation(kind);
  return { experiment, step: 'settle', operation, key, pair: pairOf(operation) };
}
