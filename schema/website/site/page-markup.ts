import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { SOURCE_LANGUAGE } from '../../../src/engine/model/translations.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { DESIGNER_READ_POLICY } from '../designer.ts';
import { buildArchSql, getLastVersion } from '../edit/markup.ts';
import { checkCanEditPages, getEditableWebsite, getSitePage } from '../edit/rows.ts';
import { getSiteLanguages } from './languages.ts';
import { buildViewTextSql } from './load-site.ts';

const LanguageShape = defineTypedShape('WebsiteLanguage', 'A language of a website.', {
  code: { type: 'String', description: 'Code of the language, such as `fr_BE`.' },
  name: { type: 'String', description: 'Name of the language.' },
});

const MarkupShape = defineTypedShape('WebsitePageMarkup', "A page's markup in one language, for editing.", {
  pageId: {
    type: 'ID',
    description: 'Page id. If the website has a copy of a shared page, the id of the copy.',
  },
  arch: { type: 'String', description: 'Complete markup that visitors see in this language.' },
  lang: { type: 'String', description: 'Code of the language.' },
  hasOwn: {
    type: 'Boolean',
    description: "False if the language uses the markup of the website's default language.",
  },
  version: {
    type: 'Int',
    description:
      'Number of the latest version, to pass as `expectedVersion` to `websiteMarkupSet`. 0 if ' +
      'there is no version.',
  },
  isCopy: {
    type: 'Boolean',
    description: 'True if the page is a copy of a shared page. `websitePageReset` restores the shared page.',
  },
  title: {
    type: 'String',
    nullable: true,
    description:
      'Title for search engines, in the requested language. Falls back to the title for all languages.',
  },
  description: {
    type: 'String',
    nullable: true,
    description: 'Description for search engines, in the same language as the title.',
  },
  languages: {
    type: [LanguageShape],
    description: 'Languages of the website, starting with its default language.',
  },
});

type PageMarkup = ValueOf<typeof MarkupShape, number>;

export const websitePageMarkup = defineOperation('websitePageMarkup', {
  effects: ['reads'],
  policy: DESIGNER_READ_POLICY,
  description: "Returns a page's markup in one language, with the data needed to edit it.",
  args: (arg) => ({
    pageId: arg.recordId({ required: true, description: 'Id of the page.' }),
    websiteId: arg.recordId({ description: 'Website id. Defaults to the first website of the workspace.' }),
    lang: arg.string({ description: 'Language of the markup. Defaults to the language of the website.' }),
  }),
  type: MarkupShape.ref,
  // This lookup locks the page, because operations that change pages use it too.
  run: (ctx, { pageId, websiteId, lang }) =>
    ctx.tx(async (tx): Promise<PageMarkup> => {
      const website = await getEditableWebsite(tx, websiteId);
      const page = await getSitePage(tx, website.id, { pageId });
      await checkCanEditPages(tx, [page.id]);
      const languages = getSiteLanguages(tx, website.default_lang).map(({ code, name }) => ({ code, name }));
      const effectiveLang = languages.find(({ code }) => code === lang)?.code ?? website.default_lang;
      return {
        pageId: page.id,
        lang: effectiveLang,
        version: await getLastVersion(tx, page.view_id),
        languages,
        ...(await loadText(tx, page.view_id, effectiveLang, website.default_lang, lang ?? SOURCE_LANGUAGE)),
      };
    }),
});

async function loadText(ctx: Ctx, viewId: number, lang: string, ownLang: string, titleLang: string) {
  const workspace = sql.param(ctx.workspace.id);
  const [text] = await ctx.db.rows<Pick<PageMarkup, 'arch' | 'hasOwn' | 'isCopy' | 'title' | 'description'>>(
    sql`select ${buildArchSql(lang)} as arch,
      ${lang === ownLang} or v.custom ->> ${`arch@${lang}`} is not null as "hasOwn",
       ${buildViewTextSql('website_meta_title', titleLang)} as title,
       ${buildViewTextSql('website_meta_description', titleLang)} as description,
       v.website_id is not null and exists (select 1 from ir_ui_view o join website_page p
         on p.workspace_id = ${workspace} and p.view_id = o.id and p.website_id is null
         where o.workspace_id = ${workspace} and o.website_id is null and o.key = v.key) as "isCopy"
     from ir_ui_view v where v.workspace_id = ${workspace} and v.id = ${viewId}`,
  );
  return text!;
}
