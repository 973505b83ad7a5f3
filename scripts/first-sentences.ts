/** Records what a report says first of two defects of each kind: `first-sentences.ts`, then `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type FirstSentence, firstSentence, SHOWN } from './docs/first-sentences.ts';

const rows: FirstSentence[] = [];
for (const [component, defects] of SHOWN) {
  for (const defect of defects) rows.push(await firstSentence(component, defect));
}
const file = fileURLToPath(new URL('../docs/first-sentences.json', import.meta.url));
writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
