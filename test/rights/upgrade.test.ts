import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { readMigrations } from '../../src/db/migrations/migration-files.ts';
import { bareDatabase } from '../harness/database.ts';

// What an installation had before models had ceilings is put right by its upgrade.

let database: pg.Pool;
let drop: () => Promise<void>;
beforeAll(async () => {
  const bare = await bareDatabase();
  drop = bare.drop;
  database = new pg.Pool({ connectionString: bare.url });
  const all = readMigrations();
  const ceilings = all.findIndex(({ name }) => name.endsWith('_ceilings'));
  expect(ceilings).toBeGreaterThan(0);
  await migrate(bare.url, undefined, all.slice(0, ceilings));
  await database.query(`
    insert into workspace (id, slug, name) values (1, 'main', 'Main'), (2, 'acme', 'Acme');
    insert into res_groups (workspace_id, id, name, external_id)
      select w, g, 'G' || g, case g when 7 then 'base.group_system' when 1 then 'base.group_user' end
      from generate_series(1, 2) w, unnest(array[1, 7]) g;
    insert into ir_model_stock (id, model, name) values
      (1, 'svc.audit.event', 'A'), (2, 'svc.domain', 'D'), (3, 'svc.contact', 'C'), (4, 'res.partner', 'P'),
      (5, 'svc.template.version', 'V');
    insert into ir_model_access (workspace_id, name, model_id, group_id, perm_read, perm_write, perm_create, perm_unlink)
    values (1, 'audit', 1, 7, true, true, true, true), (1, 'domain', 2, 1, true, false, false, false),
      (1, 'domain too', 2, null, true, true, true, true), (1, 'contact', 3, 1, true, false, false, false),
      (1, 'contact', 3, 7, true, true, true, true), (1, 'partner', 4, 1, true, true, true, true);
    insert into svc_domain (workspace_id, name, region, status) values
      (1, 'main.example', 'local', 'SUCCESS'), (2, 'stolen.example', 'local', 'SUCCESS'), (2, 'new.example', 'local', 'PENDING');
    insert into domain_claim (name, workspace_id) values ('main.example', 1)`);
  await migrate(bare.url);
});
afterAll(async () => {
  await database?.end();
  await drop?.();
});

const rows = async (text: string) => (await database.query({ text, rowMode: 'array' })).rows;

test('rights say no more than they can give', async () => {
  expect(
    await rows(`select m.model, a.group_id, concat_ws('', case when perm_create then 'c' end, case when perm_read then 'r' end,
        case when perm_write then 'w' end, case when perm_unlink then 'u' end)
      from ir_model_access a join ir_model_stock m on m.id = a.model_id where a.workspace_id = 1 order by 1, 2`),
  ).toEqual([
    ['res.partner', 1, 'crwu'],
    ['svc.audit.event', 7, 'r'],
    ['svc.contact', 7, 'crwu'],
    ['svc.domain', 7, 'r'],
    ['svc.template.version', 7, 'r'],
  ]);
});

test('a domain that is verified without its claim has to be verified again', async () => {
  expect(await rows('select name, status, claimed_name from svc_domain order by id')).toEqual([
    ['main.example', 'SUCCESS', 'main.example'],
    ['stolen.example', 'PENDING', null],
    ['new.example', 'PENDING', null],
  ]);
});
