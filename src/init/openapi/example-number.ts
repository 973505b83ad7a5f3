import type { Fields } from './document.ts';
import { bound, typeOf } from './schema.ts';

/**
 * A number that fits a schema's bounds and is the multiple that it asks, near 1: the nearest to it if none was found.
 */
export function numberOf(fields: Fields): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = fields;
  const above = exclusiveMinimum === true ? bound(minimum) : bound(exclusiveMinimum);
  const below = exclusiveMaximum === true ? bound(maximum) : bound(exclusiveMaximum);
  const least = Math.max(bound(minimum) ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY);
  const most = Math.min(bound(maximum) ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY);
  const asked = bound(fields.multipleOf);
  const step = asked !== null && asked > 0 ? asked : typeOf(fields) === 'integer' ? 1 : null;
  const fits = (value: number): boolean =>
    value >= least && value <= most && value !== above && value !== below && isMultiple(value, step);
  const nearest = Math.min(Math.max(1, least), most);
  const up = Math.ceil(nearest / (step ?? 1)) * (step ?? 1);
  const down = Math.floor(nearest / (step ?? 1)) * (step ?? 1);
  const candidates = [nearest, up, up + (step ?? 1), down, down - (step ?? 1), (least + most) / 2];
  return candidates.find((each) => Number.isFinite(each) && fits(each)) ?? nearest;
}

/** With a tolerance, because a third of a tenth is none in binary. */
function isMultiple(value: number, step: number | null): boolean {
  return step === null || Math.abs(value / step - Math.round(value / step)) < 1e-9;
}
