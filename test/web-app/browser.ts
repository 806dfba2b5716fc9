import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { chromium } from '../doc/browser.ts';
import type { App } from '../harness/app.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Visitor {
  page: Page;
  complaints: string[];
  close(): Promise<void>;
}

export const buildApplication = (): void => {
  execFileSync(process.execPath, ['scripts/setup.mjs', '--no-install']);
};

let launchedBrowser: Promise<Browser> | undefined;

/** Returns the browser shared by all test files of this process. */
export function startBrowser(): Promise<Browser> {
  launchedBrowser ??= launch();
  return launchedBrowser;
}

function launch(): Promise<Browser> {
  buildApplication();
  return driver.launch({
    executablePath: chromium.module,
    // Sharing one renderer process avoids compiling the application for each page.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--in-process-gpu',
      '--renderer-process-limit=1',
    ],
  });
}

export async function openAnonymous(
  browser: Browser,
  app: App,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await openContext(browser, app, options);
  const complaints: string[] = [];
  context.on('page', (page) => watchPage(page, app, complaints));
  return { page: await context.newPage(), complaints, close: () => context.close() };
}

async function openContext(browser: Browser, app: App, options: BrowserContextOptions) {
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(60_000);
  return context;
}

function watchPage(page: Page, app: App, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(?:data|blob|about):/.test(request.url()) && !request.url().startsWith(`${app.url}/`))
      complaints.push(`a request to ${request.url()}`);
  });
}

/** Keeps a page of each closed visitor, by server, user and options, so that its renderer process stays alive. */
const idlePages = new Map<string, Page>();

export async function openSignedIn(
  browser: Browser,
  app: App,
  path: string,
  { workspace = 'main', login = 'admin', password = app.main.admin.password, ...options }: SignInOptions = {},
): Promise<Visitor> {
  const key = JSON.stringify([app.url, workspace, login, options]);
  const previousPage = idlePages.get(key);
  idlePages.delete(key);
  const context = previousPage?.context() ?? (await openContext(browser, app, options));
  const complaints: string[] = [];
  const onPage = (page: Page) => watchPage(page, app, complaints);
  context.on('page', onPage);
  const page = await context.newPage();
  await previousPage?.evaluate('localStorage.clear()');
  await previousPage?.close();
  if (!previousPage) await signIn(page, app, { workspace, login, password });
  await page.goto(path);
  if (new URL(page.url()).pathname === '/login') {
    await signIn(page, app, { workspace, login, password });
    await page.goto(path);
  }
  await page.waitForSelector('.shell h1');
  const close = async () => {
    context.off('page', onPage);
    if (page.isClosed() || idlePages.has(key)) return context.close();
    for (const otherPage of context.pages()) if (otherPage !== page) await otherPage.close();
    idlePages.set(key, page);
  };
  return { page, complaints, close };
}

/** Posts the sign-in form. Only `shell.test.ts` loads the page. */
async function signIn(page: Page, app: App, form: Record<string, string>): Promise<void> {
  const response = await page.request.post('/login', {
    form: { ...form, next: '/app' },
    headers: { origin: app.url },
    maxRedirects: 0,
  });
  expect(response.status(), await response.text()).toBe(303);
}

/** Returns a function that opens a page for a signed-in user of the main workspace. Each test closes its pages. */
export function trackPages(app: App, person: 'admin' | 'user' = 'admin', defaults: SignInOptions = {}) {
  const visitors = trackVisitors();
  beforeAll(async () => {
    await startBrowser();
  });
  return async (path: string, options: SignInOptions = {}): Promise<Visitor> => {
    const { login, password } = app.main[person];
    const signIn = { login, password, ...defaults, ...options };
    const visitor = await openSignedIn(await startBrowser(), app, path, signIn);
    visitors.push(visitor);
    return visitor;
  };
}

export function trackVisitors(): Visitor[] {
  const visitors: Visitor[] = [];
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) {
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    }
  });
  return visitors;
}

interface SignInOptions extends BrowserContextOptions {
  workspace?: string;
  login?: string;
  password?: string;
}

/** Checks each width for overflow and each color scheme for contrast, but not all pairs, because axe takes a second. */
const VIEWPORTS = [
  { width: 1280, colorScheme: 'light', hasAxe: true },
  { width: 390, colorScheme: 'dark', hasAxe: true },
  { width: 320, colorScheme: 'light', hasAxe: false },
] as const;

/**
 * Verifies that the page has no accessibility violations, no horizontal overflow, and a dark background in dark mode.
 */
export async function expectFaultless({ page }: Visitor, label: string): Promise<void> {
  await page.locator('button[aria-busy]').first().waitFor({ state: 'detached' });
  for (const { width, colorScheme, hasAxe } of VIEWPORTS) {
    const where = `${label} at ${width}, ${colorScheme}`;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    if (hasAxe) expect(await findViolations(page), where).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(width);
    const [r, g, b] = (await page.evaluate(
      'getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)',
    )) as number[];
    expect(r! + g! + b! < 384, where).toBe(colorScheme === 'dark');
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

export async function findViolations(page: Page): Promise<unknown> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(`${AXE}; 0`);
  const options = { resultTypes: ['violations'], preload: { assets: ['media'] } };
  return page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
}
