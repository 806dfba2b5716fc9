import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDistributionFaults } from '../../src/db/citus/distribution-faults.ts';
import { loadPlacements } from '../../src/db/citus/placement.ts';
import { createDatabase, type OwnDatabase } from '../harness/database.ts';

// Requirements that a cluster places on the normal schema. test/citus/facades.test.ts runs on a real cluster.

let database: OwnDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Returns the violations that a schema change causes. The change is rolled back. */
async function findUnfit(change: string): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query(change);
    return await findDistributionFaults(client);
  } finally {
    await client.query('rollback');
  }
}

test('places every table in a way that a cluster accepts', async () => {
  const placedTables = await loadPlacements(client);
  expect(placedTables.length).toBeGreaterThan(100);
  expect(placedTables.filter(({ placement }) => placement !== 'distributed')).toEqual([
    { table: '_prisma_migrations', placement: 'local' },
    { table: 'domain_claim', placement: 'reference' },
    { table: 'installation', placement: 'reference' },
    { table: 'ir_field_stock', placement: 'reference' },
    { table: 'ir_model_stock', placement: 'reference' },
    { table: 'svc_change', placement: 'local' },
    { table: 'svc_due', placement: 'local' },
    { table: 'svc_live', placement: 'local' },
    { table: 'svc_provider_event', placement: 'local' },
    { table: 'svc_worker', placement: 'local' },
    { table: 'workspace', placement: 'reference' },
  ]);
  expect(await findDistributionFaults(client)).toEqual([]);
});

test.each([
  [
    'create unique index near_miss on svc_email (public_id)',
    'The unique index near_miss lacks workspace_id.',
  ],
  [
    'alter table crm_lead add constraint far foreign key (workspace_id) references workspace on update cascade',
    'The foreign key far of crm_lead passes changes of keys on: ON UPDATE NO ACTION.',
  ],
  [
    'alter table svc_email add constraint far foreign key (workspace_id) references workspace on delete set null',
    'The foreign key far of svc_email would set workspace_id: ON DELETE NO ACTION.',
  ],
  [
    'alter table domain_claim add constraint far foreign key (workspace_id, workspace_id) references res_users',
    'The foreign key far of domain_claim leads from a table on every node to one that is distributed.',
  ],
])('rejects %s', async (change, text) => {
  expect(await findUnfit(change)).toEqual([text]);
});

test('rejects a table whose key lacks the workspace unless it is listed', async () => {
  await expect(findUnfit('create table stray (id int primary key, workspace_id int)')).rejects.toThrow(
    'The primary key of stray lacks workspace_id',
  );
});
