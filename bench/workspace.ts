import pg from 'pg';
import { openStage, readMemory } from './lib/stage.ts';

// `node bench/workspace.ts` measures the milliseconds and bytes of a new workspace, and the memory that a process uses
// for each of COUNT (2,000) cached workspaces.

const COUNT = Number(process.env.COUNT ?? 2_000);
const stage = await openStage();
const client = new pg.Client({ connectionString: stage.databaseUrl });
await client.connect();

const queryRow = async <T>(text: string, values: unknown[] = []): Promise<T> =>
  (await client.query(text, values)).rows[0];

const measureBytes = async (): Promise<number> =>
  Number(
    (
      await queryRow<{ bytes: string }>(
        `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_attribute a
         on a.attrelid = c.oid and a.attname = 'workspace_id'
         where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
      )
    ).bytes,
  );

/** Copies the first workspace's rows, including their ids, as if each copy had just been created. */
async function copyWorkspace(count: number): Promise<void> {
  const { rows: tables } = await client.query(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ') filter (where a.attname <> 'workspace_id') as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id')
       and c.relname not like 'svc%' and c.relname not like 'domain%' and c.relname <> 'crm_lead'
     group by c.relname`,
  );
  await client.query(`set session_replication_role = replica`);
  await client.query(
    `insert into workspace (slug, name, equipped) select 'copy' || g, 'Copy', (select equipped from workspace where id = 1)
     from generate_series(1, $1::int) g`,
    [count],
  );
  const partners = `and t.id in (select partner_id from res_users where workspace_id = 1
    union select partner_id from res_company where workspace_id = 1)`;
  for (const { name, columns } of tables)
    await client.query(
      `insert into "${name}" (workspace_id, ${columns}) select w.id, ${columns.replaceAll(/(\w+|"\w+")/g, 't.$1')}
       from "${name}" t cross join workspace w
       where t.workspace_id = 1 and w.slug like 'copy%' ${name === 'res_partner' ? partners : ''}`,
    );
  await client.query(
    `insert into svc_api_key (workspace_id, id, name, user_id, prefix, hash, scopes)
     select w.id, k.id, k.name, k.user_id, k.prefix, k.hash, k.scopes
     from svc_api_key k cross join workspace w where k.workspace_id = 1 and w.slug like 'copy%'`,
  );
  await client.query('vacuum analyze');
}

/**
 * Calls a workspace by legacy RPC, which names it in the arguments, so the first workspace's keys work for all copies.
 */
async function callRpc(slug: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${stage.app.port}/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      method: 'call',
      params: { service: 'common', method: 'login', args: [slug, 'admin', stage.userKey] },
    }),
  });
  if (!(await response.text()).includes('result')) throw new Error(`${slug} does not respond`);
}

try {
  const before = await measureBytes();
  const { measureCreation } = await import('./lib/created.ts');
  const workspaces = await measureCreation(stage, 20);
  const grown = (await measureBytes()) - before;
  process.stdout.write(
    `a new workspace: ${workspaces} ms, ${Math.round(grown / 20 / 1000)} kB (at most 100 ms, 120 kB)\n`,
  );
  await copyWorkspace(COUNT);
  const start = readMemory(stage);
  for (let start = 1; start <= COUNT; start += 10)
    await Promise.all(Array.from({ length: 10 }, (_, i) => callRpc(`copy${start + i}`)));
  const end = readMemory(stage);
  process.stdout.write(
    `${COUNT} workspaces: ${start} MB, then ${end} MB = ${Math.round(((end - start) * 1000) / COUNT)} kB each (at most 50)\n`,
  );
} finally {
  await client.end();
  await stage.close();
}
