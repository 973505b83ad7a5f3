import type { RampFigures } from './load-section.ts';

/** What a rising rate showed, with the definition of the knee. */
export function rampSentences({ steps, knee, refusedFrom, failedFrom }: RampFigures): string[] {
  const last = steps.at(-1)?.rate ?? 0;
  return [
    knee === null
      ? `No knee up to ${last} requests per second: the p95 did not stay above twice the median of the slower steps.`
      : `Knee at ${knee} requests per second: from there on the p95 is above twice the median of the slower steps.`,
    ...(refusedFrom === null ? [] : [`Refusals (429) from ${refusedFrom} requests per second on.`]),
    ...(failedFrom === null ? [] : [`Failures (5xx or no answer) from ${failedFrom} requests per second on.`]),
  ];
}
