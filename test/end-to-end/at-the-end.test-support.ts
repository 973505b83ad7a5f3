import { afterAll } from 'vitest';

const works: (() => unknown)[] = [];

/** Does this when all tests of the file are over: tests that run side by side have no end of their own to hang it on. */
export function atTheEnd(work: () => unknown): void {
  works.push(work);
}

afterAll(async () => {
  for (const work of works.splice(0).reverse()) await work();
});
