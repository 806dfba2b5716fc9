import { type Database, openDatabase } from '../../src/db/pool.ts';
import { type Ctx, createCtx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { createWorkspacePrincipal, type Principal } from '../../src/engine/model/principal.ts';
import { buildRegistry } from '../../src/engine/model/registry.ts';
import { search } from '../../src/engine/read/records.ts';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { createDatabase } from '../harness/database.ts';
import { buildInitialCatalog } from './initial-catalog.ts';
import { defineLab, LAB_SQL, labDatamodel } from './lab-schema.ts';

export interface Lab {
  db: Database;
  /** A normal user of the lab. */
  ctx: Ctx;
  as(principal: Partial<Principal>): Ctx;
  /** Returns the codes of the matching records, such as `ABF`. */
  find(domain: unknown, ctx?: Ctx): Promise<string>;
  close(): Promise<void>;
}

const USER: Principal = {
  ...createWorkspacePrincipal('lab', 'Lab user'),
  kind: 'user',
  userId: 1,
  groups: new Set(['lab.user']),
};

/** Opens the record engine on a separate database with six records A to F, without the built-in models. */
export async function openLab(): Promise<Lab> {
  const database = await createDatabase();
  const log = createLog('fatal', 2);
  const db = openDatabase(database.url, log, { size: 4 });
  defineLab();
  const registry = buildRegistry(labDatamodel);
  const config = { publicUrl: 'http://lab.example' };
  const runtime = { config, db, log, registry } as unknown as Runtime;
  await db.pool.query(LAB_SQL);
  for (const workspace of [1, 2]) await db.pool.query(buildRowsSql(workspace));
  const workspace = {
    id: 1,
    slug: 'lab',
    name: 'Lab',
    features: new Set<string>(),
    catalog: buildInitialCatalog(registry),
  };
  const as = (principal: Partial<Principal>): Ctx =>
    createCtx(runtime, {
      workspace,
      principal: { ...USER, ...principal },
      channel: 'json',
      requestId: 'test',
    });
  const ctx = as({});
  return {
    db,
    ctx,
    as,
    find: async (domain, by = ctx) =>
      (await search(by, 'lab', domain, { order: 'id' })).map((id) => String.fromCharCode(64 + id)).join(''),
    close: async () => {
      await db.close();
      await database.drop();
    },
  };
}

/**
 * Records A to F have values of all kinds and unset values, and F also has empty values. Both workspaces contain the
 * same records, so a statement without a workspace condition finds everything twice.
 */
const buildRowsSql = (w: number): string => `
  insert into lab_currency values (${w}, 1, 'EUR');
  insert into lab_country values (${w}, 20, 'Belgium', 'BE', 1), (${w}, 75, 'France', 'FR', 1);
  insert into lab_state values (${w}, 1, 'Antwerp', 20), (${w}, 2, 'Normandy', 75);
  insert into lab_tag values (${w}, 8, 'ZZ one', true), (${w}, 9, 'ZZ two', true), (${w}, 10, 'ZZ three', true), (${w}, 11, 'ZZ old', false);
  insert into lab (workspace_id, id, name, code, text, html, int, float, mon, bool, date, dt, sel, labels, country_id, parent_id, boss_note, hush) values
    (${w}, 1, 'Alpha', 'A', 'some text', '<p>Hello <b>World</b></p>', 0, 0, 12.35, true, '2026-01-31', '2026-01-31 23:30:00.25', 'a', '{red,green}', 20, null, 'good', 'psst'),
    (${w}, 2, 'alpha beta', 'a', null, null, 5, 1.1, 5, false, '2026-02-01', '2026-02-01 00:00:00', 'b', '{green}', 75, 1, null, null),
    (${w}, 3, 'ÀLPHA', '', null, null, -3, -2.5, 0, true, '2025-12-31', '2025-12-31 22:59:59', 'c', '{}', 20, 1, null, null),
    (${w}, 4, '100%_x\\y', null, null, null, 100, 1e10, 0, false, null, null, null, null, null, 2, null, null),
    (${w}, 5, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
    (${w}, 6, '', null, '', null, 0, 0, 0, false, null, null, null, null, null, null, null, null);
  insert into lab_tag_rel values (${w}, 1, 8), (${w}, 1, 9), (${w}, 2, 9), (${w}, 3, 10);
  insert into lab_line (workspace_id, id, name, qty, active, lab_id) values
    (${w}, 1, 'l1', 1, true, 1), (${w}, 2, 'l2', 2, true, 1), (${w}, 3, 'l3', 3, true, 2), (${w}, 4, null, 0, true, null);
  insert into workspace_counter values (${w}, 'lab', 101), (${w}, 'lab_line', 101), (${w}, 'lab_tag', 101);
`;

/** Returns the kind of the error, or the text of an unexpected one. */
export const getErrorKind = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error) => (error instanceof AppError ? error.kind : String(error)),
  );
