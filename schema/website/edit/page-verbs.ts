import { GraphQLBoolean } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/reader.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import { assertLanguage } from '../../../src/engine/ctx/catalog.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { SOURCE_LANGUAGE } from '../../../src/engine/model/translated.ts';
import { formatInstant } from '../../../src/engine/value/instant.ts';
import { facadeResult, returnRecord } from '../../../src/engine/verb/record-answer.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { unlink, write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { checkDesigner, designerWrites } from '../designer.ts';
import { siteChanged } from '../site-changed.ts';
import { websiteBy } from '../website.ts';
import { backToShared, ownPage, ownView } from './copy-on-write.ts';
import { checkMarkup, checkVersion, inLanguage, saveMarkup } from './markup.ts';
import { createPage } from './new-page.ts';
import { checkPages, designedWebsite, type PageName, type PageRow, sitePage, viewBy } from './rows.ts';

/** What tools get of a page that was changed. */
const changed = (page: PageRow) => ({
  pageId: page.id,
  url: page.url,
  viewId: page.view_id,
  websiteSpecific: page.website_id !== null,
  published: page.is_published,
  indexed: page.website_indexed,
});

type ChangedPage = ReturnType<typeof changed>;

const answersPage = returnRecord('website.page', facadeResult.json, ({ pageId }: ChangedPage) => pageId);

const NAMED = { url: 'Address of the page, such as /about-us.', pageId: 'Page id, instead of `url`.' };
const WEBSITE = 'Website id. Defaults to the first website of the workspace.';

/** Changes the page that a website has to itself, in one transaction. */
const changing = (
  ctx: Ctx,
  given: PageName & { websiteId?: number | null },
  change: (tx: Ctx, page: PageRow, websiteId: number, found: PageRow) => Promise<unknown>,
): Promise<ChangedPage> =>
  ctx.tx(async (tx) => {
    const { id } = await designedWebsite(tx, given.websiteId);
    const found = await sitePage(tx, id, given);
    const page = await ownPage(tx, found, id);
    await checkPages(tx, [found.id, page.id]);
    await change(tx, page, id, found);
    siteChanged(tx);
    return changed(await sitePage(tx, id, { pageId: page.id }));
  });

export const websitePageCreateVerb = verb('websitePageCreate', {
  kind: 'mutation',
  effects: ['writes'],
  policy: designerWrites,
  description: 'Creates a page of a website from a template and returns it.',
  args: (arg) => ({
    name: arg.string({ required: true, description: 'Name of the page.' }),
    url: arg.string({ description: 'Address of the page, such as /about-us. Made of the name by default.' }),
    template: arg.string({ defaultValue: 'website.default_page', description: 'Key of the view to copy.' }),
    addMenu: arg.boolean({ defaultValue: true, description: 'Whether the menu gets an entry for it.' }),
    published: arg.boolean({ defaultValue: false, description: 'Whether visitors see it from now on.' }),
    websiteId: arg.recordId({ description: WEBSITE }),
  }),
  ...answersPage,
  run: (ctx, { name, url, template, addMenu, published, websiteId }) =>
    ctx.tx(async (tx) => {
      const website = await designedWebsite(tx, websiteId);
      const { page, menuId } = await createPage(tx, website, {
        name,
        url: url || null,
        template: template ?? 'website.default_page',
        addMenu: addMenu ?? true,
        published: published ?? false,
      });
      await checkPages(tx, [page.id]);
      return { ...changed(page), name, menuId };
    }),
});

