import { suggestion } from '../profile/nearest.ts';
import type { OptionSpec } from './options.ts';

/**
 * Reads the value of an option as its type says: text, a number in its range, seconds of a duration, words of its set.
 * `inline` tells `--name=value` from `--name value`.
 */
export function readOption(
  name: string,
  spec: OptionSpec,
  value: string | undefined,
  inline: boolean,
): { readonly value: unknown } | { readonly error: string } {
  if (spec.type === 'flag') {
    return inline ? { error: `--${name} takes no value.` } : { value: true };
  }
  const missing = value === undefined || value === '' || (!inline && /^-(?!\d)./.test(value));
  if (missing) return { error: `--${name} needs a value: --${name} ${spec.value}.` };
  if (spec.type === 'text') return { value };
  if (spec.type === 'words') return readWords(name, spec.words, value);
  const number = spec.type === 'duration' ? seconds(value) : decimal(value);
  const whole = spec.type !== 'integer' || Number.isInteger(number);
  if (number === null || !whole || number < spec.least || number > spec.most) {
    const what = spec.type === 'duration' ? 'a time' : spec.type === 'integer' ? 'a whole number' : 'a number';
    const unit = spec.type === 'duration' ? ' seconds, such as 90s, 15m or 2h' : '';
    return {
      error: `--${name} must be ${what} from ${spec.least} to ${spec.most}${unit}, not ${JSON.stringify(value)}.`,
    };
  }
  return { value: number };
}

function readWords(
  name: string,
  words: readonly string[],
  value: string,
): { readonly value: readonly string[] } | { readonly error: string } {
  const given = [...new Set(value.split(',').map((word) => word.trim()))];
  const unknown = given.find((word) => !words.includes(word));
  if (unknown === undefined) return { value: given };
  const near = suggestion(unknown, words);
  return { error: `--${name} has no ${JSON.stringify(unknown)}.${near} Choose one of ${words.join(', ')}.` };
}

/** Plain decimal notation only: neither '' nor '0x10' nor 'Infinity' is a number here. */
function decimal(text: string): number | null {
  return /^-?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : null;
}

function seconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text);
  if (!match) return null;
  return Number(match[1]) * (match[2] === 'h' ? 3600 : match[2] === 'm' ? 60 : 1);
}
