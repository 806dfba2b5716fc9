import { apps } from '../../../apps/index.ts';
import type { App } from '../../../apps/kit/app.ts';
import {
  type AppSetting,
  buildSettingKey,
  findSettingError,
  parseSettingValue,
} from '../../../apps/kit/settings.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineEnumShape, defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { setParameter } from '../ir/parameter.ts';
import { getApp } from './get-app.ts';
import { loadAppStates } from './module-rows.ts';

const SettingTypeEnum = defineEnumShape('AppSettingType', "Type of a setting's value.", {
  boolean: 'True or false.',
  integer: 'A whole number.',
  text: 'Text, or one of the choices.',
});

const Setting = defineTypedShape('AppSetting', 'A setting of an app.', {
  key: {
    type: 'String',
    description: 'Name of the setting, prefixed with its app, such as `sale.quotation_days`.',
  },
  app: { type: 'String', description: 'Technical name of the app.' },
  label: { type: 'String', description: 'Name.' },
  help: { type: 'String', description: 'Effect of the setting.' },
  type: { type: SettingTypeEnum, description: 'Type of the value.' },
  value: { type: 'JSON', description: 'Value in this workspace.' },
  default: { type: 'JSON', description: 'Default value.' },
  least: { type: 'Int', nullable: true, description: 'Minimum value of a number setting.' },
  most: { type: 'Int', nullable: true, description: 'Maximum value of a number setting.' },
  choices: {
    type: ['String'],
    nullable: true,
    description: 'Allowed values of a string setting. Null if any value is allowed.',
  },
});

interface SettingRow extends Omit<AppSetting, 'name'> {
  key: string;
  app: string;
  value: AppSetting['default'];
}

export const appSettings = defineOperation('appSettings', {
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Lists the settings of the installed apps, with their values.',
  args: (arg) => ({ app: arg.string({ description: 'Only settings of the app with this technical name.' }) }),
  type: [Setting.ref],
  run: async (ctx, { app }): Promise<SettingRow[]> => {
    const selectedApps = app ? [getApp(app)] : apps;
    return loadSettings(ctx, await filterInstalledApps(ctx, selectedApps));
  },
});

export const appSettingSet = defineOperation('appSettingSet', {
  effects: ['writes', 'modules'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'app.setting' },
  description: 'Changes a setting of an installed app. Null restores the default.',
  args: (arg) => ({
    key: arg.string({
      required: true,
      description: 'Name of the setting, prefixed with its app, such as `sale.quotation_days`.',
    }),
    value: arg({ type: 'JSON', description: 'The new value.' }),
  }),
  type: Setting.ref,
  run: (ctx, { key, value }): Promise<SettingRow> =>
    ctx.tx(async (tx) => {
      const installedApps = await filterInstalledApps(tx, apps);
      const appSetting = installedApps
        .flatMap((app) => app.settings.map((setting) => ({ app, setting })))
        .find(({ app, setting }) => buildSettingKey(app.name, setting.name) === key);
      if (!appSetting) throw errors.notFound(`Setting ${key}`);
      const settingError =
        value === null || value === undefined ? null : findSettingError(appSetting.setting, value);
      if (settingError) throw errors.badValue(`Invalid value for ${key}: ${settingError}`);
      // Stored as text, because `false` would delete the parameter.
      const text = value === null || value === undefined ? null : String(value);
      await setParameter(tx.system(), key, text);
      return (await loadSettings(tx, [appSetting.app])).find((row) => row.key === key)!;
    }),
});

async function filterInstalledApps(ctx: Ctx, apps: readonly App[]): Promise<App[]> {
  const states = await loadAppStates(ctx);
  return apps.filter(({ name }) => states.get(name) === 'installed');
}

async function loadSettings(ctx: Ctx, apps: readonly App[]): Promise<SettingRow[]> {
  const keys = apps.flatMap(({ name, settings }) =>
    settings.map((setting) => buildSettingKey(name, setting.name)),
  );
  const rows = await ctx.db.rows<{ key: string; value: string }>(
    sql`select key, value from ir_config_parameter
     where workspace_id = ${ctx.workspace.id} and key = any(${keys})`,
  );
  const texts = new Map(rows.map(({ key, value }) => [key, value]));
  return apps.flatMap(({ name: app, settings }) =>
    settings.map(({ name, ...setting }) => {
      const key = buildSettingKey(app, name);
      return { key, app, ...setting, value: parseSettingValue({ name, ...setting }, texts.get(key) ?? null) };
    }),
  );
}
