import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FORMATS, type FormatName } from './formats.ts';
import type { Report } from './report.ts';

/**
 * Writes the report into the folder of a run, by default in every format. Each file appears whole or not at all: it is
 * written beside its place and then renamed.
 *
 * @returns the paths written
 * @throws the file system's error (ENOSPC, EACCES …), with nothing half-written left behind
 */
export async function writeReports(
  folder: string,
  report: Report,
  formats: readonly FormatName[] = Object.keys(FORMATS).filter((name): name is FormatName => name in FORMATS),
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const name of formats) {
    const { file, render } = FORMATS[name];
    const path = join(folder, file);
    await writeWhole(path, render(report));
    paths.push(path);
  }
  return paths;
}

/** Appends the Markdown form to the file that GitHub Actions names in `GITHUB_STEP_SUMMARY`; elsewhere does nothing. */
export async function writeStepSummary(report: Report, environment: NodeJS.ProcessEnv): Promise<void> {
  const path = environment.GITHUB_STEP_SUMMARY;
  if (path) await appendFile(path, FORMATS.markdown.render(report));
}

async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
