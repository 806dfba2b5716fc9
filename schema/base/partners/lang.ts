import { sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { isLocale } from '../../../src/engine/value/locale.ts';
import { errors } from '../../../src/errors.ts';
import { translateReferenceData } from './world-names.ts';

/** A call can request any active language in its context. */
defineModel('res.lang', {
  group: 'data',
  graph: { type: 'Language', one: 'language', many: 'languages' },
  searchNames: ['name', 'code', 'iso_code'],
  order: 'active desc, name, id',
  access: { 'base.group_user': 'r', 'base.group_portal': 'r', 'base.group_system': 'crwu' },
  prepare: (_ctx, list) => {
    for (const { code, url_code: url } of list) {
      if (code && !isLocale(String(code)))
        throw errors.validation(`${code} is not a valid language code. Use a code such as fr_BE (code).`);
      if (url && !URL_CODE.test(String(url)))
        throw errors.validation(
          'A URL code must have 1 to 20 characters: letters, digits and . _ - @ (url_code).',
        );
    }
  },
  afterCreate: addTranslatedNames,
  beforeWrite: async (ctx, values, ids) => {
    if (values.active === false || values.code !== undefined)
      await rejectUsedLanguages(ctx, ids, values.code);
  },
  afterWrite: async (ctx, ids, { active }) => {
    if (active) await addTranslatedNames(ctx, ids);
    else announceCatalogChange(ctx);
  },
  beforeUnlink: async (ctx, ids) => {
    await rejectUsedLanguages(ctx, ids);
    announceCatalogChange(ctx);
  },
});

/** Part of URL paths, so only characters that need no encoding are allowed. */
const URL_CODE = /^[\w@.-]{1,20}$/;

async function addTranslatedNames(ctx: Ctx, ids: number[]): Promise<void> {
  const languages = await ctx.db.rows<{ code: string }>(
    sql`select code from res_lang where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and active`,
  );
  const codes = languages.map(({ code }) => code);
  await translateReferenceData(ctx, codes);
  announceCatalogChange(ctx);
}

/** @param code new code; a language that already has it is not checked @throws USER_ERROR if a language is in use */
async function rejectUsedLanguages(ctx: Ctx, ids: number[], code?: unknown): Promise<void> {
  const rows = await ctx.db.rows<{ code: string; used: boolean }>(
    sql`select l.code, exists (select 1 from res_users u
       where u.workspace_id = ${ctx.workspace.id} and u.active and u.lang = l.code) as used
     from res_lang l where l.workspace_id = ${ctx.workspace.id} and l.id = any(${ids})`,
  );
  for (const lang of rows) {
    if (lang.code === code) continue;
    if (lang.code === 'en_US')
      throw errors.user('The base language en_US cannot be deactivated, renamed or deleted.');
    if (lang.used)
      throw errors.user(`The language ${lang.code} is used by active users. Change their language first.`);
  }
}
