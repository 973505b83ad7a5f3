import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNNER_OPTIONS } from './runner-options.ts';

const extension = extname(fileURLToPath(import.meta.url));
const fileBeside = (name: string): string => fileURLToPath(new URL(`./${name}${extension}`, import.meta.url));

/**
 * The conformance suite as a project of vitest, for a `vitest.config.ts`: `projects: [conformance]`. The target comes
 * from the environment: SIZE_CHART_PROFILE, SIZE_CHART_BASE_URL, SIZE_CHART_KEYS and the other keys.
 */
export const conformance = {
  root: join(fileBeside('all.suite'), '..'),
  test: {
    ...RUNNER_OPTIONS,
    exclude: [] as string[],
    tags: [...RUNNER_OPTIONS.tags],
    name: 'conformance',
    include: [fileBeside('all.suite')],
    globalSetup: [fileBeside('global-setup')],
    fsModuleCache: false,
  },
};
