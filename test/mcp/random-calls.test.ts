import { beforeAll, expect, test } from 'vitest';
import { loadAdministrators } from '../../schema/base/users/administrators.ts';
import { sql } from '../../src/db/sql.ts';
import { hasNewPowers } from '../../src/engine/access/agents.ts';
import { setUpApp } from '../harness/app.ts';
import { switchMcp } from '../harness/facades/mcp.ts';
import { createScene } from '../rights/scene.ts';
import { hashClosedTables, playCalls } from './random-calls.ts';

// random-unguarded.test.ts proves that these calls would change protected tables without the guard.

const app = setUpApp();
const scene = createScene(app);

beforeAll(() => switchMcp(app, app.main, true));

const loadKeyHashes = async (): Promise<string[]> =>
  (
    await app.runtime.db.rows<{ hash: string }>(
      sql`select hash from svc_api_key where workspace_id = ${app.main.ctx.workspace.id} order by 1`,
    )
  ).map(({ hash }) => hash);

test.for([1, 2])(
  'an agent of a user and contact manager never changes protected tables by random calls (seed %d)',
  async (seed) => {
    const groups = ['base.group_erp_manager', 'base.group_partner_manager'].map(scene.groupId);
    const manager = await scene.addPerson(`manager ${seed}`, await Promise.all(groups));
    await scene.addPerson(`other ${seed}`);
    const before = await hashClosedTables(app);
    const keys = await loadKeyHashes();
    const doneCount = await playCalls(app, scene, { key: manager.key, seed });
    expect(await hashClosedTables(app)).toEqual(before);
    // Deleting a user also deletes the user's keys.
    expect(keys).toEqual(expect.arrayContaining(await loadKeyHashes()));
    expect(doneCount).toBeGreaterThan(2);
  },
);

test.for([3, 4])(
  "an administrator's agent never grants the Administrator role by random calls (seed %d)",
  async (seed) => {
    await scene.addPerson(`third ${seed}`);
    await scene.addPerson(`asleep ${seed}`, [await scene.groupId('base.group_system')], { active: false });
    const before = await loadAdministrators(app.main.ctx);
    const closed = await hashClosedTables(app);
    const doneCount = await playCalls(app, scene, { key: app.main.admin.key, seed }, async () => {
      expect(hasNewPowers(before, await loadAdministrators(app.main.ctx))).toBe(false);
      return false;
    });
    expect(await hashClosedTables(app)).toEqual(closed);
    expect(doneCount).toBeGreaterThan(2);
  },
);
