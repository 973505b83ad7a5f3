import { type Outcome, type Rating, rate } from './subject.ts';
import { type RandomAccuracy, randomTable } from './virtual/random-table.ts';

/** The results of the accuracy set, in numbers. */
export interface Accuracy {
  readonly conforming: number;
  /** Of conforming servers. */
  readonly falseFailures: number;
  /** Defects under which a requirement failed that they do not break. */
  readonly wrongBeside: number;
  readonly undecided: number;
  /** Runs whose written trace, judged again, gave the same report, byte for byte. */
  readonly repeatable: number;
  readonly defects: number;
  readonly observable: number;
  readonly found: number;
  readonly medianProof: number;
  readonly longestProof: number;
  readonly outcomes: readonly (Omit<Outcome, 'verdicts'> & { readonly rating: Rating })[];
}

/** Summarises the verdicts on all subjects. */
export function summarise(outcomes: readonly Outcome[]): Accuracy {
  const rated = outcomes.map(({ verdicts: _, ...outcome }) => ({
    ...outcome,
    rating: rate({ ...outcome, verdicts: {} }),
  }));
  const count = (rating: Rating, kind: Outcome['subject']['kind']): number =>
    rated.filter((each) => each.rating === rating && each.subject.kind === kind).length;
  const defects = rated.filter(({ subject }) => subject.kind === 'defective');
  const proofs = rated.flatMap((each) => each.proofs).sort((a, b) => a - b);
  return {
    conforming: rated.length - defects.length,
    falseFailures: count('false failure', 'conforming'),
    wrongBeside: count('false failure', 'defective'),
    undecided: count('undecided', 'conforming'),
    repeatable: rated.filter((each) => each.repeatable).length,
    defects: defects.length,
    observable: defects.filter(({ subject }) => subject.observable === true).length,
    found: defects.filter(({ subject, rating }) => subject.observable === true && rating === 'found').length,
    medianProof: proofs[Math.floor(proofs.length / 2)] ?? 0,
    longestProof: proofs.at(-1) ?? 0,
    outcomes: rated,
  };
}

/** What the command `accuracy` writes as `accuracy.json`. */
export type RecordedAccuracy = Accuracy & {
  readonly scale: number;
  readonly seed: number;
  /** Random deployments; null if none were drawn. */
  readonly random?: RandomAccuracy | null;
};

/** The whole measurement as Markdown: seeded defects over HTTP, then random deployments in virtual time. */
export function recordedTable(recorded: RecordedAccuracy, introduction = ''): string {
  const { scale, seed, random = null } = recorded;
  const heading = `The whole suite over HTTP against the reference server, 4 keys, ${scale} times faster than real time, seed ${seed}.`;
  const seeded = accuracyTable(recorded, `${introduction}${heading}`);
  return random === null ? seeded : `${seeded}\n## Random deployments\n\n${RANDOM}\n\n${randomTable(random)}\n`;
}

const RANDOM = `The plan of \`certify\` runs in virtual time on deployments drawn at random: mechanism, options, and none, one or two deviations with random
parameters, or a limiter that the judge cannot name (_from outside_). They have 1, 2 or 4 keys, networks from loopback to very slow, use of the
keys by others, and lost answers. Each run is judged as recorded, and again with the exact moment at which the server decided each request, which
no client can see. \`accuracy random --draws 1 --seed N\` replays a draw.`;

/** The accuracy table as Markdown, for people: what was found under which requirement, what was missed and why. */
export function accuracyTable(accuracy: Accuracy, heading: string): string {
  const { conforming, falseFailures, wrongBeside, undecided, repeatable, defects, observable, found } = accuracy;
  const { medianProof, longestProof } = accuracy;
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const of = (kind: 'conforming' | 'defective') => accuracy.outcomes.filter(({ subject }) => subject.kind === kind);
  const isFound = ({ subject, rating, error }: Accuracy['outcomes'][number]): boolean =>
    subject.observable === true && rating === 'found' && !error;
  const byFailed = Map.groupBy(of('defective').filter(isFound), ({ failed }) => failed.join(', '));
  const others = of('defective')
    .filter((each) => !isFound(each))
    .map(({ subject, rating, failed, error }) => {
      const remark = error ?? (subject.observable === true ? rating : subject.observable);
      return line([subject.name, subject.description, failed.join(', '), remark]);
    });
  const isPlain = ({ rating, failed, inconclusive, error }: Accuracy['outcomes'][number]): boolean =>
    rating === 'conforms' && failed.length + inconclusive.length === 0 && !error;
  const variants = new Set(
    of('conforming')
      .filter(isPlain)
      .map(({ subject }) => subject.name.split(', ', 1)[0]),
  );
  const odd = of('conforming')
    .filter((each) => !isPlain(each))
    .map(({ subject, rating, failed, inconclusive, error }) =>
      line([
        subject.name,
        rating,
        [...failed, ...inconclusive.map((id) => `${id}?`), error ?? ''].filter(Boolean).join(', '),
      ]),
    );
  return [
    '# Accuracy',
    '',
    heading,
    '',
    `- ${conforming} runs against conforming servers: **${falseFailures} false failures**, ${undecided} left undecided`,
    `- ${defects} seeded defects, ${observable} of which a client can observe: **${found} found**, each under a requirement that it breaks; ${wrongBeside} with wrong failures`,
    `- ${conforming + defects} recorded traces judged again: **${repeatable} gave the same report**, byte for byte`,
    `- proofs: median ${medianProof} exchanges, longest ${longestProof}`,
    '',
    '## Defects',
    '',
    'Requirements that failed, and the defects that caused it; `reference --list` says what each defect does.',
    '',
    ...[...byFailed].map(([failed, rows]) => `- ${failed}: ${rows.map(({ subject }) => subject.name).join(', ')}`),
    ...(others.length === 0
      ? []
      : ['', 'Not found:', '', '| defect | what it does | failed | why |', '|---|---|---|---|', ...others]),
    '',
    '## Conforming servers',
    '',
    `${variants.size} variants conform. \`reference --list\` describes each, and accuracy.json lists the networks on which it was tested.`,
    ...(odd.length === 0 ? [] : ['', '| server | rating | failed or undecided (?) |', '|---|---|---|', ...odd]),
    '',
  ].join('\n');
}
