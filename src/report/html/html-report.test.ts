import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Report } from '../report.ts';
import { sampleReport } from '../sample-report.test-support.ts';
import {
  busyRun,
  failingRun,
  inconclusiveRun,
  interruptedRun,
  largestRun,
  passingRun,
} from '../sample-runs.test-support.ts';
import { htmlReport } from './html-report.ts';
import { SCRIPT, SCRIPT_HASH } from './script.ts';

const RUNS: Readonly<Record<string, Report>> = {
  failing: failingRun,
  passing: passingRun,
  interrupted: interruptedRun,
  inconclusive: inconclusiveRun,
  busy: busyRun,
};

const browserPath = [
  'CHROMIUM_PATH' in process.env ? (process.env.CHROMIUM_PATH ?? '') : '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((path) => path !== '' && existsSync(path));
const reason = browserPath ? '' : ' (skipped: no Chromium; install it or set CHROMIUM_PATH)';

test.each(Object.entries({ ...RUNS, largest: largestRun }))(
  'the report of a %s run stays below 1 MB and names its verdict first',
  (_, report) => {
    const html = htmlReport(report);
    expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
    expect(html.split('<script').length - 1).toBe(1);
    expect(html.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  },
);

test('the same report gives the same bytes', () => {
  expect(htmlReport(failingRun)).toBe(htmlReport(structuredClone(failingRun)));
});

test('the policy of the page lets in its own script, and nothing else', () => {
  expect(SCRIPT_HASH).toBe(`sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`);
  const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(htmlReport(failingRun)) ?? [];
  expect(policy).toBe(`default-src 'none'; script-src '${SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src data:`);
  expect(htmlReport(failingRun)).toContain(`<script>${SCRIPT}</script>`);
});

test('the head of a failing report lists what fails, and the page explains it', () => {
  const html = htmlReport(failingRun);
  const failing = failingRun.verdicts.filter((each) => each.verdict === 'fail');
  const listed = html.slice(html.indexOf('class="failing"'), html.indexOf('class="facts"'));
  for (const { id } of failing) expect(listed).toContain(`href="#failure-${id}"`);
  expect(html.match(/Usual cause</g)?.length).toBeGreaterThanOrEqual(failing.length);
  expect(html.indexOf('class="failure')).toBeLessThan(html.indexOf('class="matrix"'));
  expect(htmlReport(passingRun)).not.toContain('class="failing"');
});

describe.skipIf(!browserPath)(`in Chromium${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  // Evaluated through the debugger, since the page's own policy lets no script in.
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: browserPath ?? '',
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    for (const [name, report] of Object.entries(RUNS)) writeFileSync(join(folder, `${name}.html`), htmlReport(report));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a report and runs `look`; gives what the page said and asked for meanwhile. */
  async function open(
    name: string,
    options: { width: number; colorScheme: 'light' | 'dark' },
    look: (page: Page) => Promise<void>,
  ): Promise<string[]> {
    const noise: string[] = [];
    const context = await browser.newContext({
      viewport: { width: options.width, height: 900 },
      colorScheme: options.colorScheme,
    });
    const page = await context.newPage();
    page.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) noise.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    await look(page);
    await context.close();
    return noise;
  }

  const VIEWS = Object.keys(RUNS).flatMap((name) => [[name, 1280, 'light'] as const, [name, 390, 'dark'] as const]);

  thorough.each(VIEWS)(
    '%s, %d px, %s: accessible, silent, and no wider than the screen',
    async (name, width, colorScheme) => {
      const noise = await open(name, { width, colorScheme }, async (page) => {
        await page.evaluate(axe);
        const results = await page.evaluate<AxeResults>('axe.run()');
        expect(results.violations.map((each) => [each.id, each.nodes[0]?.html])).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      });
      expect(noise).toEqual([]);
    },
  );

  thorough('a filter lives in the URL and leaves only its rows', async () => {
    await open('failing', { width: 1280, colorScheme: 'light' }, async (page) => {
      const rows = page.locator('.matrix tbody tr:not(.group):visible');
      const all = await rows.count();
      await page.getByRole('group', { name: 'Show only' }).getByRole('link', { name: 'fail' }).click();
      expect(page.url()).toMatch(/#only-fail$/);
      expect(await rows.count()).toBe(2);
      await page.reload();
      expect(await rows.count()).toBe(2);
      await page.getByRole('group', { name: 'Show only' }).getByRole('link', { name: 'all' }).click();
      expect(await rows.count()).toBe(all);
    });
  });

  test('what a target sent is shown as text, and is neither markup nor script', async () => {
    await open('failing', { width: 1280, colorScheme: 'light' }, async (page) => {
      expect(await page.locator('img, iframe, object').count()).toBe(0);
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.locator('.received dd').nth(1).textContent()).toContain('<script>');
    });
  });

  thorough('a search leaves the requirements and requests that have its words, and opens what hides them', async () => {
    await open('failing', { width: 1280, colorScheme: 'light' }, async (page) => {
      const rows = page.locator('.matrix tbody tr:not(.group):visible');
      await page.getByRole('searchbox').fill('reset large');
      expect(await rows.allTextContents()).toEqual([expect.stringContaining('HDR-6')]);
      await page.getByRole('searchbox').fill('/labels/none');
      expect(await page.locator('.failure:visible').count()).toBe(1);
      expect(await page.locator('.failure:visible .evidence tbody tr:visible').count()).toBe(2);
      expect(await page.getByRole('status').first().textContent()).toBe('0 requirements, 1 requests');
      await page.getByRole('searchbox').fill('');
      expect(await page.locator('.failure:visible').count()).toBe(3);
    });
  });

  thorough('all plots zoom together, say what is under the pointer, and come back', async () => {
    await open('failing', { width: 1280, colorScheme: 'light' }, async (page) => {
      const boxes = (): Promise<(string | null)[]> =>
        page.locator('.plot > svg').evaluateAll((all) => all.map((each) => each.getAttribute('viewBox')));
      const before = await boxes();
      const plot = page.locator('.plot').first();
      await plot.scrollIntoViewIfNeeded();
      const { x, y, width } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0 };
      await page.mouse.move(x + width * 0.2, y + 80);
      expect(await page.locator('.budget output').allTextContents()).toEqual(
        Array.from({ length: 2 }, () => expect.stringMatching(/^\d+\.\d{3} s: (accepted|refused).*\d+ left$/)),
      );
      await page.mouse.down();
      await page.mouse.move(x + width * 0.4, y + 80);
      await page.mouse.up();
      const zoomed = await boxes();
      expect(new Set(zoomed.map((each) => each?.split(' ').slice(0, 1).join())).size).toBe(1);
      expect(zoomed).not.toEqual(before);
      await page.getByRole('button', { name: 'Whole run' }).click();
      expect(await boxes()).toEqual(before);
    });
  });

  thorough('every link within the page leads somewhere', async () => {
    for (const name of Object.keys(RUNS)) {
      await open(name, { width: 1280, colorScheme: 'light' }, async (page) => {
        const broken = await page.evaluate<string[]>(
          `[...document.querySelectorAll('a')].map((a) => a.getAttribute('href')).filter((href) => !document.getElementById(href.slice(1)))`,
        );
        expect(broken).toEqual([]);
      });
    }
  });

  test('by keyboard the first stop skips to the content', async () => {
    await open('failing', { width: 1280, colorScheme: 'light' }, async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the requirements');
    });
  });

  thorough('on paper everything is open and nothing is cut off', async () => {
    await open('failing', { width: 794, colorScheme: 'light' }, async (page) => {
      await page.emulateMedia({ media: 'print' });
      const hidden = await page
        .locator('details pre')
        .evaluateAll((all) => all.filter((each) => !each.checkVisibility()).length);
      expect(hidden).toBe(0);
    });
  });
});

test('a budget says which of its requests are in none of its windows', () => {
  const report = sampleReport();
  const budgets = report.budgets.map((each) => ({
    ...each,
    accepted: each.accepted + 58,
    requests: each.requests + 59,
  }));
  const html = htmlReport({ ...report, budgets });
  expect(html).toContain('58 accepted and 0 refused requests of this budget are in no window');
  expect(html).toContain('1 with another answer (such as 400) or without one of');
  expect(html).toContain('1 request with another answer or none is in no column');
  expect(htmlReport(report)).not.toContain('are in no window');
});
