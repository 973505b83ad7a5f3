import { budgetKey, type Kind } from '../trace/exchange.ts';
import { combine, describe, type Finding, groupBy, proofOf } from './parts.ts';
import { STATUSES } from './status.ts';
import type { Opinion } from './verdict.ts';
import type { Answered, View } from './view.ts';

type Field = 'limit' | 'remaining' | 'reset';

export const FIELDS: readonly { readonly field: Field; readonly name: string }[] = [
  { field: 'limit', name: 'X-RateLimit-Limit' },
  { field: 'remaining', name: 'X-RateLimit-Remaining' },
  { field: 'reset', name: 'X-RateLimit-Reset' },
];

const LIMITS: Readonly<Record<Kind, bigint>> = { read: 100n, write: 30n };

/** A smaller marker counts seconds, and marks no point in time. */
const LARGE = 1_000_000n;

/** What to add so that some request is answered with this status. */
const WITNESS_REMEDY: Readonly<Record<number, string>> = {
  200: 'name operations that succeed in the profile',
  400: 'add a probe to probes.invalid_parameter of the profile',
  401: 'select AUTH-4, so that requests without a key are sent',
  403: 'add a probe to probes.forbidden of the profile, and set SIZE_CHART_RESTRICTED_KEY',
  404: 'add a probe to probes.not_found of the profile',
  429: 'certify, which spends budgets',
  500: 'add a probe to probes.internal_failure of the profile, if there is a way to provoke an internal failure',
};

/** HDR-1, HDR-2, HDR-3 and HDR-6: what can be said of the three headers of one answer by itself. */
export function judgeHeaders(view: View): Opinion[] {
  return [judgePresence(view), judgeForm(view), judgeLimit(view), judgeMarker(view)];
}

/**
 * The value of a header that is one integer; null where it is absent, repeated or anything else. White space around a value is
 * no part of it (RFC 9110 §5.5). A minus sign is read as part of an integer: that a Remaining is never negative is a statement of its own (HDR-4).
 */
export function integerOf(lines: readonly string[]): bigint | null {
  const [line] = lines;
  if (line === undefined || lines.length > 1) return null;
  const value = trim(line);
  return /^-?[0-9]+$/.test(value) ? BigInt(value) : null;
}

function trim(line: string): string {
  return line.replace(/^[ \t]+|[ \t]+$/g, '');
}

function judgePresence(view: View): Opinion {
  const classes = groupBy(view.answers, (each) => each.status);
  const findings = STATUSES.map((code): Finding => {
    const own = classes.get(code) ?? [];
    const optional = code === 500;
    if (own.length === 0) {
      return {
        name: String(code),
        verdict: 'not tested',
        witnesses: 0,
        summary: `no answer had status ${code}`,
        remedy: WITNESS_REMEDY[code] ?? '',
        optional,
      };
    }
    const kinds = groupBy(own, (each) => missing(each).join(', '));
    kinds.delete('');
    if (kinds.size === 0) {
      return { name: String(code), verdict: 'pass', witnesses: own.length, summary: `on all ${own.length}`, optional };
    }
    return {
      name: String(code),
      verdict: 'fail',
      witnesses: own.length,
      summary: `no ${[...kinds.keys()].join('; no ')}`,
      proofs: [...kinds].flatMap(([names, [first, ...same]]) =>
        first
          ? proofOf({
              part: String(code),
              expected: 'the three headers',
              received: `no ${names}`,
              count: same.length + 1,
              evidence: [first],
              argument: [
                `${describe(first)} was answered ${code} without ${names}: every response carries the three headers (clause 8.2).`,
              ],
            })
          : [],
      ),
    };
  });
  const beyond = view.answers.filter((each) => !STATUSES.includes(each.status) && missing(each).length > 0);
  const notes =
    beyond.length === 0
      ? []
      : [
          `${beyond.length} answers with a status outside clause 7 lack a header too: those statuses are STATUS-SET's to judge`,
        ];
  return combine('HDR-1', findings, 'every answer carries the three headers', { notes });
}

function missing(exchange: Answered): string[] {
  return FIELDS.filter(({ field }) => exchange.headers[field].length === 0).map(({ name }) => name);
}

function judgeForm(view: View): Opinion {
  const findings = FIELDS.map(({ field, name }): Finding => {
    const carried = view.answers.filter((each) => each.headers[field].length > 0);
    const wrong = carried.filter((each) => integerOf(each.headers[field]) === null);
    if (wrong.length > 0) {
      return {
        name,
        verdict: 'fail',
        witnesses: carried.length,
        summary: `${wrong.length} of ${carried.length} are no single integer`,
        proofs: [...groupBy(wrong, (each) => flaw(each.headers[field]))].flatMap(([words, [first, ...same]]) =>
          first
            ? proofOf({
                part: name,
                expected: 'a single integer in decimal digits',
                received: quote(first.headers[field]),
                count: same.length + 1,
                evidence: [first],
                argument: [
                  `${name} of #${first.seq} is ${quote(first.headers[field])}, ${words}: its type is integer (clause 8.2).`,
                ],
              })
            : [],
        ),
      };
    }
    if (carried.length > 0) {
      return { name, verdict: 'pass', witnesses: carried.length, summary: `an integer on all ${carried.length}` };
    }
    return view.answers.length === 0
      ? {
          name,
          verdict: 'not tested',
          witnesses: 0,
          summary: 'nothing was answered',
          remedy: 'name operations in the profile',
        }
      : {
          name,
          verdict: 'inconclusive',
          witnesses: 0,
          summary: 'no answer carries it (HDR-1)',
          remedy: `send ${name} with every response`,
        };
  });
  return combine('HDR-2', findings, 'each header is one integer wherever it is sent', {
    witnesses: Math.min(...findings.map((each) => each.witnesses)),
  });
}

