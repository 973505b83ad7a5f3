import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../caught.ts';
import { githubAnnotations } from '../report/annotations.ts';
import { FORMATS, type Reporter } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { otherRunIn } from './other-run.ts';
import { inTheWay, makeFolder, takesReports } from './output-folder.ts';

/** The reports have no place. The message says what to do. */
export class ReportError extends Error {
  override name = 'ReportError';
}

/**
 * Writes the report into the folder of a run, by default in every format. Each file appears whole or not at all: it is
 * written beside its place and then renamed.
 *
 * @param reporters the forms that were asked for; none: all files. `report.json` is always there, since all others are
 *   made of it
 * @returns the paths written
 * @throws the file system's error (ENOSPC, EACCES …), with nothing half-written left behind; ReportError where the
 *   folder holds somebody else's files of these names
 */
export async function writeReports(
  folder: string,
  report: Report,
  reporters: readonly Reporter[] = [],
): Promise<string[]> {
  makeFolder(folder);
  if (!takesReports(folder))
    throw new ReportError(
      `${folder} contains ${inTheWay(folder)}, but is not the folder of a run, and reports never overwrite other files. Choose another folder with --out.`,
    );
  const paths: string[] = [];
  for (const [name, { file, render }] of Object.entries(FORMATS)) {
    if (reporters.length > 0 && name !== 'json' && !reporters.some((each) => each === name)) continue;
    const path = join(folder, file);
    await writeWhole(path, render(report));
    paths.push(path);
  }
  return paths;
}

/**
 * Writes the reports of a recorded run again, where that takes nothing from another run.
 *
 * @param source the folder that the report was made from
 * @throws as `writeReports`; ReportError also where the folder holds another run, or a certificate that does not cover
 *   this report
 */
export async function writeReportsAgain(
  folder: string,
  report: Report,
  source: string,
  reporters: readonly Reporter[] = [],
): Promise<string[]> {
  const other = otherRunIn(folder, report, source);
  if (other !== null)
    throw new ReportError(
      `${folder} holds ${other}, so no report was written there. Choose another folder with --out.`,
    );
  try {
    return await writeReports(folder, report, reporters);
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    throw new ReportError(
      `The reports cannot be written to ${folder} (${code}). Make sure that this folder can be written and has room, or choose another with --out.`,
    );
  }
}

/**
 * Tells the pipeline that the run is part of: in GitHub Actions its summary is appended to the file that
 * `GITHUB_STEP_SUMMARY` names, and failures are printed as annotations (on standard error, so that standard output
 * holds the result alone).
 */
export async function tellPipeline(
  report: Report,
  reporters: readonly Reporter[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { GITHUB_ACTIONS: actions, GITHUB_STEP_SUMMARY: summary } = environment;
  if (actions === 'true' || reporters.includes('github')) process.stderr.write(githubAnnotations(report));
  if (summary) await appendFile(summary, FORMATS.markdown.render(report));
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
