import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { chromium } from '../doc/browser.ts';
import type { App } from '../harness/app.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose answer depends on colours. The dark differs from the light in nothing else. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Somebody at a browser, and what went wrong in it: errors of scripts and of the policy, and foreign requests. */
export interface Visitor {
  page: Page;
  complaints: string[];
  close(): Promise<void>;
}

/** Builds the application if its source has changed since it was built. */
export const buildApplication = (): void => {
  execFileSync(process.execPath, ['scripts/setup.mjs', '--no-install']);
};

/** Starts the system's browser, for the application as its source is. */
export function startBrowser(): Promise<Browser> {
  buildApplication();
  return driver.launch({
    executablePath: chromium.found,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

/** A person with a browser profile of its own, who has not signed in. */
export async function stranger(
  browser: Browser,
  app: App,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const watch = (page: Page) => {
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!/^(?:data|blob|about):/.test(request.url()) && !request.url().startsWith(`${app.url}/`))
        complaints.push(`a request to ${request.url()}`);
    });
  };
  context.on('page', watch);
  return { page: await context.newPage(), complaints, close: () => context.close() };
}

/** A person who has signed in and stands on an address. */
export async function visitor(
  browser: Browser,
  app: App,
  path: string,
  { workspace = 'main', login = 'admin', password = app.main.admin.password, ...options }: SignedIn = {},
): Promise<Visitor> {
  const person = await stranger(browser, app, options);
  await person.page.goto(`/login?next=${encodeURIComponent(path)}`);
  await person.page.fill('#workspace', workspace);
  await person.page.fill('#login', login);
  await person.page.fill('#password', password);
  await person.page.click('form button');
  await person.page.waitForSelector('.shell h1');
  return person;
}

/** Who is in here when a test ends leaves, and nothing may have gone wrong with them. */
export function visitors(): Visitor[] {
  const people: Visitor[] = [];
  afterEach(async () => {
    for (const person of people.splice(0)) {
      expect(person.complaints).toEqual([]);
      await person.close();
    }
  });
  return people;
}

interface SignedIn extends BrowserContextOptions {
  workspace?: string;
  login?: string;
  password?: string;
}

/** Looks: on a desk and on a phone, in the light and in the dark. */
const LOOKS = [
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
  [320, 'light'],
] as const;

/** axe finds no fault at any width and in any colours, nothing is cut off, and the dark is dark. */
export async function expectFaultless({ page }: Visitor, what: string): Promise<void> {
  await page.locator('button[aria-busy]').first().waitFor({ state: 'detached' });
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(`${AXE}; 0`);
  for (const [width, colorScheme] of LOOKS) {
    const where = `${what} at ${width}, ${colorScheme}`;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'dark' ? { runOnly: OF_COLOURS } : {};
    const options = { resultTypes: ['violations'], preload: { assets: ['media'] }, ...rules };
    const faults = await page.evaluate(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
    );
    expect(faults, where).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(width);
    const [r, g, b] = (await page.evaluate(
      'getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)',
    )) as number[];
    expect(r! + g! + b! < 384, where).toBe(colorScheme === 'dark');
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}
