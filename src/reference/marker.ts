import { type MarkerOptions, SECOND } from '../deployment/deployment.ts';

const UNIT: Readonly<Record<MarkerOptions['unit'], number>> = { s: SECOND, ms: 1000, us: 1, ns: 1 };

/**
 * The marker as the text of the header.
 *
 * @param reset the window's end, in µs of the server's clock since the Unix epoch
 * @param decided when the request was counted, same unit
 * @param answered when the answer is written, same unit
 */
export function markerText(reset: number, decided: number, answered: number, options: MarkerOptions): string {
  const time = options.form === 'absolute' ? reset : answered + Math.floor((reset - decided) / 1000) * 1000;
  const exact = time / UNIT[options.unit];
  const value =
    options.rounding === 'ceil'
      ? Math.ceil(exact)
      : options.rounding === 'round'
        ? Math.round(exact)
        : Math.floor(exact) + (options.rounding === 'plus-one' ? 1 : 0);
  return options.unit === 'ns' ? `${value}000` : `${value}`;
}
