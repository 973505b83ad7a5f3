import type { Invocation } from '../arguments.ts';
import { demo } from '../demo.ts';
import { displayOf } from './run.ts';

/** Certifies the reference server on loopback. */
export async function demoCommand(invocation: Invocation): Promise<number> {
  const { out, seed, timeScale } = invocation.options;
  return demo({ out, seed, scale: timeScale }, displayOf(invocation));
}
