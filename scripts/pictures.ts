/**
 * Takes the pictures of the documentation: the top of the sample's report, and a failure of a seeded race, run in
 * virtual time.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { FORMATS } from '../src/report/formats.ts';
import { htmlReport } from '../src/report/html/html-report.ts';
import { reportOf } from './docs/first-sentences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme: 'light' });
await page.setContent(readFileSync(`${root}/reports/sample/${FORMATS.html.file}`, 'utf8'));
await page.screenshot({ path: `${root}/docs/report.png` });
await page.setContent(htmlReport(await reportOf('check-then-increment', 1)));
const failure = page.locator('.failure').first();
await failure.locator('details[id^=proof-] > summary').click();
await failure.screenshot({ path: `${root}/docs/failure.png` });
await browser.close();
