import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { loadModuleNames, uninstallApp } from './app-operations.ts';
import { AppShape, loadApp } from './app-shape.ts';
import { installApp, lockApps, upgradeApp } from './install.ts';

// Methods of ir.module.module that classic clients call to change apps.

const buildModulePolicy = (event: string): Policy => ({ auth: ['ADMIN'], scope: 'write', audit: event });

export const RELOAD_ACTION = { type: 'ir.actions.client', tag: 'reload', params: {} };

const returnApps = {
  type: [AppShape.ref],
  returns: facadeResult.json,
  answer: async (ctx: Ctx, _value: unknown, { ids }: { ids: number[] }) => {
    const names = await loadModuleNames(ctx, ids);
    return Promise.all(names.map((name) => loadApp(ctx, name)));
  },
};

const forEachModule = async (ctx: Ctx, ids: number[], change: (name: string) => Promise<unknown>) => {
  for (const name of await loadModuleNames(ctx, ids)) await change(name);
  return RELOAD_ACTION;
};

export const moduleInstall = defineOperation('moduleInstall', {
  effects: ['writes', 'modules'],
  tool: 'module_install',
  address: 'ir.module.module/button_immediate_install',
  onRecords: true,
  policy: buildModulePolicy('app.install'),
  description:
    'Installs apps and their dependencies. If one cannot be installed, none is. Returns a client action.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnApps,
  run: (ctx, { ids }) => ctx.tx((tx) => forEachModule(tx, ids, (name) => installApp(tx, name))),
});

export const moduleUpgrade = defineOperation('moduleUpgrade', {
  effects: ['writes', 'modules'],
  tool: 'module_upgrade',
  address: 'ir.module.module/button_immediate_upgrade',
  onRecords: true,
  policy: buildModulePolicy('app.upgrade'),
  description:
    'Updates apps to the versions available on this server. If one cannot be updated, none is. Returns a ' +
    'client action.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnApps,
  run: (ctx, { ids }) => ctx.tx((tx) => forEachModule(tx, ids, (name) => upgradeApp(tx, name))),
});

export const moduleUninstall = defineOperation('moduleUninstall', {
  effects: ['writes', 'deletes', 'modules'],
  tool: 'module_uninstall',
  address: 'ir.module.module/button_immediate_uninstall',
  onRecords: true,
  policy: { ...buildModulePolicy('app.uninstall'), waits: true },
  description:
    'Removes apps, the apps that depend on them, and their data. The operator must have enabled ' +
    'removal. Returns a client action.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnApps,
  run: (ctx, { ids }) => forEachModule(ctx, ids, (name) => uninstallApp(ctx, name)),
});

export const moduleUninstallWizard = defineOperation('moduleUninstallWizard', {
  effects: ['reads'],
  address: 'ir.module.module/button_uninstall_wizard',
  onRecords: true,
  policy: { auth: ['ADMIN'], scope: 'read' },
  description:
    'Returns the client action that opens `base.module.uninstall`, which shows everything that would be removed.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnApps,
  run: async (ctx, { ids }) => {
    await loadModuleNames(ctx, ids);
    return {
      type: 'ir.actions.act_window',
      target: 'new',
      name: 'Uninstall module',
      view_mode: 'form',
      res_model: 'base.module.uninstall',
      context: { default_module_ids: ids },
    };
  },
});

export const moduleUpdateList = defineOperation('moduleUpdateList', {
  effects: ['writes', 'modules'],
  address: 'ir.module.module/update_list',
  policy: { auth: ['ADMIN'], scope: 'write' },
  description:
    'Adds modules that are new on this server, with the state `uninstalled`. Returns the numbers of ' +
    'updated and added modules.',
  args: () => ({}),
  type: ['Int'],
  returns: facadeResult.ids,
  run: (ctx) => ctx.tx(async (tx) => [0, await lockApps(tx)]),
});
