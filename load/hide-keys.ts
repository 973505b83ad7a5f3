// Nothing that leads to a key is ever recorded. What is recorded goes through the function that the suite's own client
// uses.
import crypto from 'k6/crypto';
import { redactorOf } from '../src/profile/redact.ts';

/** Each VU has memory of its own: beyond so many keys, what would have to be looked through is left out instead. */
const MOST_KEYS = 100;
/** So much of a text is looked through, and a quarter of it kept: as the suite's own client does. */
const MOST_SEARCHED = 1024;

/** Replaces whatever leads to one of the keys by its alias, and cuts what is long. */
export function keyHider(keys: readonly string[]): (text: string) => string {
  const redact = keys.length <= MOST_KEYS ? redactorOf(keys.map(secretOf), digestsOf) : withholder(keys);
  return (text) => redact(text.slice(0, MOST_SEARCHED)).slice(0, MOST_SEARCHED / 4);
}

function secretOf(text: string, index: number): { readonly alias: string; readonly text: string } {
  return { alias: `key-${index + 1}`, text };
}

function digestsOf(text: string): string[] {
  return [
    crypto.md5(text, 'hex'),
    crypto.sha1(text, 'hex'),
    crypto.sha256(text, 'hex'),
    crypto.sha384(text, 'hex'),
    crypto.sha512(text, 'hex'),
  ];
}

/** A function that leaves out what is neither short nor a whole number without digits of a key nor a date of HTTP. */
function withholder(keys: readonly string[]): (text: string) => string {
  const numeric = keys.map((key) => key.replace(/[^0-9a-z]/gi, '')).filter((key) => NUMERIC.test(key));
  const isNumber = (text: string): boolean =>
    /^\d{1,20}$/.test(text) && !numeric.some((key) => windowsOf(text).some((window) => key.includes(window)));
  return (text) => (text.length < 8 || DATE.test(text) || isNumber(text.trim()) ? text : '(not recorded)');
}

const DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const NUMERIC = /\d{12}/;

/** Each twelve digits in a row, both ways. */
function windowsOf(digits: string): string[] {
  const ways = [digits, digits.split('').reverse().join('')];
  return ways
    .flatMap((way) => way.split('').map((_, at) => way.slice(at, at + 12)))
    .filter((each) => each.length === 12);
}
