import { isSuccess } from '../trace/exchange.ts';
import { combine, describe, type Finding, failing, groupBy, on, proofOf, unsettled } from './parts.ts';
import { toCertify, toPrepare, toSucceed } from './to-succeed.ts';
import type { Opinion } from './verdict.ts';
import { type Answered, isAnswered, isPlain, type View } from './view.ts';

/** VERSION-1: every operation is served under a base URL that ends in `/api/v1`. */
export function judgeVersion(view: View): Opinion {
  const { baseUrl, profile, command } = view.trace.header;
  const prefixed = /\/api\/v1\/?$/.test(baseUrl);
  const served = groupBy(
    view.answers.filter((each) => isPlain(each) && isSuccess(each.status)),
    (each) => each.operation,
  );
  const tried = groupBy(view.answers.filter(isPlain), (each) => each.operation);
  const findings = profile.operations.map(({ id }): Finding => {
    const [success] = served.get(id) ?? [];
    const witnesses = served.get(id)?.length ?? 0;
    if (success && prefixed) return { name: id, verdict: 'pass', witnesses, summary: 'served under /api/v1' };
    if (success) return unprefixed(id, success, baseUrl, witnesses);
    const [refused] = tried.get(id) ?? [];
    const outside = refused && servedOutside(view, refused);
    if (refused && outside) return elsewhere(id, refused, outside);
    return refused
      ? unsettled(id, `never succeeded: ${describe(refused)} was answered ${refused.status}`, toSucceed(view, id))
      : {
          name: id,
          verdict: 'not tested',
          witnesses: 0,
          summary: 'not tried with a valid key',
          remedy:
            toPrepare(view, id) ??
            toCertify(view, 'run certify with more full keys, so that the budgets suffice for every operation'),
          optional: command === 'check' || command === 'load',
        };
  });
  return combine('VERSION-1', findings, 'every operation was served under /api/v1');
}

/**
 * The same operation answered successfully, and with the three headers, outside the prefix: a page that answers
 * anything does not count.
 */
function servedOutside(view: View, refused: Answered): Answered | undefined {
  if (refused.status !== 404) return undefined;
  return view.exchanges
    .filter(isAnswered)
    .find(
      (each) =>
        each.variation === 'outside-prefix' &&
        isSuccess(each.status) &&
        (each.operation === refused.operation || (refused.pair !== null && each.pair === refused.pair)) &&
        each.headers.limit.length > 0 &&
        each.headers.remaining.length > 0 &&
        each.headers.reset.length > 0,
    );
}

function elsewhere(name: string, refused: Answered, outside: Answered): Finding {
  return failing(name, 2, on('operations are served only outside /api/v1'), [
    proofOf({
      part: name,
      expected: 'served under /api/v1',
      received: `${refused.status} there, ${outside.status} outside`,
      evidence: [refused, outside],
      argument: [
        `${describe(refused)} was answered ${refused.status} under the prefix.`,
        `#${outside.seq} requested the same outside the prefix and succeeded, but the version is part of the path (clause 9.1).`,
      ],
    }),
  ]);
}

function unprefixed(name: string, success: Answered, baseUrl: string, witnesses: number): Finding {
  return failing(name, witnesses, on(`operations are served under ${baseUrl}, which does not end in /api/v1`), [
    proofOf({
      part: name,
      expected: 'a base URL that ends in /api/v1',
      received: baseUrl,
      evidence: [success],
      argument: [`${describe(success)} succeeded under ${baseUrl}, which does not end in /api/v1 (clause 9.1).`],
    }),
  ]);
}