export const websiteMarkupSetVerb = verb('websiteMarkupSet', {
  kind: 'mutation',
  effects: ['writes'],
  policy: designerWrites,
  description:
    'Replaces the markup of a page and returns the page. A shared page is copied for the website first, and the ' +
    'former markup is kept as a version. Errors in the markup name line and column.',
  args: (arg) => ({
    url: arg.string({ description: NAMED.url }),
    pageId: arg.recordId({ description: NAMED.pageId }),
    websiteId: arg.recordId({ description: WEBSITE }),
    arch: arg.string({ required: true, description: 'Complete markup.' }),
    lang: arg.string({ description: 'Language of the markup. Defaults to that of the website.' }),
    expectedVersion: arg.int({
      description: 'Version that the change was made of. Refused if the page has another one meanwhile.',
    }),
  }),
  ...answersPage,
  run: (ctx, { arch, lang, expectedVersion, ...named }) =>
    changing(ctx, named, async (tx, page, websiteId, found) => {
      await checkVersion(tx, found.view_id, expectedVersion);
      const website = await websiteBy(tx, websiteId);
      await checkMarkup(tx, arch, website);
      await saveMarkup(
        tx,
        page.view_id,
        arch,
        languageOf(tx, lang ?? website.default_lang),
        website.default_lang,
      );
    }),
});

function languageOf(ctx: Ctx, lang: string): string {
  assertLanguage(ctx.catalog, lang);
  return lang;
}

export const websiteViewMarkupSetVerb = verb('websiteViewMarkupSet', {
  kind: 'mutation',
  effects: ['writes'],
  policy: designerWrites,
  description:
    'Replaces the markup of a view, such as the layout around all pages, for one website and returns the view that ' +
    'the website has now.',
  args: (arg) => ({
    viewId: arg.recordId({ required: true, description: 'Which view, by its id.' }),
    websiteId: arg.recordId({ description: WEBSITE }),
    arch: arg.string({ required: true, description: 'Complete markup.' }),
    lang: arg.string({ description: 'Language of the markup. Defaults to that of the website.' }),
  }),
  ...returnRecord('ir.ui.view', facadeResult.id, (id: number) => id),
  run: (ctx, { viewId, websiteId, arch, lang }) =>
    ctx.tx(async (tx) => {
      const website = await designedWebsite(tx, websiteId);
      await assertRowsAllowed(tx, getModel(tx, 'ir.ui.view'), [viewId], 'read');
      const view = await ownView(tx, await viewBy(tx, viewId), website.id);
      await checkMarkup(tx, arch, website);
      await saveMarkup(tx, view.id, arch, languageOf(tx, lang ?? website.default_lang), website.default_lang);
      return view.id;
    }),
});

export const websitePagePublishVerb = verb('websitePagePublish', {
  kind: 'mutation',
  effects: ['writes'],
  policy: designerWrites,
  description: 'Publishes a page or hides it, says whether search engines may list it, and returns the page.',
  args: (arg) => ({
    url: arg.string({ description: NAMED.url }),
    pageId: arg.recordId({ description: NAMED.pageId }),
    websiteId: arg.recordId({ description: WEBSITE }),
    published: arg.boolean({ defaultValue: true, description: 'Whether visitors see it.' }),
    indexed: arg.boolean({ description: 'Whether search engines may list it. Unchanged by default.' }),
  }),
  ...answersPage,
  run: (ctx, { published, indexed, ...named }) =>
    changing(ctx, named, (tx, page) =>
      write(tx.system(), 'website.page', [page.id], {
        is_published: published ?? true,
        ...(indexed != null && { website_indexed: indexed }),
      }),
    ),
});

