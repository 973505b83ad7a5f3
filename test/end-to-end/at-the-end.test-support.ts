import { afterAll } from 'vitest';

const works: (() => unknown)[] = [];

/** Runs a function after all tests of the file: concurrent tests have no hook of their own. */
export function atTheEnd(work: () => unknown): void {
  works.push(work);
}

afterAll(async () => {
  for (const work of works.splice(0).reverse()) await work();
});
