import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecords } from '../../../src/engine/operation/record-result.ts';
import { write } from '../../../src/engine/write/write.ts';
import { getYesterday } from '../yesterday.ts';
import { translateReferenceData } from './world-names.ts';

const MODEL = 'base.language.install';

/** Language activation for classic clients, which create a record with the languages and call `lang_install`. */
defineModel(MODEL, {
  group: 'data',
  isWizard: true,
  access: { 'base.group_system': 'crwu' },
  ceiling: { 'base.group_system': 'crwu' },
  beforeCreate: deleteOldWizards,
});

async function deleteOldWizards(ctx: Ctx): Promise<void> {
  await ctx.db.rows(
    sql`delete from base_language_install
     where workspace_id = ${ctx.workspace.id} and create_date < ${getYesterday()}::timestamp`,
  );
}

interface InstalledLanguage {
  id: number;
  code: string;
  name: string;
  overwrites: boolean;
}

export const languageInstall = defineOperation('languageInstall', {
  effects: ['writes'],
  address: `${MODEL}/lang_install`,
  onRecords: true,
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Activates the given languages and translates the names of countries and currencies. Returns ' +
    'a client action that reports the result.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('base.language.install', facadeResult.json),
  run: (ctx, { ids }) => ctx.tx((tx) => install(tx, ids)),
});

async function install(ctx: Ctx, ids: number[]): Promise<object> {
  await assertRowsExist(ctx, getModel(ctx, MODEL), ids, 'read');
  const languages = await ctx.db.rows<InstalledLanguage>(
    sql`select l.id, l.code, l.name, bool_or(i.overwrite) as overwrites from res_lang_install_rel r
     join res_lang l on l.workspace_id = ${ctx.workspace.id} and l.id = r.lang_id
     join base_language_install i on i.workspace_id = ${ctx.workspace.id} and i.id = r.language_wizard_id
     where r.workspace_id = ${ctx.workspace.id} and r.language_wizard_id = any(${ids})
     group by l.id, l.code, l.name order by l.id`,
  );
  const idsByLanguage = languages.map(({ id }) => id);
  await write(ctx, 'res.lang', idsByLanguage, { active: true });
  const overwritten = languages.filter(({ overwrites }) => overwrites).map(({ code }) => code);
  await translateReferenceData(ctx, overwritten, true);
  return buildInstalledNotice(languages);
}

const buildInstalledNotice = (languages: InstalledLanguage[]) => ({
  type: 'ir.actions.client',
  tag: 'display_notification',
  params: {
    title: 'Languages',
    message: `In use: ${languages.map(({ name }) => name).join(', ') || 'none of those'}.`,
    type: 'success',
    sticky: false,
  },
});
