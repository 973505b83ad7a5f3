import { hash } from 'node:crypto';

/** The hash chain before the first line: SHA-256 of nothing. */
export const CHAIN_START = hash('sha256', '', 'hex');

/** The chain after one more line (without its newline): SHA-256 of the chain so far in hex, then the line. */
export function chainOn(chain: string, line: string): string {
  return hash('sha256', chain + line, 'hex');
}
