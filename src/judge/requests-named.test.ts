import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestsNamedIn } from './requests-named.ts';

test('the requests that a sentence names are read from it in its order, and no other number is', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (seqs) => {
      const sentence = ['Of 100 in 60 s', ...seqs.map((seq) => `#${seq}`)].join(', then ');
      expect(requestsNamedIn(sentence)).toEqual(seqs);
    }),
  );
});
