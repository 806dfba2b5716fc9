import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecords } from '../../../src/engine/operation/record-result.ts';
import { getYesterday } from '../yesterday.ts';
import { loadModuleNames, uninstallApp } from './app-operations.ts';
import { listWithDependents } from './get-app.ts';
import { RELOAD_ACTION } from './module-buttons.ts';
import { loadAppStates } from './module-rows.ts';

const MODEL = 'base.module.uninstall';

/** App removal for classic clients: creating a record previews the removal, and `action_uninstall` performs it. */
defineModel(MODEL, {
  group: 'live',
  isWizard: true,
  access: { 'base.group_system': 'crwu' },
  ceiling: { 'base.group_system': 'crwu' },
  computed: {
    impacted_module_ids: {
      type: 'many2many',
      label: 'Impacted modules',
      help: 'The selected modules, and the modules that depend on them.',
      relation: 'ir.module.module',
      sql: (row, context) =>
        sql`select m.id from ir_module_module m
          where m.workspace_id = ${context.workspace} and m.id = any(${row}.impacted)`,
    },
    model_ids: {
      type: 'many2many',
      label: 'Impacted data models',
      help: 'The models whose records would be deleted.',
      relation: 'ir.model',
      sql: (row) => sql`select s.id from ir_model_stock s where s.id = any(${row}.impacted_models)`,
    },
  },
  beforeCreate: deleteOldWizards,
  afterCreate: computeImpact,
  afterWrite: computeImpact,
});

async function deleteOldWizards(ctx: Ctx): Promise<void> {
  await ctx.db.rows(
    sql`delete from base_module_uninstall
     where workspace_id = ${ctx.workspace.id} and create_date < ${getYesterday()}::timestamp`,
  );
}

async function computeImpact(ctx: Ctx, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const installedNames = [...(await loadAppStates(ctx))].flatMap(([name, state]) =>
    state === 'installed' ? name : [],
  );
  for (const id of ids) {
    const names = await loadModuleNames(ctx, await loadWizardModules(ctx, [id]));
    const impactedNames = names.flatMap((name) =>
      listWithDependents(name, installedNames).map((app) => app.name),
    );
    const going = installedNames.filter((name) => impactedNames.includes(name));
    const models = [...ctx.runtime.registry.values()].flatMap(({ name, module }) =>
      going.includes(module ?? '') ? name : [],
    );
    await ctx.db.rows(
      sql`update base_module_uninstall set impacted = array(select m.id from ir_module_module m
           where m.workspace_id = ${workspace} and m.name = any(${going}) order by m.id),
         impacted_models = array(select s.id from ir_model_stock s where s.model = any(${models}) order by s.id)
       where workspace_id = ${workspace} and id = ${id}`,
    );
  }
}

async function loadWizardModules({ db, workspace }: Ctx, ids: number[]): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    sql`select distinct module_id as id from base_module_uninstall_rel
     where workspace_id = ${workspace.id} and wizard_id = any(${ids}) order by module_id`,
  );
  return rows.map(({ id }) => id);
}

export const wizardUninstall = defineOperation('wizardUninstall', {
  effects: ['writes', 'deletes', 'modules'],
  tool: 'module_uninstall',
  address: `${MODEL}/action_uninstall`,
  onRecords: true,
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'app.uninstall', waits: true },
  description:
    'Removes the modules selected in the given wizards, the modules that depend on them, and their data. ' +
    'The operator must have enabled removal. Returns a client action.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords(MODEL, facadeResult.json),
  run: async (ctx, { ids }) => {
    await assertRowsExist(ctx, getModel(ctx, MODEL), ids, 'read');
    const removedApps = new Set<string>();
    for (const name of await loadModuleNames(ctx, await loadWizardModules(ctx, ids)))
      if (!removedApps.has(name)) for (const item of await uninstallApp(ctx, name)) removedApps.add(item);
    return RELOAD_ACTION;
  },
});
