import { isOfClass, type RequestClass } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { describe } from './proofs.ts';
import type { Shown } from './window-counts.ts';

/**
 * What a proof shows, with a request of the class that the deviation names, where it shows none: the last one of the
 * key that was answered between its first and its last request.
 *
 * @param all the histories of both kinds
 */
export function withClass(shown: Shown, deviation: Deviation, all: readonly History[]): Shown {
  const isMeant = meantBy(deviation);
  const [first] = shown.events;
  const last = shown.events.at(-1);
  if (!isMeant || !first || !last || shown.events.some(isMeant)) return shown;
  const { key } = last.exchange;
  const between = all
    .flatMap(({ events }) => events)
    .filter((event) => event.exchange.key === key && event.from > first.to && event.to < last.from && isMeant(event))
    .toSorted((one, other) => one.from - other.from);
  const nearest = between.at(-1);
  if (!nearest) return shown;
  const { seq, method, target } = nearest.exchange;
  const name = `#${seq}, ${method} ${target}`;
  const [one, other] = [first, last].map(({ exchange }) => `#${exchange.seq}`);
  const came = between.length === 1 ? name : `${between.length} such requests, the last one ${name}`;
  return {
    events: [...shown.events.slice(0, -1), nearest, last],
    argument: [
      ...shown.argument.slice(0, -1),
      describe(nearest.exchange),
      `${shown.argument.at(-1)} Between ${one} and ${other} came ${came}.`,
    ],
  };
}

/** Which requests a deviation names; null: it names none. */
export function meantBy({ operator, parameters }: Deviation): ((event: Event) => boolean) | null {
  const of = (named: RequestClass | null | undefined) =>
    named ? ({ exchange }: Event): boolean => isOfClass(named, exchange) : null;
  const answered =
    (statuses: readonly string[]) =>
    ({ exchange }: Event): boolean =>
      statuses.includes(`${exchange.status}`);
  switch (operator) {
    case 'class-weight':
      return parameters.attribute === 'status' ? answered(parameters.classes) : of(parameters as RequestClass);
    case 'moved-end':
      return parameters.statuses ? answered(parameters.statuses.map(String)) : of(parameters.only);
    case 'second-limit':
      return of(parameters.only);
    case 'charged-as-other-kind':
      return of({ attribute: 'operation', classes: parameters.operations });
    case 'sporadic-weight':
      return of(parameters.of);
    default:
      return null;
  }
}
