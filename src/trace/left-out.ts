import type { NoteLine } from './trace.ts';

/** What a trace notes of a request of the plan that could not be sent. */
export function leftOutText(step: string, operation: string, why: string): string {
  return `${beginning(step, operation)}: ${why}`;
}

/** Whether a note says that some request could not be sent; where they are named, of this step and operation. */
export function saysLeftOut({ code, text }: NoteLine, step?: string, operation?: string): boolean {
  if (code !== 'experiment-failed') return false;
  return step === undefined || operation === undefined
    ? text.includes(`${LEFT_OUT}: `)
    : text.startsWith(`${beginning(step, operation)}: `);
}

const LEFT_OUT = ' was left out';

function beginning(step: string, operation: string): string {
  return `${step} of ${operation}${LEFT_OUT}`;
}
