import { styleText } from 'node:util';
import { requirement } from '../catalogue/catalogue.ts';
import { printable } from '../report/printable.ts';
import { plural } from '../report/wording.ts';
import { type Diagnosis, type Finding, NOT_TRIED, type Standing, type Testability } from './diagnosis.ts';

const MARKS: Readonly<Record<Standing, readonly [mark: string, colour: 'green' | 'red' | 'yellow']>> = {
  good: ['✓', 'green'],
  bad: ['✗', 'red'],
  open: ['?', 'yellow'],
};

/** The diagnosis as text; its end says what a full run takes. */
export function diagnosisText(diagnosis: Diagnosis, { colour }: { readonly colour: boolean }): string {
  const { obstacle, keys, operations, probes, headers, requirements, requests } = diagnosis;
  const section = (title: string, findings: readonly Finding[]): readonly string[] =>
    findings.length === 0 ? [] : [title, ...rows(sparing(findings), colour), ''];
  const found = [
    ...section('Keys', keys),
    ...section('Operations, with a full key', operations),
    ...section('Probes', probes),
    ...section('Headers, by status', headers),
    ...section('Requirements that cannot be tested yet', testability(requirements)),
  ];
  return [
    ...(obstacle === null ? found : [`Nothing could be tried: ${obstacle}.`, '']),
    testableText(diagnosis),
    ...(diagnosis.sound || obstacle !== null
      ? []
      : [
          'First correct the lines marked ✗ or ? under keys, operations and probes. Otherwise certify might fail a deployment that conforms.',
        ]),
    ...costText(diagnosis),
    ...beforeCertify('doctor', requests),
    '',
  ].join('\n');
}

/** When to certify: until then, a defect may look like the use of budgets before the run. Empty if nothing was sent. */
export function beforeCertify(command: 'doctor' | 'check', requests: number): readonly string[] {
  if (requests === 0) return [];
  return [
    `${command} sent ${plural(requests, 'request')}, which the deployment may have counted: wait two minutes before certify.`,
  ];
}

/** How many requirements can be tested, counted as in reports: observed requirements have no verdict. */
export function testableText({ requirements }: Diagnosis): string {
  const judged = requirements.filter(({ id }) => requirement(id).level !== 'observed');
  const testable = judged.filter((each) => each.testable).length;
  return `${testable} of ${judged.length} requirements can be tested now.`;
}

/** If nothing was tried because no key is accepted, one line says so. */
function sparing(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2 || !findings.every(({ text }) => text === NOT_TRIED)) return findings;
  return [{ subject: `all ${findings.length}`, standing: 'open', text: NOT_TRIED }];
}

/** Up to this many requirements with the same text are named before it, more after it. */
const MOST_BEFORE = 3;

/** What to do for the requirements that cannot be tested; requirements with the same text share a line. */
function testability(requirements: readonly Testability[]): readonly Finding[] {
  const groups = Map.groupBy(
    requirements.filter(({ testable }) => !testable),
    ({ optional, todo }) => `${optional ? 'not needed' : 'needed'}: ${todo.join('; ')}`,
  );
  return [...groups].map(([text, members]) => {
    const standing = members.every(({ optional }) => optional) ? 'open' : 'bad';
    const ids = members.map(({ id }) => id).join(', ');
    if (members.length <= MOST_BEFORE) return { subject: ids, standing, text };
    return { subject: `${members.length} requirements`, standing, text: `${text} (${ids})` };
  });
}

function costText({ cost }: Diagnosis): readonly string[] {
  const { requests, seconds, allowed } = cost;
  return [
    `A full run takes at most ${requests} requests and about ${seconds} s.`,
    ...(allowed !== null && allowed < requests
      ? [`pacing.max_requests allows ${allowed}: the run ends early if it needs more.`]
      : []),
  ];
}

/** A wider subject pushes only its own text to the right. */
const WIDEST = 60;

function rows(findings: readonly Finding[], colour: boolean): readonly string[] {
  const width = Math.min(WIDEST, Math.max(...findings.map(({ subject }) => subject.length)));
  return findings.map(({ subject, standing, text }) => {
    const [sign, shade] = MARKS[standing];
    const mark = colour ? styleText(shade, sign, { validateStream: false }) : sign;
    return `  ${mark} ${printable(`${subject.padEnd(width)}  ${text}`)}`;
  });
}
