import { expect, test } from 'vitest';
import { reportsText, startedAs } from './print-report.ts';

test('a checkout is started by its file, and an installed package as in any report', () => {
  expect(startedAs(`${process.cwd()}/bin/size-chart-conformance.js`)).toEqual({
    program: 'node bin/size-chart-conformance.js',
  });
  expect(startedAs('/app/node_modules/size-chart-conformance/bin/size-chart-conformance.js')).toEqual({});
  expect(startedAs(undefined)).toEqual({});
});

test('the reports are named by a path of this shell, with the files to open', () => {
  expect(reportsText(`${process.cwd()}/reports/acme/trace.ndjson`)).toMatch(
    /^Reports: reports\/acme\/ \(report\.html, /,
  );
});
