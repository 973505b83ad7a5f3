import { SCENARIO_NAMES } from '../../src/load/load-spec.ts';
import { SCENARIOS } from '../../src/load/scenario.ts';
import { code, table } from './markdown.ts';

/** The scenarios of the load tester. */
export function scenarioTable(): string {
  return table(
    ['Scenario', 'What it does', 'Length and rate'],
    SCENARIO_NAMES.map((name) => {
      const { purpose, leastKeys, defaults } = SCENARIOS[name];
      const extent = defaults ? `${defaults.seconds} s at no more than ${defaults.rate.toLocaleString('en-US')}/s` : '';
      return [code(name), leastKeys > 1 ? `${purpose} (at least ${leastKeys} keys)` : purpose, extent];
    }),
  );
}
