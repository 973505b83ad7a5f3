import { Document, isMap, isSeq, type Node } from 'yaml';
import { type Checked, mapProbes, type Proposal, sayOnce } from './proposal.ts';

/** The start of every comment that a person must check. */
export const MARK = 'CHECK:';

/** How many lines of a profile a person must check. */
export function countMarks(text: string): number {
  return text.split(`# ${MARK}`).length - 1;
}

const OPENING = [
  ' Target profile: what the conformance suite may send to your deployment, and what it expects.',
  ' Never write API keys here: they come from the environment or a .env file (see .env.example).',
  ' The command "validate" checks this file and sends nothing; "doctor" tries it with a few requests.',
];

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  target: [' Names for the reports.'],
  base_url: [
    ' Ends in /api/v1 in a conforming deployment (clause 9.1). --base-url and SIZE_CHART_BASE_URL override it.',
  ],
  operations: [
    ' Each must succeed (200) with a full key, each time it is sent: {{uuid}} is new in each request.',
    ' kind says which limit a request counts against: read (100 a minute) or write (30 a minute).',
    ' prepare runs other operations first; {{name}} stands for a value that they capture. cleanup removes what was created.',
    ' prepare costs writes: for a read, the fixed id of something that always exists is cheaper.',
  ],
  probes: [
    ' How to provoke each error: an operation with exactly one fault.',
    ' invalid_parameter: 400; not_found: 404; forbidden: 403, sent with SIZE_CHART_RESTRICTED_KEY.',
    ' internal_failure: 500, if you know a request that makes the service fail. A certificate does not need it.',
  ],
};

const CLOSING = `
# Also possible (see the reference of the profile): http (headers, time-outs, TLS, proxy), pacing (max_rate, max_requests),
# and waivers for known deviations.
`;

/**
 * The profile as commented YAML: one line for each short part, and a \`# CHECK:\` for each sentence that a person must
 * look at.
 */
export function profileText(proposal: Proposal, schema: string): string {
  const { target, baseUrl, operations, probes, checks } = sayOnce(proposal);
  const named = Object.fromEntries(Object.entries(target).filter(([, name]) => name));
  const content = {
    version: 1,
    ...(Object.keys(named).length > 0 ? { target: named } : {}),
    base_url: baseUrl.value,
    operations: operations.map(({ value }) => value),
    probes: mapProbes(probes, (list) => list.map(({ value }) => value)),
  };
  // Repeated values are written twice: readers would have to know what an anchor is.
  const document = new Document(content, { aliasDuplicateObjects: false });
  const node = (...path: readonly (string | number)[]): Node => document.getIn(path, true) as Node;
  document.commentBefore = [` yaml-language-server: $schema=${schema}`, ...OPENING, ...marks(checks)].join('\n');
  if (isMap<Node>(document.contents)) {
    for (const { key } of document.contents.items) {
      const name = String(key);
      const section = SECTIONS[name] ?? [];
      key.spaceBefore = name !== 'version';
      key.commentBefore = [...section, ...(name === 'base_url' ? marks(baseUrl.checks) : [])].join('\n') || null;
    }
  }
  layOut(operations, (index) => node('operations', index));
  mapProbes(probes, (list, name) => layOut(list, (index) => node('probes', name, index)));
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }) + CLOSING;
}

/** Small collections on one line, sentences before their part. */
function layOut(parts: readonly Checked<unknown>[], nodeOf: (index: number) => Node): void {
  for (const [index, { checks }] of parts.entries()) {
    const node = nodeOf(index);
    if (checks.length > 0) node.commentBefore = marks(checks).join('\n');
    if (!isMap<Node, Node>(node)) continue;
    for (const { value } of node.items) {
      if ((isMap(value) || isSeq(value)) && JSON.stringify(value).length <= ONE_LINE) value.flow = true;
    }
  }
}

/** JSON up to this many characters is easier to read on one line. */
const ONE_LINE = 100;

function marks(checks: readonly string[]): readonly string[] {
  return checks.map((check) => ` ${MARK} ${oneLine(check)}`);
}

/** Text from a document must not end the comment that contains it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
