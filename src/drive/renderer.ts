import type { Clock } from '../clock/clock.ts';
import { captureValues } from '../profile/capture.ts';
import { renderRequest, valueSource } from '../profile/template.ts';
import { seededRandom } from '../random/random.ts';
import { valuesLabel } from '../random/seeded-schedule.ts';
import { PreparationFailed } from './preparation.ts';
import type { Renderer } from './sender.ts';

/** Fills in templates, with values that no other run uses, and captures values from answers. */
export function makeRenderer(clock: Clock, seed: number): Renderer {
  const random = seededRandom(seed, valuesLabel(clock.epoch));
  const values = valueSource(
    () => Math.floor(random() * 2 ** 32),
    () => Math.floor((clock.epoch + clock.now()) / 1000),
  );
  return {
    render: (template, captured) => renderRequest(template, captured, values),
    capture(operation, answer) {
      const { body, undecoded, fields } = answer;
      const taken = captureValues(operation.capture, { body, undecoded, headers: fields ?? {} });
      if ('errors' in taken) throw new PreparationFailed(`${operation.id}: ${taken.errors.join('; ')}`);
      return { ...taken.values };
    },
  };
}
