import { type MarkerOptions, SECOND } from '../deployment/deployment.ts';

const UNIT: Readonly<Record<MarkerOptions['unit'], number>> = { s: SECOND, ms: 1000, us: 1, ns: 1 };
const ROUNDED: Readonly<Record<MarkerOptions['rounding'], (time: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  'plus-one': (time) => Math.floor(time) + 1,
};

/**
 * The marker as the text of the header.
 *
 * @param reset the window's end, in µs of the server's clock since the Unix epoch
 * @param decided when the request was counted, same unit
 * @param answered when the answer is written, same unit
 */
export function markerText(reset: number, decided: number, answered: number, options: MarkerOptions): string {
  const time = options.form === 'absolute' ? reset : answered + Math.floor((reset - decided) / 1000) * 1000;
  const value = ROUNDED[options.rounding](time / UNIT[options.unit]);
  return options.unit === 'ns' ? `${value}000` : `${value}`;
}
