import type { Fields } from '../openapi/document.ts';
import { lengthsOf, rulesOf } from '../openapi/example-string.ts';
import { isMatching, newString, rareString } from '../openapi/matching-string.ts';
import { bound, isNumeric } from '../openapi/schema.ts';
import type { Checked } from '../proposal.ts';

const UUID_LENGTH = 36;
/** The highest identifiers in 32 bits, which services reach last. */
const ABSENT_NUMBER = 2_147_483_646;
const NUMBER_TO_PUT = 2_147_483_001;
/** A number up to this may be somebody's. */
const COMMON_NUMBER = 100_000;
/** With fewer characters, or fewer values that a pattern seems to allow, a made-up identifier may be somebody's. */
const FEW_CHARACTERS = 4;
const FEW_VALUES = 20;

/**
 * An identifier of the form that the schema asks, which no thing has: new in each request if its form has room for
 * that.
 *
 * @param name the parameter's, for the checks
 * @param but identifiers that things have
 */
export function absentId(schema: Fields, name: string, but: readonly string[] = []): Checked<string> {
  if (isNumeric(schema)) {
    const number = numberUpTo(ABSENT_NUMBER, schema);
    return { value: String(number), checks: number < COMMON_NUMBER ? [doubtOf(name, String(number))] : [] };
  }
  const rules = rulesOf(schema);
  if (rules === null) return { value: absentText(schema), checks: [] };
  const fresh = newString(rules, 'absent');
  if (fresh !== null && /uuid|timestamp/.test(fresh)) return { value: fresh, checks: [] };
  const rare = rareString(rules, but);
  if (rare === null) return { value: absentText(schema), checks: [unmatched(name)] };
  const isCommon = rare.value.length < FEW_CHARACTERS || rare.outOf < FEW_VALUES;
  return { value: rare.value, checks: isCommon ? [doubtOf(name, rare.value)] : [] };
}

/**
 * The identifier of a thing that the suite itself puts: its own name, so no thing of the deployment is replaced. If the
 * document allows no such name, it is the document's example, else a value of its pattern.
 *
 * @param shown the document's example; null: none
 */
export function idToPut(schema: Fields, name: string, shown: string | null): Checked<string> {
  if (isNumeric(schema)) return { value: String(numberUpTo(NUMBER_TO_PUT, schema)), checks: [] };
  if (schema.format === 'uuid') return { value: '0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f1', checks: [] };
  const rules = rulesOf(schema) ?? { pattern: '', ...lengthsOf(schema) };
  const own = ['conformance', 'CONFORMANCE', 'Conformance'].find((each) => isMatching(rules, each));
  if (own !== undefined) return { value: own, checks: [] };
  if (shown !== null) {
    const check = `The suite replaces and removes what ${short(name)} ${shown}, the document's example, names: may it?`;
    return { value: shown, checks: [check] };
  }
  const made = rareString(rules, []);
  return made === null ? { value: 'conformance', checks: [unmatched(name)] } : { value: made.value, checks: [] };
}

function doubtOf(name: string, value: string): string {
  return `Is there really nothing with the ${short(name)} ${value}?`;
}

function unmatched(name: string): string {
  return `${short(name)} has a pattern in the document, and no value was found for it: write one that matches.`;
}

function short(name: string): string {
  return name.slice(0, 64);
}

function numberUpTo(wanted: number, { maximum, exclusiveMaximum }: Fields): number {
  const below = bound(exclusiveMaximum) ?? (exclusiveMaximum === true ? bound(maximum) : null);
  const most = Math.floor(bound(maximum) ?? Number.POSITIVE_INFINITY);
  return Math.min(wanted, most, below === null ? most : Math.ceil(below) - 1);
}

/** Without a pattern: a UUID if the lengths have room for it. */
function absentText(schema: Fields): string {
  const { least, most } = lengthsOf(schema);
  if (most < UUID_LENGTH) return 'absent'.padEnd(least, 'x').slice(0, Math.max(1, most));
  return `${'x'.repeat(Math.min(MOST_PADDED, Math.max(0, least - UUID_LENGTH)))}{{uuid}}`;
}

const MOST_PADDED = 200;