function flaw(lines: readonly string[]): string {
  if (lines.length > 1) return 'sent more than once';
  const value = trim(lines[0] ?? '');
  if (value === '') return 'which is empty';
  if (/^-?[0-9]+\s*[,;]/.test(value)) return 'which is more than one value';
  return 'which is no integer in decimal digits';
}

/** Values as received, and no more of them than anyone wants to read. */
function quote(lines: readonly string[]): string {
  return lines
    .slice(0, 3)
    .map((line) => `"${line.slice(0, 80)}"`)
    .join(' and ');
}

function judgeLimit(view: View): Opinion {
  // A 401 belongs to no budget, and of a request whose outcome is not stated it is not known which key it went to.
  const owned = view.answers.filter(
    (each) => budgetKey(each) !== null && each.status !== 401 && each.fault !== 'unstated',
  );
  const findings = (['read', 'write'] as const).map((kind): Finding => {
    const own = owned.filter((each) => each.kind === kind && integerOf(each.headers.limit) !== null);
    const wrong = own.filter((each) => integerOf(each.headers.limit) !== LIMITS[kind]);
    if (wrong.length > 0) {
      const kinds = groupBy(wrong, (each) => String(integerOf(each.headers.limit)));
      return {
        name: kind,
        verdict: 'fail',
        witnesses: own.length,
        summary: `${[...kinds.keys()].slice(0, 3).join(', ')} on ${wrong.length} of ${own.length} answers, where ${LIMITS[kind]} applies`,
        proofs: [...kinds].slice(0, 5).flatMap(([value, [first, ...same]]) =>
          first
            ? proofOf({
                part: kind,
                expected: String(LIMITS[kind]),
                received: value,
                count: same.length + 1,
                evidence: [first],
                argument: [
                  `The profile names ${first.operation} as a ${kind} operation, to which the limit of ${LIMITS[kind]} applies (clause 8).`,
                  `${describe(first)} was answered ${first.status} with X-RateLimit-Limit ${value}.`,
                ],
              })
            : [],
        ),
      };
    }
    if (own.length > 0) {
      return { name: kind, verdict: 'pass', witnesses: own.length, summary: `${LIMITS[kind]} on all ${own.length}` };
    }
    return owned.some((each) => each.kind === kind)
      ? {
          name: kind,
          verdict: 'inconclusive',
          witnesses: 0,
          summary: 'no X-RateLimit-Limit can be read (HDR-1, HDR-2)',
          remedy: 'send X-RateLimit-Limit as one integer',
        }
      : {
          name: kind,
          verdict: 'not tested',
          witnesses: 0,
          summary: `no ${kind} operation was answered to a valid key`,
          remedy: `name a ${kind} operation in the profile`,
        };
  });
  return combine('HDR-3', findings, '100 on reads, 30 on writes');
}

function judgeMarker(view: View): Opinion {
  const own = view.answers.filter((each) => integerOf(each.headers.reset) !== null);
  const small = own.filter((each) => (integerOf(each.headers.reset) ?? LARGE) < LARGE);
  const finding: Finding =
    small.length > 0
      ? {
          name: 'X-RateLimit-Reset',
          verdict: 'fail',
          witnesses: own.length,
          summary: `${small.length} of ${own.length} are less than ${LARGE}`,
          proofs: [...groupBy(small, (each) => each.status)].flatMap(([, [first, ...same]]) =>
            first
              ? proofOf({
                  part: 'X-RateLimit-Reset',
                  expected: `a large integer, at least ${LARGE}`,
                  received: String(integerOf(first.headers.reset)),
                  count: same.length + 1,
                  evidence: [first],
                  argument: [
                    `${describe(first)} was answered ${first.status} with X-RateLimit-Reset ${integerOf(first.headers.reset)}: a time marker is a large integer (clause 8.2), and this marks no point in time.`,
                  ],
                })
              : [],
          ),
        }
      : own.length > 0
        ? { name: 'X-RateLimit-Reset', verdict: 'pass', witnesses: own.length, summary: `large on all ${own.length}` }
        : {
            name: 'X-RateLimit-Reset',
            verdict: 'inconclusive',
            witnesses: 0,
            summary: 'no marker can be read (HDR-1, HDR-2)',
            remedy: 'send X-RateLimit-Reset as one integer',
          };
  return combine('HDR-6', [finding], `every marker is at least ${LARGE}`);
}
