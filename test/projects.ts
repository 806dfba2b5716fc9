import { globSync } from 'node:fs';
import { parseImports } from './harness/imports.ts';

// Assigns test files to the projects of vitest.config.ts.

/** `npm test` runs all files except SLOW and SOAK, without tests tagged `slow` or `soak`. */
export const TESTS = ['test/**/*.test.ts', 'web/src/**/*.test.ts'];

/**
 * Files that need a separate process, because they declare models, operations or jobs, mock modules, or depend on the
 * load order of modules.
 */
export const ISOLATED = [
  'test/attacks/smtp-unauthenticated.test.ts',
  'test/email/{attachment-paths,domain-turns,text-conversion,webhook-addresses}.test.ts',
  'test/email/webhook-turns.test.ts',
  'test/engine/{access,background,domain,model,read,write}.test.ts',
  'test/engine/domain-{dates,fields,fuzz,random,tree}.test.ts',
  'test/graphql/{descriptions,lint,sdl}.test.ts',
  'test/json2/{idempotency,stream}.test.ts',
  'test/mailbox/hostile-mail.test.ts',
  'test/mcp/random-unguarded.test.ts',
  'test/records/html-turns.test.ts',
  'test/rpc/dataset.test.ts',
  'test/words.test.ts',
];

/**
 * Tests that use a browser, start processes, or compile for minutes. CI runs them on every pull request, together with
 * tests tagged `slow`, which need seconds or many megabytes each.
 */
export const SLOW = [
  'test/{backup,bundle,cli-commands,cli-completion,cli-doctor,deploy,embedded,monitoring}.test.ts',
  'test/{newer-database,setup,start,tracing,upgrade,upgrade-release}.test.ts',
  'test/archive/kill.test.ts',
  'test/email/workers.test.ts',
  'test/docs/{mailbox-guide,readme}.test.ts',
  'test/graphql/{clients/codegen,graphiql}.test.ts',
  'test/live/processes.test.ts',
  'test/mcp/{disconnects,foreign-records}.test.ts',
  'test/web/pages-in-browser.test.ts',
  'test/web-app/!(composer|facade|email|form-actions|mailbox|operations|records|shell|source).test.ts',
  'test/web-app/{mailbox,records}-*.test.ts',
  'test/website/browser.test.ts',
];

/**
 * Random attacks, large data, kills, rolling upgrades, clusters, and documentation examples that run processes for
 * minutes. They run nightly and before a release, together with tests tagged `soak`.
 */
export const SOAK = [
  'test/attacks/random.test.ts',
  'test/citus/{distribute,facades,node-down,traffic}.test.ts',
  'test/email/{fairness,kill}.test.ts',
  'test/engine/small-workspace-plans.test.ts',
  'test/{dev,examples,faults,pooler,recipes,rolling}.test.ts',
  'test/mailbox/{call-kill,kill,recount,rows-read,send-later-kill}.test.ts',
  'test/rest/contacts-large.test.ts',
];

/** Measurements of parsers with large inputs. They need no database, but would double the time of the unit tests. */
const MEASUREMENTS = [
  'test/attacks/{regular-expressions,sending-parsers,smtp-headers}.test.ts',
  'test/message/{html-text,parse/scaling}.test.ts',
];

/** Modules that a unit test must not import: PostgreSQL, the browser, other processes and the whole product. */
const HEAVY_IMPORTS =
  /^(?:test\/harness\/(?:database|process)\.ts|test\/doc\/browser\.ts|test\/standins\/.*|schema\/index\.ts|node:child_process|playwright-core)$/;

/** Returns the tests of pure functions, whose imports include none of the modules above. */
export function findUnitTests(): string[] {
  const others = new Set(
    [...ISOLATED, ...SLOW, ...SOAK, ...MEASUREMENTS].flatMap((pattern) => globSync(pattern)),
  );
  return TESTS.flatMap((pattern) => globSync(pattern)).filter(
    (file) => !others.has(file) && !needsMore(file, new Set()),
  );
}

function needsMore(file: string, visitedFiles: Set<string>): boolean {
  if (visitedFiles.has(file)) return false;
  visitedFiles.add(file);
  return parseImports(file)
    .filter(({ isType }) => !isType)
    .some(({ to }) => HEAVY_IMPORTS.test(to) || (to.startsWith('test/') && needsMore(to, visitedFiles)));
}
