import { badKeyNamed } from '../catalogue/key-states.ts';
import { listed } from '../deployment/operator.ts';
import { type Exchange, hasNoAcceptedKey, isSuccess } from '../trace/exchange.ts';
import { leftOutOf } from '../trace/left-out.ts';
import { describe, type Finding, failing, groupBy, on, proofPerKind, unique, unsettled, untested } from './parts.ts';
import { again, metOnly, toCertify, toPrepare, toSucceed } from './to-succeed.ts';
import { type Answered, isAnswered, type View } from './view.ts';

/** What must follow on a faulty request. */
export interface Due {
  /** In words, for `expected`: `401`, `no success`. */
  readonly expected: string;
  /** What is wrong, where these statuses were seen; first in words. */
  readonly wrong: (seen: string, statuses: readonly number[]) => string;
  /** The sentence of the specification that a wrong answer contradicts. */
  readonly clause: string;
  holds(status: number): boolean;
  /** Whether an answer breaks it even where no good request has shown that the operation works. */
  breaksAlone(status: number): boolean;
  /**
   * What to do where nothing of the kind was sent, and whether certify sends it by itself: no probe of the profile is
   * needed.
   */
  readonly remedy: string;
  readonly byCertify?: boolean;
}

/** The statement that a request gets one certain status. @param requests which ones, in words */
export function status(code: number, requests: string, clause: string, remedy: string): Due {
  return {
    expected: String(code),
    wrong: (seen) => `${requests} are answered ${seen}, not ${code}`,
    clause,
    holds: (seen) => seen === code,
    breaksAlone: () => false,
    remedy,
  };
}

/**
 * Judges the probes of one part. An answer counts only beside its positive control: the same request without the fault
 * has succeeded in this run. A 429 says nothing, since the specification leaves open which status wins where two apply,
 * unless no limit can have been exceeded; nor does a status outside clause 7, or a 5xx, that good requests got in this
 * run too, nor one that another request may have caused by changing what was asked for, nor one to a key that had spent
 * a limit within the minute. One 5xx beside answers as due is a failure of the service in passing, which STATUS-NO5XX
 * has. Where the same request gets nothing else each time, or nothing else is ever answered, it is the answer to this
 * fault, and contradicts the clause by its letter.
 */
export function judgeDue(view: View, name: string, probes: readonly Exchange[], due: Due): Finding {
  if (probes.length === 0) {
    const missed = leftOutOf(view.trace).find(({ operation }) => operation === name);
    if (missed) {
      return unsettled(name, `nothing could be sent: ${missed.why}`, toPrepare(view, name) ?? again(view.trace));
    }
    return untested(
      name,
      'the run sent no such request',
      toPrepare(view, name) ?? (due.byCertify ? toCertify(view, due.remedy) : due.remedy),
    );
  }
  const answered = probes.filter(isAnswered).filter((each) => each.status !== 429 || isNeverOver(view, each, due));
  const controlled = answered.filter((each) => view.control(each) !== null);
  const held = controlled.filter((each) => due.holds(each.status));
  const alike = groupBy(answered, requestOf);
  const inPassing = (each: Answered): boolean => {
    const same = alike.get(requestOf(each)) ?? [];
    return held.length > 0 && !(same.length > 1 && same.every(({ status }) => status >= 500));
  };
  const wrong = answered
    .filter((each) => isWrong(view, each, due, inPassing(each)))
    // A success is the strongest contradiction, and told first: a status of the limits may only say what is checked
    // first.
    .toSorted((one, other) => Number(isSuccess(other.status)) - Number(isSuccess(one.status)));
  if (wrong.length > 0) {
    const right = answered.filter((each) => due.holds(each.status));
    return refuted(view, name, wrong, due, { held, right });
  }
  const limited = probes.filter((each) => each.status === 429 && hasNoAcceptedKey(each));
  // Where a 429 is as due, it shows nothing, and takes nothing from what others show.
  const isHarmless = due.holds(429) && held.length > 0;
  if (limited.length > 0 && !isHarmless) {
    return {
      name,
      verdict: 'inconclusive',
      witnesses: held.length,
      summary: due.holds(429)
        ? 'every answer without a key was 429, which does not show what is answered below that limit'
        : `${limited.length} of ${probes.length} requests without an accepted key were answered 429`,
      remedy:
        'answer requests without an accepted key 401, also where a limit of their own refuses them: the limits that the specification states are those of a key',
    };
  }
  if (held.length > 0) {
    return { name, verdict: 'pass', witnesses: held.length, summary: `${due.expected} on ${held.length}` };
  }
  return undecided(view, name, probes, answered);
}

