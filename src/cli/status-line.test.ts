import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Screen, statusLine } from './status-line.ts';

function screen(columns: number | null): { readonly stream: Screen; readonly written: string[] } {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  return { stream: { write, isTTY: columns !== null, columns: columns ?? 0 }, written };
}

test('on a terminal, a text takes no more than one line, whatever its width', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '█'), maxLength: 300 }),
      fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 200 })),
      (text, columns) => {
        // A terminal that does not tell its width has 80.
        const width = columns || 80;
        const { stream, written } = screen(columns);
        statusLine(stream).draw(text);
        const drawn = written.join('').replace('\r\x1b[2K', '');
        expect(drawn.length).toBeLessThan(width);
        expect(text.startsWith(drawn.replace(/…$/, ''))).toBe(true);
        if (text.length < width) expect(drawn).toBe(text);
      },
    ),
  );
});

test('elsewhere, each text is a whole line, and nothing is cleared', () => {
  const { stream, written } = screen(null);
  const line = statusLine(stream);
  line.draw('a'.repeat(200));
  line.print('b');
  line.clear();
  expect(line.columns()).toBeNull();
  expect(written).toEqual([`${'a'.repeat(200)}\n`, 'b\n']);
});
