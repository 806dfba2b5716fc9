import { readFileSync } from 'node:fs';
import { loadFrom } from './lib/process.ts';
import { openStage } from './lib/stage.ts';

// node bench/memory.ts   Every door under load for MINUTES (10); the resident memory of the process once a minute.

const MINUTES = Number(process.env.MINUTES ?? 10);
const stage = await openStage({ ROLE: 'all' });
const json = (path: string, key: string, body: object, fresh?: string) => ({
  port: stage.app.port,
  path,
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify(body),
  connections: 4,
  fresh,
});
const loads = [
  json('/json/2/res.partner/search_read', stage.userKey, { domain: [['is_company', '=', false]], limit: 80 }),
  json('/graphql', stage.userKey, { query: '{ partners(limit: 80) { id name email parent { name } } }' }),
  json(
    '/api/v1/emails',
    stage.teamKey,
    { from: 'a@main.localhost', to: 'b@example.org', subject: 'x', text: 'y' },
    'Idempotency-Key',
  ),
  json('/json/2/res.partner/create', stage.userKey, { vals_list: [{ name: 'One more' }] }),
];
const rss = () =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stage.app.process.child.pid}/status`, 'utf8'))![1]) /
      1024,
  );
try {
  process.stdout.write(`start ${rss()} MB\n`);
  for (let minute = 1; minute <= MINUTES; minute++) {
    const results = await Promise.all(loads.map((load) => loadFrom({ ...load, ms: 58_000 })));
    process.stdout.write(
      `minute ${minute}: ${rss()} MB, ${results.reduce((sum, r) => sum + r.perSecond, 0)} requests/s\n`,
    );
  }
} finally {
  await stage.close();
}