export const websitePageUpdateVerb = verb('websitePageUpdate', {
  kind: 'mutation',
  effects: ['writes'],
  policy: designerWrites,
  description: 'Changes the address, date, visibility and description of a page and returns the page.',
  args: (arg) => ({
    pageId: arg.recordId({ required: true, description: 'Which page, by its id.' }),
    websiteId: arg.recordId({ description: WEBSITE }),
    newUrl: arg.string({ description: 'New address.' }),
    name: arg.string({ description: 'New name.' }),
    publishAt: arg({ type: 'DateTime', description: 'Time from which a published page is shown.' }),
    visibility: arg.string({
      description: 'Who sees it: empty for everyone, `connected` for who is signed in, `restricted_group`.',
    }),
    groupId: arg.recordId({ description: 'Group that sees it, with the visibility `restricted_group`.' }),
    title: arg.string({ description: 'Title for search engines.' }),
    metaDescription: arg.string({ description: 'Description for search engines.' }),
    image: arg.string({ description: 'Address of the picture that is shown with links to the page.' }),
    lang: arg.string({
      description:
        'Language of title and description. Without it they are those of every language without its own.',
    }),
  }),
  ...answersPage,
  run: (
    ctx,
    { lang, newUrl, name, publishAt, visibility, groupId, title, metaDescription, image, ...named },
  ) =>
    changing(ctx, named, async (tx, page) => {
      const texts = given({ website_meta_title: title, website_meta_description: metaDescription });
      const view = given({
        name,
        visibility,
        visibility_group_id: groupId,
        website_meta_og_img: image,
      });
      if (Object.keys(texts).length > 0)
        await write(
          inLanguage(tx, languageOf(tx, lang ?? SOURCE_LANGUAGE)),
          'ir.ui.view',
          [page.view_id],
          texts,
        );
      const own = given({ url: newUrl, date_publish: publishAt && formatInstant(Date.parse(publishAt)) });
      if (Object.keys(view).length > 0) await write(tx.system(), 'ir.ui.view', [page.view_id], view);
      if (Object.keys(own).length > 0) await write(tx.system(), 'website.page', [page.id], own);
    }),
});

/** What a caller has given; null and '' clear a value. */
const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === null || value === '' ? false : value]),
  );

export const websitePageResetVerb = verb('websitePageReset', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: designerWrites,
  description: 'Drops the copy that a website has of a shared page and returns the shared page.',
  args: (arg) => ({
    pageId: arg.recordId({ required: true, description: 'Which page, by its id.' }),
    websiteId: arg.recordId({ description: WEBSITE }),
  }),
  ...answersPage,
  run: (ctx, { pageId, websiteId }) =>
    ctx.tx(async (tx) => {
      const { id } = await designedWebsite(tx, websiteId);
      const page = await sitePage(tx, id, { pageId });
      await checkPages(tx, [page.id]);
      return changed(await backToShared(tx, page, id));
    }),
});

export const websitePageRestoreVerb = verb('websitePageRestore', {
  kind: 'mutation',
  effects: ['writes'],
  policy: designerWrites,
  description: 'Gives a page the markup of one of its versions back and returns the page.',
  args: (arg) => ({
    pageId: arg.recordId({ required: true, description: 'Which page, by its id.' }),
    versionId: arg.recordId({ required: true, description: 'Version id, one of the view of the page.' }),
    websiteId: arg.recordId({ description: WEBSITE }),
  }),
  ...answersPage,
  run: (ctx, { versionId, ...named }) =>
    changing(ctx, named, async (tx, page, websiteId) => {
      const [version] = await tx.db.rows<{ arch: string; lang: string }>(
        sql`select arch, lang from website_version
         where workspace_id = ${tx.workspace.id} and id = ${versionId} and view_id = ${page.view_id}`,
      );
      if (!version) throw errors.missing('website.version', [versionId]);
      const website = await websiteBy(tx, websiteId);
      await checkMarkup(tx, version.arch, website);
      await saveMarkup(tx, page.view_id, version.arch, version.lang, website.default_lang);
    }),
});

export const websitePageDeleteVerb = verb('websitePageDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: designerWrites,
  description: 'Deletes a page that belongs to a website, with its markup, versions and menu entries.',
  args: (arg) => ({ pageId: arg.recordId({ required: true, description: 'Which page, by its id.' }) }),
  type: 'Boolean',
  returns: GraphQLBoolean,
  run: (ctx, { pageId }) =>
    ctx.tx(async (tx) => {
      checkDesigner(tx);
      const [page] = await tx.db.rows<{ website_id: number | null }>(
        sql`select website_id from website_page where workspace_id = ${tx.workspace.id} and id = ${pageId} for update`,
      );
      if (!page) throw errors.missing('website.page', [pageId]);
      await checkPages(tx, [pageId]);
      if (page.website_id === null)
        throw errors.user('A shared page belongs to all websites: hide it instead.');
      return unlink(tx, 'website.page', [pageId]);
    }),
});
