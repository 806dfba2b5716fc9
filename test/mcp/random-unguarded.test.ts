import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAdministrators } from '../../schema/base/users/administrators.ts';
import { defineAgentRestrictions, hasNewPowers } from '../../src/engine/access/agents.ts';
import { type App, startApp } from '../harness/app.ts';
import { switchMcp } from '../harness/facades/mcp.ts';
import { createScene, type Scene } from '../rights/scene.ts';
import { hashClosedTables, playCalls } from './random-calls.ts';

// Proves that the tests of random-calls.test.ts can fail.

let app: App;
let scene: Scene;

// Each test needs its own app, because the calls may change its administrators.
beforeEach(async () => {
  app = await startApp();
  await switchMcp(app, app.main, true);
  scene = createScene(app);
  const powers = async () => ({ users: [], active: [], groups: [] });
  defineAgentRestrictions({ closedModels: new Set(), powers });
});
afterEach(() => app?.close());

test.for([1, 2])(
  "a user manager's agent changes protected tables if the guard is disabled (seed %d)",
  async (seed) => {
    const groups = ['base.group_erp_manager', 'base.group_partner_manager'].map(scene.groupId);
    const manager = await scene.addPerson(`manager ${seed}`, await Promise.all(groups));
    const before = await hashClosedTables(app);
    const isChanged = async () => !isDeepStrictEqual(await hashClosedTables(app), before);
    await playCalls(app, scene, { key: manager.key, seed }, isChanged);
    expect(await hashClosedTables(app)).not.toEqual(before);
  },
);

test.for([3, 4])(
  "an administrator's agent grants the Administrator role if the guard is disabled (seed %d)",
  async (seed) => {
    await scene.addPerson(`third ${seed}`);
    await scene.addPerson(`asleep ${seed}`, [await scene.groupId('base.group_system')], { active: false });
    const before = await loadAdministrators(app.main.ctx);
    let hasGrown = false;
    await playCalls(app, scene, { key: app.main.admin.key, seed }, async () => {
      hasGrown = hasNewPowers(before, await loadAdministrators(app.main.ctx));
      return hasGrown;
    });
    expect(hasGrown).toBe(true);
  },
);
