import { expect, test } from 'vitest';
import { sentKeyText } from './sent-key.ts';

test.each([
  ['added-last', 'with key-1 sent with a character after it (added-last)'],
  ['joined', 'with key-1 sent twice, joined by a comma (joined)'],
  ['wrong-scheme', 'with key-1 sent bare after the word Basic (wrong-scheme)'],
  ['empty', 'with a key of no characters (empty)'],
  ['unknown', 'with a wrong key (unknown)'],
  ['of-another-release', 'with a wrong key (of-another-release)'],
])('what was sent in the form %s is said in words', (variation, text) => {
  expect(sentKeyText({ key: 'key-1', fault: 'bad-key', variation, credential: 'bearer' })).toBe(text);
});
