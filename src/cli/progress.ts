import type { ProgressMessage } from '../drive/progress-channel.ts';
import type { Plan } from '../plan/plan.ts';

/** Real seconds between two lines where there is no terminal to redraw one on. */
const LINE_EVERY_S = 15;
const REDRAW_EVERY_MS = 250;

export interface ProgressDisplay {
  see(message: ProgressMessage): void;
  end(): void;
}

/**
 * Shows how far a run has come: one line, redrawn, on a terminal; a plain line now and then elsewhere. On standard error, so
 * that standard output holds the result alone.
 *
 * @param scale how many times faster than real time the run's clock goes
 */
export function showProgress(plan: Plan, scale: number, stream: NodeJS.WriteStream = process.stderr): ProgressDisplay {
  const started = Date.now();
  const counts = { requests: 0, accepted: 0, refused: 0 };
  const draw = (): void => {
    const passed = ((Date.now() - started) / 1000) * scale;
    const left = Math.max(0, plan.seconds - passed);
    const share = Math.min(1, passed / Math.max(1, plan.seconds));
    const time = left > 0 ? `about ${Math.ceil(left / scale)} s left` : 'finishing';
    const sent = `${counts.requests} requests, ${counts.accepted} accepted, ${counts.refused} refused`;
    if (stream.isTTY) stream.write(`\r\x1b[2K${bar(share)} ${time}  ${sent}`);
    else stream.write(`${time}: ${sent}\n`);
  };
  const timer = setInterval(draw, stream.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_S * 1000);
  timer.unref();
  return {
    see({ status }) {
      counts.requests += 1;
      if (status === 429) counts.refused += 1;
      else if (status !== null && status < 300) counts.accepted += 1;
    },
    end() {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\x1b[2K');
    },
  };
}

function bar(share: number): string {
  const width = 24;
  const full = Math.round(share * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`;
}
