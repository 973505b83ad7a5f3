import { type Finding, finding, type Path } from '../finding.ts';
import { nearest } from '../nearest.ts';
import { type OperationOutline, type Outline, preparations, type RequestOutline, record, text } from '../outline.ts';
import { GENERATED, malformedVariable, variablesIn } from '../template.ts';
import { type PlacedText, textsIn } from '../texts.ts';

/** Captures have names that mean one thing. */
export function checkCaptures(outline: Outline): readonly Finding[] {
  return outline.operations.flatMap((operation) => [
    ...GENERATED.filter((name) => name in operation.capture).map((name) =>
      finding([...operation.at, 'capture', name], 'is a variable that the suite generates', 'Choose another name.', {
        on: 'name',
      }),
    ),
    ...ambiguous(outline, operation),
  ]);
}

/** Each `{{name}}` is well formed, and is generated or captured by an operation that has run before. */
export function checkVariables(outline: Outline): readonly Finding[] {
  const capturers = new Map<string, string>();
  for (const { id, capture } of outline.operations) {
    for (const name of Object.keys(capture)) capturers.set(name, id ?? '');
  }
  const check = (request: RequestOutline, known: ReadonlySet<string>) =>
    textsOf(request).flatMap((part) => checkText(part, known, capturers));
  const byId = new Map(outline.operations.map((each) => [each.id, each]));
  const cleanups = outline.operations.flatMap((operation) => {
    const known = namesIn([...preparations(outline, operation), operation]);
    return operation.cleanup.flatMap(({ id, at }) => {
      const missing = byId.get(id) ? variablesOf(byId.get(id)).filter((name) => !known.has(name)) : [];
      return missing.map((name) => unknownVariable(at, name, known, capturers));
    });
  });
  return [
    ...outline.operations.flatMap((operation) => check(operation, namesIn(preparations(outline, operation)))),
    ...outline.probes.flatMap((probe) => {
      const operation = byId.get(probe.operation?.id ?? null);
      return operation ? check(probe, namesIn(preparations(outline, operation))) : [];
    }),
    ...cleanups,
    ...Object.entries(record(record(outline.root.http).headers)).flatMap(([name, value]) =>
      text(value)?.includes('{{')
        ? [finding(['http', 'headers', name], 'contains a variable', 'Move the header to the operations that need it.')]
        : [],
    ),
  ];
}

/** Two preparations of one operation must not capture the same name: one value would hide the other. */
function ambiguous(outline: Outline, operation: OperationOutline): readonly Finding[] {
  const first = new Map<string, string | null>();
  return preparations(outline, operation).flatMap(({ id, capture }) =>
    Object.keys(capture).flatMap((name) => {
      const earlier = first.get(name);
      if (earlier === undefined) {
        first.set(name, id);
        return [];
      }
      const problem = `provides {{${name}}} twice: both ${earlier} and ${id} capture it`;
      return [finding([...operation.at, 'prepare'], problem, 'Give one of the captures another name.')];
    }),
  );
}

function checkText(
  { path: at, text: part }: PlacedText,
  known: ReadonlySet<string>,
  capturers: ReadonlyMap<string, string>,
): readonly Finding[] {
  const remedy = 'Write {{name}}; the name consists of letters, digits and _.';
  return [
    ...(malformedVariable(part) === null ? [] : [finding(at, 'contains "{{" that does not start a variable', remedy)]),
    ...variablesIn(part)
      .filter((name) => !known.has(name))
      .map((name) => unknownVariable(at, name, known, capturers)),
  ];
}

function unknownVariable(
  at: Path,
  name: string,
  known: ReadonlySet<string>,
  capturers: ReadonlyMap<string, string>,
): Finding {
  const capturer = capturers.get(name);
  const remedy = capturer
    ? `Add ${JSON.stringify(capturer)}, which captures it, to prepare.`
    : `Capture it in an operation under prepare, or use one of ${GENERATED.join(', ')}.`;
  return finding(at, `uses {{${name}}}, which nothing captures before`, remedy, {
    suggestion: capturer ? null : nearest(name, known),
  });
}

function namesIn(operations: readonly OperationOutline[]): ReadonlySet<string> {
  return new Set([...GENERATED, ...operations.flatMap(({ capture }) => Object.keys(capture))]);
}

function variablesOf(request: RequestOutline | undefined): readonly string[] {
  return request ? [...new Set(textsOf(request).flatMap(({ text }) => variablesIn(text)))] : [];
}

/** Every text of a request in which variables are filled in, and names of fields that look as if they were. */
function textsOf({ at, path, query, headers, body }: RequestOutline): readonly PlacedText[] {
  const parts = Object.entries({ path, query, headers, body });
  const texts = parts.flatMap(([name, value]) => textsIn(value, [...at, name]));
  return texts.filter(({ text }) => text.includes('{{'));
}
