import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../trace/exchange.ts';
import { proof } from './proofs.ts';
import { conclude, type Ruling } from './ruling.ts';

const shownBy = (...seqs: readonly number[]) =>
  proof(
    'a',
    'b',
    seqs.map((seq) => ({ seq, sent: seq }) as Exchange),
    [],
  );
const fails = (part: string, summary: string, ...seqs: readonly number[]): Ruling => ({
  verdict: 'fail',
  part,
  summary,
  remedy: `Usually by ${part}. Mend it.`,
  witnesses: 1,
  proofs: [shownBy(...seqs)],
});

describe('what reads and writes show differs', () => {
  const reads = fails('reads', 'HEAD is not counted (reads only).', 1, 2, 3);
  const writes = fails('writes', 'DELETE is not counted (writes only).', 4, 5);

  test('both sentences are told, and both remedies', () => {
    expect(conclude('LIMIT-SCOPE', [reads, writes], [], 'More.')).toMatchObject({
      summary: 'HEAD is not counted (reads only). DELETE is not counted (writes only).',
      remedy: 'Usually by reads. Mend it. Usually by writes. Mend it.',
    });
  });

  test('the first proof is of the first sentence, also where another is shorter', () => {
    const direct = fails('key-1 read', 'A marker lay in the past.', 9);
    const { proofs = [] } = conclude('LIMIT-SCOPE', [reads, writes], [direct], 'More.');
    expect(proofs.map(({ evidence }) => evidence.map(({ seq }) => seq))).toEqual([[1, 2, 3], [4, 5], [9]]);
  });

  test('so is what was seen of each where nothing can be decided', () => {
    const open = (summary: string): Ruling => ({
      verdict: 'inconclusive',
      part: '',
      summary,
      witnesses: 0,
      remedy: 'Wait.',
    });
    const opinion = conclude('HDR-4', [open('Reads are missing.'), open('Writes are missing.')], [], 'More.');
    expect(opinion).toMatchObject({ summary: 'Reads are missing. Writes are missing.', remedy: 'Wait.' });
  });

  test('what both sentences begin with is said once', () => {
    const told = (summary: string): Ruling => ({ verdict: 'inconclusive', part: '', summary, witnesses: 0 });
    const opinion = conclude('LIMIT-HISTORY', [told('It deviates: A.'), told('It deviates: B.')], [], 'More.');
    expect(opinion.summary).toBe('It deviates: A. B.');
  });
});
