import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../../harness/app.ts';
import { switchMcp } from '../../harness/facades/mcp.ts';
import { serveMcp } from '../../harness/facades/mcp-server.ts';
import { fixtures } from './fixtures.ts';
import { runSuite, startKeyProxy } from './suite.ts';

const app = setUpApp();
const opened: { close(): Promise<void> }[] = [];

beforeAll(() => switchMcp(app, app.main, true));
afterAll(async () => {
  for (const item of opened.reverse()) await item.close();
});

async function openProxy(url: string): Promise<string> {
  const proxy = await startKeyProxy(url, app.main.user.key);
  opened.push(proxy);
  return proxy.url;
}

async function startFixtureServer(): Promise<string> {
  const served = await serveMcp(app, fixtures);
  opened.push(served);
  return openProxy(served.url);
}

const TIME = 300_000;

const parseSummary = (text: string): Map<string, boolean> =>
  new Map(
    [...text.slice(text.indexOf('=== SUMMARY')).matchAll(/^([✓✗]) ([\w-]+): \d+ passed/gm)].map(
      ([, mark, name]) => [name!, mark === '✓'],
    ),
  );

/** Returns the scenarios that the suite does not score: extensions, and scenarios newer than the protocol revision. */
const parseUnscored = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^ +[✓✗] ([\w-]+) \((?:extension|pending|added-after-release)\)/gm)].map(
      ([, name]) => name!,
    ),
  );

test(
  'passes all 37 server scenarios required by revision 2026-07-28',
  async () => {
    const { code, text } = await runSuite(await startFixtureServer(), '--requirements', '2026-07-28');
    const unscored = parseUnscored(text);
    const required = [...parseSummary(text)].filter(([name]) => !unscored.has(name));
    expect([code, required.filter(([, isPassed]) => !isPassed)]).toEqual([0, []]);
    expect(required).toHaveLength(37);
  },
  TIME,
);

test(
  'fails only the expected scenarios of revision 2025-06-18',
  async () => {
    const options = ['--suite', 'all', '--spec-version', '2025-06-18'];
    const expected = ['--expected-failures', 'test/mcp/conformance/expected-failures.yml'];
    const { code, text } = await runSuite(await startFixtureServer(), ...options, ...expected);
    expect([code, text.slice(-3_000)]).toEqual([0, expect.stringContaining('SUMMARY')]);
    expect(parseSummary(text).size).toBeGreaterThan(20);
  },
  TIME,
);

const ON_THE_PRODUCT: [string, string][] = [
  ['tools-list', '2026-07-28'],
  ['resources-list', '2026-07-28'],
  ['prompts-list', '2026-07-28'],
  ['caching', '2026-07-28'],
  ['sep-2164-resource-not-found', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
  ['dns-rebinding-protection', '2026-07-28'],
  ['server-sse-multiple-streams', '2026-07-28'],
  ['server-initialize', '2025-06-18'],
  ['ping', '2025-06-18'],
];

test.each(ON_THE_PRODUCT)(
  'passes the scenario %s of revision %s with the product',
  async (scenario, revision) => {
    const url = await openProxy(app.url);
    const { code, text } = await runSuite(url, '--scenario', scenario, '--spec-version', revision);
    expect([code, text.slice(-3_000)]).toEqual([0, expect.stringMatching(/[1-9]\d*\/\d+|passed/i)]);
    expect(text).not.toMatch(/✗|FAILURE/);
  },
  TIME,
);
