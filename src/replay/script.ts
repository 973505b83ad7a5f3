import type { Exchange } from '../trace/exchange.ts';
import type { TraceHeader } from '../trace/trace.ts';
import { curlWords, variableOf } from './curl.ts';
import { requestsOf, type Sequence, type Step } from './sequence.ts';
import { UNLISTED } from './unlisted-keys.ts';

/** In ms. Starting curl takes as long as shorter pauses, so the script leaves them out. */
const LEAST_PAUSE_MS = 50;

/**
 * A sequence as a script for a POSIX shell, with curl commands at the recorded moments. Keys come from the variables
 * that the suite also reads. Each request prints its status and the three headers.
 */
export function scriptOf(id: string, sequence: Sequence, header: Pick<TraceHeader, 'profile' | 'scale'>): string {
  const exchanges = requestsOf(sequence);
  const lines = sequence.steps.flatMap((step, index) => [
    ...(sequence.pace === 'as recorded' && index > 0 ? pause(step, sequence.steps[index - 1], header.scale) : []),
    ...requests(step, header),
  ]);
  return [
    `# ${id}: ${exchanges.length === 1 ? 'the request that shows the failure' : `the ${exchanges.length} requests that show the failure, in order`}.`,
    ...needs(exchanges, header),
    UNLISTED,
    `ask() { unlisted_curl -sS -o /dev/null -w '%{http_code} limit %header{x-ratelimit-limit} remaining %header{x-ratelimit-remaining} reset %header{x-ratelimit-reset}\\n' "$@"; }`,
    ...(lines.some((line) => line.startsWith('at_once ')) ? [AT_ONCE] : []),
    ...lines,
  ].join('\n');
}

const AT_ONCE = 'at_once() { n=$1; shift; while [ "$n" -gt 0 ]; do ask "$@" & n=$((n - 1)); done; wait; }';

/** The list of keys as the suite reads it: without the spaces around a key. */
const TRIMMED = `KEYS=$(sed 's/^ *//; s/ *, */,/g; s/ *$//' <<END
$SIZE_CHART_KEYS
END
)`;

/** The variables that the requests need. */
function needs(exchanges: readonly Exchange[], { profile }: Pick<TraceHeader, 'profile'>): string[] {
  const words = exchanges.map((each) => curlWords(each, profile)).join('\n');
  const keys = Math.max(0, ...[...words.matchAll(/\$KEY_(\d+)/g)].map(([, number]) => Number(number)));
  const names = Array.from({ length: keys }, (_, index) => `KEY_${index + 1}`);
  const bad = exchanges.find(({ fault }) => fault === 'bad-key');
  const headers = [...profile.operations, ...Object.values(profile.probes).flat(), profile.http].flatMap((each) =>
    Object.keys(each.headers).map(variableOf),
  );
  const withheld = [...new Set(headers)].filter((name) => words.includes(`$${name}"`));
  return [
    ...(keys === 0 ? [] : [TRIMMED, `IFS=, read -r ${names.join(' ')} _ <<END`, '$KEYS', 'END']),
    ...(words.includes('"$CR"') ? ["CR=$(printf '\\r')"] : []),
    ...(bad ? [`BAD_KEY=not-a-key  # sent in the run as: ${bad.variation ?? 'unknown'}`] : []),
    ...(withheld.length === 0 ? [] : [`# Set ${withheld.join(', ')} first: a recording contains no header values.`]),
  ];
}

/** From the beginning of the step before, because its requests also take time. */
function pause(step: Step, before: Step | undefined, scale: number): string[] {
  const ended = Math.max(0, ...(before?.exchanges ?? []).map(({ sent, answered }) => (answered ?? sent) - sent));
  const wait = (step.at - (before?.at ?? 0) - ended) / 1000 / scale;
  return wait < LEAST_PAUSE_MS ? [] : [`sleep ${(wait / 1000).toFixed(2)}`];
}

/** Equal requests of one step are sent at once; different ones all run in the background. */
function requests({ exchanges }: Step, { profile }: Pick<TraceHeader, 'profile'>): string[] {
  const groups = Map.groupBy(exchanges, (each) => curlWords(each, profile));
  const several = exchanges.length > 1;
  return [...groups].map(([words, group]) => (several ? `at_once ${group.length} ${words}` : `ask ${words}`));
}
