import { globSync } from 'node:fs';
import { parseImports } from './harness/imports.ts';

// Which test file belongs to which project of vitest.config.ts.

/** `npm test` runs all of them but SLOW, SOAK, and single tests with the tag `slow` or `soak`. */
export const TESTS = ['test/**/*.test.ts', 'web/src/**/*.test.ts'];

/**
 * Files that need a process of their own, because they declare models, operations or jobs, mock modules, or depend on
 * the order in which modules load.
 */
export const ISOLATED = [
  'test/attacks/smtp-strangers.test.ts',
  'test/delivery/{attachment-paths,domain-turns,webhook-addresses}.test.ts',
  'test/delivery/webhook-turns.test.ts',
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
 * The product in a browser and as processes, and programs that take minutes to compile. CI runs them on every pull
 * request, as it does single tests with the tag `slow`, which need seconds or many megabytes each.
 */
export const SLOW = [
  'test/{backup,cli-commands,cli-completion,cli-doctor,deploy,embedded,monitoring}.test.ts',
  'test/{newer-database,setup,start,tracing,upgrade,upgrade-release}.test.ts',
  'test/archive/kill.test.ts',
  'test/delivery/workers.test.ts',
  'test/docs/{mailbox-guide,readme}.test.ts',
  'test/graphql/{clients/codegen,graphiql}.test.ts',
  'test/live/processes.test.ts',
  'test/web/look.test.ts',
  'test/web-app/!(composer|door|email|mail|operations|records|shell|source).test.ts',
  'test/web-app/{mail,records}-*.test.ts',
  'test/website/browser.test.ts',
];

/**
 * Random attacks, large data, kills, rolling upgrades, clusters, and programs of the documentation that start processes
 * for minutes. They run nightly and before a release, as do single tests with the tag `soak`.
 */
export const SOAK = [
  'test/attacks/random.test.ts',
  'test/citus/{distribute,doors}.test.ts',
  'test/delivery/{fair,kill}.test.ts',
  'test/engine/small-beside-large.test.ts',
  'test/{dev,examples,faults,pooler,recipes,rolling}.test.ts',
  'test/mailbox/{call-kill,kill,recount,rows-read,send-later-kill}.test.ts',
  'test/rest/contacts-large.test.ts',
];

/** What a unit test does without: PostgreSQL, a browser, other processes, and the whole product. */
const HEAVY_IMPORTS =
  /^(?:test\/harness\/(?:database|process)\.ts|test\/doc\/browser\.ts|test\/standins\/.*|schema\/index\.ts|node:child_process|playwright-core)$/;

/** Tests of pure functions: nothing that they or their helpers import needs more. */
export function findUnitTests(): string[] {
  const others = new Set([...ISOLATED, ...SLOW, ...SOAK].flatMap((pattern) => globSync(pattern)));
  return TESTS.flatMap((pattern) => globSync(pattern)).filter(
    (file) => !others.has(file) && !needsMore(file, new Set()),
  );
}

function needsMore(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return parseImports(file)
    .filter(({ isType }) => !isType)
    .some(({ to }) => HEAVY_IMPORTS.test(to) || (to.startsWith('test/') && needsMore(to, seen)));
}
