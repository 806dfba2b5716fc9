import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findRunningUrl } from '../../src/db/embedded/embedded.ts';
import { findFreePort } from '../../test/harness/process.ts';
import { type BenchProcess, run, waitUntilReady } from './process.ts';

/** The application as a user runs it, with 100,000 contacts, and the raw baseline on the same database. */
export interface Stage {
  app: { port: number; process: BenchProcess };
  baseline: { port: number };
  databaseUrl: string;
  dataDir: string;
  userKey: string;
  teamKey: string;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param env environment variables for the application; ROLE=web keeps the worker out of the measurements
 * @param raw script of the baseline process
 */
export async function openStage(
  env: Record<string, string> = { ROLE: 'web' },
  raw = 'bench/baseline/server.ts',
): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  const [appPort, rawPort] = await Promise.all([findFreePort(), findFreePort()]);
  const start = async () => {
    // Uses the flags of `npm start`.
    const app = run('--max-semi-space-size=16', ['boot/main.mjs'], {
      DATA_DIR: dataDir,
      PORT: String(appPort),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ...env,
    });
    await waitUntilReady(`http://127.0.0.1:${appPort}/api/ready`, app);
    return app;
  };
  const app = await start();
  const buildKey = (sort: string) => new RegExp(`${sort}_[0-9a-z]{10}_[0-9a-f]{32}`).exec(app.output())![0];
  const [userKey, teamKey] = [buildKey('uk'), buildKey('us')];
  const databaseUrl = (await findRunningUrl(dataDir))!;
  await fillDatabase(databaseUrl);
  const baseline = run(raw, [], {
    DATABASE_URL: databaseUrl,
    PORT: String(rawPort),
    NODE_ENV: 'production',
  });
  await waitUntilReady(`http://127.0.0.1:${rawPort}/`, baseline);
  const stage: Stage = {
    app: { port: appPort, process: app },
    baseline: { port: rawPort },
    databaseUrl,
    dataDir,
    userKey,
    teamKey,
    async restart() {
      await stage.app.process.stop();
      stage.app.process = await start();
    },
    async close() {
      await baseline.stop();
      await stage.app.process.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return stage;
}

export function readMemory(stage: Stage): number {
  const status = readFileSync(`/proc/${stage.app.process.child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
}

/** Inserts 20,000 companies and 80,000 people, half of whom have a company. */
async function fillDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Rows inserted with SQL take ids from the sequences, which start above the ids that the application has allocated.
  await client.query(`
    select setval(s.oid::regclass, 1000) from pg_class s where s.relkind = 'S' and s.relname like '%\\_id\\_seq'
      and s.relname not in ('crm_lead_id_seq', 'workspace_id_seq', 'ir_model_id_seq', 'ir_model_fields_id_seq')`);
  await client.query(`
    insert into res_partner (workspace_id, name, complete_name, is_company, email, phone, city)
    select 1, 'Company ' || g, 'Company ' || g, true, 'office' || g || '@company.example', '+47 ' || g, 'City ' || g % 100 from generate_series(1, 20000) g`);
  await client.query(`
    insert into res_partner (workspace_id, name, complete_name, parent_id, email, phone, city)
    select 1, 'Person ' || g, coalesce(c.name || ', ', '') || 'Person ' || g, c.id, 'person' || g || '@company.example', '+47 ' || g, 'City ' || g % 100
    from generate_series(1, 80000) g left join res_partner c on g % 2 = 0 and c.name = 'Company ' || (g % 20000 + 1)`);
  // With a plan for an empty table, each send would read all earlier keys until PostgreSQL analyzes the table.
  await client.query(`
    insert into svc_idempotency (workspace_id, key, body_hash, response)
    select 1, gen_random_uuid()::text, md5(g::text), '["x"]' from generate_series(1, 20000) g`);
  await client.query(advanceSequences(['res_partner', 'svc_email']));
  await client.query('vacuum analyze');
  await client.end();
}

/** Builds SQL that moves the baseline's sequences far above the application's ids. */
export const advanceSequences = (tables: string[]): string =>
  tables.map((table) => `select setval('${table}_id_seq', 1000000000);`).join('');
