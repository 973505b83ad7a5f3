import { expect, test } from 'vitest';
import { startedAs } from './print-report.ts';

test('a checkout is started by its file, and an installed package as in any report', () => {
  expect(startedAs(`${process.cwd()}/bin/size-chart-conformance.js`)).toEqual({
    program: 'node bin/size-chart-conformance.js',
  });
  expect(startedAs('/app/node_modules/size-chart-conformance/bin/size-chart-conformance.js')).toEqual({});
  expect(startedAs(undefined)).toEqual({});
});
