import { styleText } from 'node:util';
import { printable } from '../report/printable.ts';
import type { Diagnosis, Finding, Standing, Testability } from './diagnosis.ts';

const MARKS: Readonly<Record<Standing, readonly [mark: string, colour: 'green' | 'red' | 'yellow']>> = {
  good: ['✓', 'green'],
  bad: ['✗', 'red'],
  open: ['?', 'yellow'],
};

/** The diagnosis for people, ending in what a full run takes. */
export function diagnosisText(diagnosis: Diagnosis, { colour }: { readonly colour: boolean }): string {
  const { obstacle, keys, operations, probes, headers, requirements, requests } = diagnosis;
  const section = (title: string, findings: readonly Finding[]): readonly string[] =>
    findings.length === 0 ? [] : [title, ...rows(findings, colour), ''];
  const found = [
    ...section('Keys', keys),
    ...section('Operations, as they are, with a full key', operations),
    ...section('Probes', probes),
    ...section('Headers, by status', headers),
    ...section('Requirements that are not testable', requirements.flatMap(testability)),
  ];
  const testable = requirements.filter((each) => each.testable).length;
  return [
    ...(obstacle === null ? found : [`Nothing could be tried: ${obstacle}.`, '']),
    `${testable} of ${requirements.length} requirements can be tested as things stand.`,
    ...(diagnosis.sound || obstacle !== null
      ? []
      : [
          'Correct what is marked ✗ or ? under operations and probes first: because of it, certify might fail a deployment that conforms.',
        ]),
    ...costText(diagnosis),
    ...(requests > 0
      ? [`This took ${requests} requests, which the deployment may have counted: let two minutes pass before certify.`]
      : []),
    '',
  ].join('\n');
}

/** What is to be done for a requirement; nothing where it is testable. */
function testability({ id, testable, optional, todo }: Testability): readonly Finding[] {
  if (testable) return [];
  const words = optional ? 'not needed' : 'needed';
  return [{ subject: id, standing: optional ? 'open' : 'bad', text: `${words}: ${todo.join('; ')}` }];
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

/** Wider subjects push their text to the right instead of everyone's. */
const WIDEST = 60;

function rows(findings: readonly Finding[], colour: boolean): readonly string[] {
  const width = Math.min(WIDEST, Math.max(...findings.map(({ subject }) => subject.length)));
  return findings.map(({ subject, standing, text }) => {
    const [sign, shade] = MARKS[standing];
    const mark = colour ? styleText(shade, sign, { validateStream: false }) : sign;
    return `  ${mark} ${printable(`${subject.padEnd(width)}  ${text}`)}`;
  });
}
