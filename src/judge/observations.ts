import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, isSuccess } from '../trace/exchange.ts';
import type { Conditions } from './judgement.ts';
import { groupBy, unique } from './parts.ts';
import type { Observation } from './verdict.ts';
import { isAnswered, type View } from './view.ts';

/**
 * Ways of presenting a key of which the specification says nothing: by the name in the trace, the requirement and the
 * fact's name.
 */
const CREDENTIALS: Readonly<Record<string, readonly [RequirementId, string]>> = {
  'both-same': ['AUTH-O1', 'both-headers.same'],
  'both-different': ['AUTH-O1', 'both-headers.different'],
  'both-one-invalid': ['AUTH-O1', 'both-headers.one-invalid'],
  'both-other-invalid': ['AUTH-O1', 'both-headers.other-invalid'],
  'bearer-lowercase': ['AUTH-O2', 'bearer.lowercase'],
  'bearer-uppercase': ['AUTH-O2', 'bearer.uppercase'],
  'bearer-extra-space': ['AUTH-O2', 'bearer.extra-space'],
  'header-repeated': ['AUTH-O2', 'header.repeated'],
  query: ['AUTH-O3', 'key.query'],
  cookie: ['AUTH-O3', 'key.cookie'],
};

const VARIATIONS: Readonly<Record<string, readonly [RequirementId, string]>> = {
  revoked: ['AUTH-O2', 'key.revoked'],
  'key-spaces': ['AUTH-O2', 'key.spaces'],
  head: ['LIMIT-O1', 'method.head'],
  options: ['LIMIT-O1', 'method.options'],
  'unknown-path': ['LIMIT-O1', 'path.unknown'],
  'path-case': ['LIMIT-O1', 'path.case'],
  'trailing-slash': ['LIMIT-O1', 'path.trailing-slash'],
  'outside-prefix': ['VERSION-O1', 'outside-prefix'],
};

/** Facts about what the specification leaves open, as far as single answers show them. They fail nobody. */
export function observe(view: View, conditions: Conditions): Observation[] {
  const odd = view.exchanges.filter((each) => placeOf(each) !== undefined);
  const named = groupBy(odd, (each) => placeOf(each)?.join(' '));
  const answers = [...named.values()].flatMap((own): Observation[] => {
    const place = own[0] && placeOf(own[0]);
    return place
      ? [
          {
            requirement: place[0],
            name: place[1],
            value: outcomes(own),
            evidence: own.slice(0, 5).map((each) => each.seq),
          },
        ]
      : [];
  });
  return [...answers, ...retryGuidance(view), ...otherHeaders(view), ...skew(conditions)];
}

function placeOf(exchange: Exchange): readonly [RequirementId, string] | undefined {
  return CREDENTIALS[exchange.credential] ?? VARIATIONS[exchange.variation ?? ''];
}

/** A refusal over a limit says nothing of the way of asking, so it is told only where nothing else was answered. */
function outcomes(own: readonly Exchange[]): string {
  const others = own.filter(({ status }) => status !== 429);
  const words = (others.length > 0 ? others : own).map((each) => {
    if (each.status === 429) return 'over a limit (429)';
    if (each.status === null) return `no answer (${each.failure ?? 'unknown'})`;
    const headers = each.headers.limit.length + each.headers.remaining.length + each.headers.reset.length > 0;
    const verb = isSuccess(each.status) ? 'accepted' : 'not accepted';
    return `${verb} (${each.status}${headers ? '' : ', without rate-limit headers'})`;
  });
  return unique(words).sort().join(' or ');
}

function retryGuidance(view: View): Observation[] {
  const refused = view.exchanges.filter((each) => each.status === 429);
  const [first] = refused;
  if (!first) return [];
  const carrying = refused.filter((each) => each.headers.retryAfter.length > 0);
  const [sample] = carrying;
  const form =
    sample && /^\s*\d+\s*$/.test(sample.headers.retryAfter[0] ?? '') ? 'in seconds' : 'in a form other than seconds';
  return [
    {
      requirement: 'LIMIT-O1',
      name: 'retry-after',
      value: sample
        ? `on ${carrying.length} of ${refused.length} refusals, ${form}`
        : `on none of ${refused.length} refusals`,
      evidence: [(sample ?? first).seq],
    },
  ];
}

function otherHeaders(view: View): Observation[] {
  const seen = new Map<string, number>();
  for (const each of view.exchanges.filter(isAnswered)) {
    for (const name of Object.keys(each.headers.other)) {
      if (/^(x-)?rate-?limit/.test(name) && !seen.has(name)) seen.set(name, each.seq);
    }
  }
  if (seen.size === 0) return [];
  const names = [...seen.keys()].sort();
  return [
    {
      requirement: 'LIMIT-O1',
      name: 'other-headers',
      value: names.join(', '),
      evidence: [...seen.values()].sort((a, b) => a - b).slice(0, 5),
    },
  ];
}

function skew({ skew: interval }: Conditions): Observation[] {
  if (interval === null) return [];
  const milliseconds = (value: number): string => `${Math.round(value / 1000)} ms`;
  return [
    {
      requirement: 'LIMIT-O1',
      name: 'clock.skew',
      value: `the target's clock minus ours is between ${milliseconds(interval.low)} and ${milliseconds(interval.high)}`,
      evidence: [],
    },
  ];
}
