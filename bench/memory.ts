import { runClient } from './lib/process.ts';
import { openStage, readMemory } from './lib/stage.ts';

// `node bench/memory.ts` loads every facade for MINUTES (10) and prints the process's resident memory once a minute.

const MINUTES = Number(process.env.MINUTES ?? 10);
const stage = await openStage({ ROLE: 'all' });
const buildJson = (path: string, key: string, body: object, uniqueHeader?: string) => ({
  port: stage.app.port,
  path,
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify(body),
  connections: 4,
  uniqueHeader,
});
const loads = [
  buildJson('/json/2/res.partner/search_read', stage.userKey, {
    domain: [['is_company', '=', false]],
    limit: 80,
  }),
  buildJson('/graphql', stage.userKey, {
    query: '{ partners(first: 80) { nodes { id name email parent { name } } } }',
  }),
  buildJson(
    '/api/v1/emails',
    stage.teamKey,
    { from: 'a@main.localhost', to: 'b@example.org', subject: 'x', text: 'y' },
    'Idempotency-Key',
  ),
  buildJson('/json/2/res.partner/create', stage.userKey, { vals_list: [{ name: 'One more' }] }),
];
try {
  process.stdout.write(`first start, which creates the database: ${readMemory(stage)} MB\n`);
  await stage.restart();
  process.stdout.write(`second start: ${readMemory(stage)} MB\n`);
  for (let minute = 1; minute <= MINUTES; minute++) {
    const results = await Promise.all(
      loads.map((load) => runClient({ ...load, ms: Number(process.env.MS ?? 58_000) })),
    );
    process.stdout.write(
      `minute ${minute}: ${readMemory(stage)} MB, ${results.map((result) => result.perSecond).join(' + ')} requests/s\n`,
    );
  }
} finally {
  await stage.close();
}
