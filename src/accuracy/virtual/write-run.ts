import { createTrace } from '../../trace/recorder.ts';
import type { Trace } from '../../trace/trace.ts';
import type { RunLine } from './virtual-run.ts';

/**
 * Writes a run in virtual time as a trace file, as `certify` would have written it.
 *
 * @throws TraceError if the file cannot be written, or already exists
 */
export function writeRun(file: string, { header, footer }: Trace, lines: readonly RunLine[]): void {
  let time = 0;
  const clock = { scale: 1, epoch: header.epoch, now: () => time, sleepUntil: () => Promise.resolve() };
  const recorder = createTrace(file, header, clock);
  for (const line of lines) {
    if (line.type === 'intents') recorder.intend(line.intents);
    else if (line.type === 'answer') recorder.record(line.exchange);
    else {
      ({ time } = line);
      recorder.note(line.code, line.experiment, line.text);
    }
  }
  time = footer?.ended ?? time;
  recorder.close(footer?.outcome ?? 'interrupted');
}
