/**
 * Test files that change the process they run in (they declare models, verbs or jobs of their own, or mock modules), or
 * look at the order in which modules were loaded.
 */
export const ALONE = [
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

/** Test files that start or kill processes, wait for real seconds, or need as much data as it takes. */
export const SLOW = [
  'test/attacks/random.test.ts',
  'test/citus/{distribute,doors}.test.ts',
  'test/{backup,cli,cli-commands,cli-doctor,dev,embedded,examples,faults,migrate,pooler,recipes,rolling,start}.test.ts',
  'test/{newer-database,upgrade,upgrade-release}.test.ts',
  'test/concurrency/{sale-lines,whole-or-nothing}.test.ts',
  'test/delivery/{fair,kill,outage,rate-limit,submission,webhook-failures}.test.ts',
  'test/doc/page.test.ts',
  'test/engine/small-beside-large.test.ts',
  'test/mailbox/{change-job,import-job,recount,rows-read,send-later-kill}.test.ts',
  'test/docs/readme.test.ts',
  'test/rest/contacts-large.test.ts',
];
