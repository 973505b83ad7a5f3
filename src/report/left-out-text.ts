import type { Report } from './report.ts';

/** How many requests of the plan could not be sent, and why. */
export function leftOutText({ conditions: { leftOut = [] } }: Pick<Report, 'conditions'>): string[] {
  return [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, own]) => {
    const count = own.reduce((sum, { requests }) => sum + requests, 0);
    const names = [...new Set(own.map(({ operation }) => operation))].join(', ');
    return `${count === 1 ? '1 request' : `${count} requests`} for ${names} ${count === 1 ? 'was' : 'were'} left out: ${why}.`;
  });
}
