import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation, Probe, Profile } from '../profile/profile.ts';
import { GROUPS } from '../trace/exchange.ts';
import { EVERYTHING, makePlan, type Plan } from './plan.ts';
import type { Mode } from './tracks.ts';

const WRITING = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A profile with this many operations, of all groups, kinds and methods in turn, and probes for about half of them. */
export function profileOf(count: number, writing: readonly string[] = WRITING): Profile {
  const operations = Array.from({ length: count }, (_, index): Operation => {
    const group = GROUPS[index % 3] ?? 'service';
    const kind = index % 2 === 0 ? 'read' : 'write';
    const method =
      kind === 'read' ? (index % 8 === 6 ? 'POST' : 'GET') : (writing[(index % 7) % writing.length] ?? 'PUT');
    const deep = index % 4 < 2 ? '' : '/one';
    return operationOf({ id: `operation-${index}`, group, kind, method, path: `/${group}/${index}${deep}` });
  });
  const probes = (name: string, every: number, of = operations): Probe[] =>
    of
      .filter((_, index) => index % every === 0)
      .map((operation) => ({ ...operation, name: `${name} ${operation.id}`, operation: operation.id }));
  const writes = operations.filter(({ kind }) => kind === 'write');
  return profileWith({
    operations,
    probes: {
      invalidParameter: probes('invalid', 2),
      notFound: probes('missing', 3),
      forbidden: probes('forbidden', 1, writes),
      internalFailure: probes('failing', count),
    },
  });
}

/** The same, but every operation has a JSON body, deletions are prepared, and created things are removed again. */
export function bodiedProfileOf(count: number): Profile {
  const profile = profileOf(count);
  const maker = profile.operations.find((each) => each.kind === 'write' && each.method === 'POST')?.id;
  const body = { contentType: 'application/json', text: '{"name":"x {{uuid}}"}' };
  const operations = profile.operations.map((each): Operation => {
    const method = each.method === 'GET' ? 'POST' : each.method;
    const isPrepared = method === 'DELETE' && maker !== undefined;
    return { ...each, method, body, prepare: isPrepared ? [maker] : [], cleanup: each.id === maker ? [maker] : [] };
  });
  return { ...profile, operations };
}

export function aliases(count: number) {
  return { full: Array.from({ length: count }, (_, index) => `key-${index + 1}`), restricted: true, revoked: true };
}

/** The plan of everything, for these operations and keys. */
export function wholePlan(profile: Profile, keys: number, mode: Mode = 'certify'): Plan {
  return makePlan({ profile, keys: aliases(keys), selection: EVERYTHING, mode });
}
