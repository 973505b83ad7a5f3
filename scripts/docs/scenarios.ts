import { SCENARIO_NAMES } from '../../src/load/load-spec.ts';
import { SCENARIOS } from '../../src/load/scenario.ts';
import { code, table } from './markdown.ts';

/** The scenarios of the load tester. */
export function scenarioTable(): string {
  return table(
    ['Scenario', 'What it does', 'Keys', 'Length and rate'],
    SCENARIO_NAMES.map((name) => {
      const { purpose, leastKeys, defaults } = SCENARIOS[name];
      const extent = defaults
        ? `${defaults.seconds} s at no more than ${defaults.rate.toLocaleString('en-US')}/s, or as asked for`
        : 'its own';
      return [code(name), purpose, `${leastKeys} or more`, extent];
    }),
  );
}
