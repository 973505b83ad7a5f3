import { BAD_KEYS } from '../catalogue/key-states.ts';
import type { Group, Kind } from '../trace/exchange.ts';
import { type LeftOut, saysLeftOut } from '../trace/left-out.ts';
import type { Trace } from '../trace/trace.ts';

/** What a run tested: a pass is a statement about this and about nothing else. */
export interface Tested {
  /** IDs of the profile's operations, by group and kind. */
  readonly operations: readonly { readonly group: Group; readonly kind: Kind; readonly ids: readonly string[] }[];
  /** How many of each the profile has. */
  readonly probes: Readonly<Record<'invalidParameter' | 'notFound' | 'forbidden' | 'internalFailure', number>>;
  readonly keys: { readonly full: number; readonly restricted: boolean; readonly revoked: boolean };
  /** Sent requests, answered or not. */
  readonly requests: number;
  /**
   * How many runs of certify the installation made on this target in the last day, including this one, as far as it
   * knows; null: it does not know.
   */
  readonly attempts: number | null;
  /** Requests that the run says it could not send. */
  readonly leftOut: number;
  /** Forms of a bad key that the run did not send although it tests them: with its keys they may be other good keys. */
  readonly formsNotTried: readonly string[];
}

export function testedOf({ header, exchanges, unanswered, notes }: Trace): Tested {
  const { operations, probes } = header.profile;
  const tried = new Set(exchanges.filter(({ fault }) => fault === 'bad-key').map(({ variation }) => variation));
  const forms = BAD_KEYS.filter(({ quick }) => quick || header.command !== 'check').map(({ name }) => name);
  const places = Map.groupBy(operations, ({ group, kind }) => `${group} ${kind}`);
  return {
    operations: [...places.values()].flatMap((own) => {
      const [first] = own;
      return first ? [{ group: first.group, kind: first.kind, ids: own.map(({ id }) => id) }] : [];
    }),
    probes: {
      invalidParameter: probes.invalidParameter.length,
      notFound: probes.notFound.length,
      forbidden: probes.forbidden.length,
      internalFailure: probes.internalFailure.length,
    },
    keys: { ...header.keys, full: header.keys.full.length },
    requests: exchanges.length + unanswered.length,
    attempts: header.attempts ?? null,
    leftOut: notes.filter((each) => saysLeftOut(each)).length,
    formsNotTried: header.selection.includes('AUTH-5') ? forms.filter((name) => !tried.has(name)) : [],
  };
}

/**
 * The same as sentences.
 *
 * @param missing of the requests that were left out, those that the report counts: no others like them followed
 */
export function testedText(tested: Tested, missing: readonly LeftOut[]): readonly string[] {
  const { operations, probes, keys, requests, attempts, leftOut, formsNotTried } = tested;
  const others = [keys.restricted ? ', one with limited permissions' : '', keys.revoked ? ', a revoked one' : ''].join(
    '',
  );
  const missed = missing.reduce((sum, { requests }) => sum + requests, 0);
  return [
    ...operations.map(({ group, kind, ids }) => `${group}, ${kind}: ${ids.join(', ')}`),
    `Probes: ${probes.invalidParameter} for 400, ${probes.forbidden} for 403, ${probes.notFound} for 404, ${probes.internalFailure} for 500.`,
    `Keys: ${keys.full} with full permissions${others}. Requests: ${requests}.`,
    ...(formsNotTried.length === 0
      ? []
      : [
          `The run tried no bad key in these forms, since with its keys they may be other good keys: ${formsNotTried.join(', ')}.`,
        ]),
    ...(leftOut === 0
      ? []
      : [
          `Requests left out: ${missed}${leftOut === missed ? '' : `, and ${leftOut - missed} that later ones replaced`}.`,
        ]),
    ...(attempts === null || attempts < 2
      ? []
      : [
          `This was run number ${attempts} of this installation against this target within a day, as far as the installation knows.`,
        ]),
  ];
}