/**
 * Whether no limit can have been exceeded where a 429 is not due: without an accepted key, and before as many requests
 * as a limit allows were sent in this way.
 */
function isNeverOver(view: View, probe: Exchange, due: Due): boolean {
  return hasNoAcceptedKey(probe) && !due.holds(429) && !view.mayBeOverLimitWithoutKey(probe);
}

/** Which of the probes of a part a request is, whatever header the key was sent in. */
function requestOf({ operation, step }: Exchange): string {
  return `${operation} ${step}`;
}

function isWrong(view: View, probe: Answered, due: Due, inPassing: boolean): boolean {
  if (due.holds(probe.status)) return false;
  if (due.breaksAlone(probe.status)) return true;
  if (view.control(probe) === null || view.strays.has(probe.status) || view.isDisturbed(probe)) return false;
  if (view.mayBeOverLimit(probe)) return false;
  return !(probe.status >= 500 && inPassing);
}

/** What a request is at fault in, where it is not the key. */
const FAULTY: Readonly<Partial<Record<Exchange['fault'], string>>> = {
  parameter: 'a parameter',
  missing: 'the thing that it asks for',
  internal: 'what provokes a failure',
};

/** In what a request differs from its control. */
function difference(probe: Exchange, control: Exchange): string {
  const isSchemeOf = badKeyNamed(probe.variation)?.family === 'wrong-scheme' && control.credential.startsWith('bearer');
  const thing = isSchemeOf ? 'the scheme before the key' : FAULTY[probe.fault];
  const key = thing === undefined || probe.key !== control.key ? ['the key'] : [];
  return listed([...(thing === undefined ? [] : [thing]), ...key]);
}

/** Probes that were answered as they should be, and those of them that would otherwise have succeeded. */
interface Right {
  readonly right: readonly Answered[];
  readonly held: readonly Answered[];
}

function refuted(view: View, name: string, wrong: readonly Answered[], due: Due, { held, right }: Right): Finding {
  const proofs = proofPerKind(
    wrong,
    (each) => each.status,
    (probe, code) => {
      const control = view.control(probe);
      return {
        part: name,
        expected: due.expected,
        received: String(code),
        evidence: control === null ? [probe] : [control, probe],
        argument: [
          ...(control ? [`${describe(control)} succeeded (${control.status}), so the operation works.`] : []),
          `${describe(probe)} was answered ${code}${control ? `, and differs from #${control.seq} only in ${difference(probe, control)}` : ''}: ${due.clause}`,
        ],
      };
    },
  );
  const seen = unique(wrong.map((each) => each.status));
  return failing(
    name,
    wrong.length + held.length,
    (names, statuses = seen) => on(due.wrong(eitherOf(statuses), statuses))(names),
    proofs,
    { wrong, right, situations: view.situations },
    seen,
  );
}

/** `403`, `403 or 404`. */
function eitherOf(statuses: readonly number[]): string {
  return listed(statuses.map(String)).replace(' and ', ' or ');
}

function undecided(view: View, name: string, probes: readonly Exchange[], answered: readonly Answered[]): Finding {
  const stray = answered.find((each) => view.strays.has(each.status));
  if (stray) {
    return unsettled(
      name,
      `${describe(stray)} was answered ${stray.status}, as were valid requests in this run`,
      stray.status === 401 ? 'look at AUTH-2 and AUTH-3 first' : 'look at STATUS-SET and STATUS-NO5XX first',
    );
  }
  const disturbed = answered.find((each) => view.isDisturbed(each));
  if (disturbed) {
    return unsettled(
      name,
      `${describe(disturbed)} was answered ${disturbed.status}, but another request may have changed the thing that it asks for`,
      `add the operation that creates the thing that it needs to prepare of ${disturbed.operation}`,
    );
  }
  const [odd] = answered;
  if (odd) {
    const counterpart = odd.operation ?? name;
    return unsettled(
      name,
      `the valid counterpart of ${describe(odd)} never succeeded${metOnly(view, counterpart, 429) ? ': a limit was spent each time' : ''}`,
      toSucceed(view, counterpart),
    );
  }
  const refused = probes.some((each) => each.status === 429);
  return refused
    ? unsettled(
        name,
        'every answer was 429: a limit was spent, and the specification does not say which status comes first',
        again(view.trace),
      )
    : unsettled(
        name,
        `no answer (${[...new Set(probes.map((each) => each.failure ?? 'none'))].join(', ')})`,
        'check the network between here and the target, and run again',
      );
}
