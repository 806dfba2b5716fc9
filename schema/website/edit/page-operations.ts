import { GraphQLBoolean } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import { assertLanguage } from '../../../src/engine/ctx/catalog.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { SOURCE_LANGUAGE } from '../../../src/engine/model/translations.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { formatInstant } from '../../../src/engine/value/instant.ts';
import { assertVersion, describeExpectedVersion } from '../../../src/engine/write/versions.ts';
import { unlink, write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { checkDesigner, DESIGNER_WRITE_POLICY } from '../designer.ts';
import { invalidateSite } from '../invalidate-site.ts';
import { getWebsite } from '../website.ts';
import { ensureOwnPage, ensureOwnView, restoreSharedPage } from './copy-on-write.ts';
import { checkMarkup, checkVersion, saveMarkup, withLanguage } from './markup.ts';
import { createPage } from './new-page.ts';
import {
  checkCanEditPages,
  getEditableWebsite,
  getSitePage,
  getView,
  type PageReference,
  type PageRow,
} from './rows.ts';

const toChangedPage = (page: PageRow) => ({
  pageId: page.id,
  url: page.url,
  viewId: page.view_id,
  websiteSpecific: page.website_id !== null,
  published: page.is_published,
  indexed: page.website_indexed,
});

type ChangedPage = ReturnType<typeof toChangedPage>;

const returnPage = returnRecord('website.page', facadeResult.json, ({ pageId }: ChangedPage) => pageId);

const PAGE_NAME_DESCRIPTIONS = {
  url: 'Address of the page, such as /about-us.',
  pageId: 'Page id, instead of `url`.',
};
const WEBSITE_ID_DESCRIPTION = 'Website id. Defaults to the first website of the workspace.';

/** Changes the website's page in one transaction, copying a shared one first. */
const changePage = (
  ctx: Ctx,
  reference: PageReference & { websiteId?: number | null },
  change: (tx: Ctx, page: PageRow, websiteId: number) => Promise<unknown>,
): Promise<ChangedPage> =>
  ctx.tx(async (tx) => {
    const { id } = await getEditableWebsite(tx, reference.websiteId);
    const sitePage = await getSitePage(tx, id, reference);
    const page = await ensureOwnPage(tx, sitePage, id);
    await checkCanEditPages(tx, [sitePage.id, page.id]);
    await change(tx, page, id);
    invalidateSite(tx);
    return toChangedPage(await getSitePage(tx, id, { pageId: page.id }));
  });

export const websitePageCreate = defineOperation('websitePageCreate', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description: 'Creates a page on a website from a template and returns it.',
  args: (arg) => ({
    name: arg.string({ required: true, description: 'Name of the page.' }),
    url: arg.string({
      description: 'URL of the page, such as /about-us. Derived from the name by default.',
    }),
    template: arg.string({ defaultValue: 'website.default_page', description: 'Key of the view to copy.' }),
    addMenu: arg.boolean({ defaultValue: true, description: 'True to add a menu entry for the page.' }),
    published: arg.boolean({ defaultValue: false, description: 'True to publish the page immediately.' }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
  }),
  ...returnPage,
  run: (ctx, { name, url, template, addMenu, published, websiteId }) =>
    ctx.tx(async (tx) => {
      const website = await getEditableWebsite(tx, websiteId);
      const { page, menuId } = await createPage(tx, website, {
        name,
        url: url || null,
        template: template ?? 'website.default_page',
        addMenu: addMenu ?? true,
        published: published ?? false,
      });
      await checkCanEditPages(tx, [page.id]);
      return { ...toChangedPage(page), name, menuId };
    }),
});

export const websiteMarkupSet = defineOperation('websiteMarkupSet', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description:
    'Replaces the markup of a page and returns the page. A shared page is copied for the website first, and the ' +
    'previous markup is kept as a version. Errors in the markup include the line and column.',
  args: (arg) => ({
    url: arg.string({ description: PAGE_NAME_DESCRIPTIONS.url }),
    pageId: arg.recordId({ description: PAGE_NAME_DESCRIPTIONS.pageId }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
    arch: arg.string({ required: true, description: 'Complete markup.' }),
    lang: arg.string({ description: 'Language of the markup. Defaults to the language of the website.' }),
    expectedVersion: arg.int({
      description: 'Version the change is based on. Rejected if the page has changed since.',
    }),
  }),
  ...returnPage,
  run: (ctx, { arch, lang, expectedVersion, ...named }) =>
    changePage(ctx, named, async (tx, page, websiteId) => {
      await checkVersion(tx, 'page', page.view_id, expectedVersion);
      const website = await getWebsite(tx, websiteId);
      await checkMarkup(tx, arch, website);
      await saveMarkup(
        tx,
        page.view_id,
        arch,
        parseLanguage(tx, lang ?? website.default_lang),
        website.default_lang,
      );
    }),
});

function parseLanguage(ctx: Ctx, lang: string): string {
  assertLanguage(ctx.catalog, lang);
  return lang;
}

export const websiteViewMarkupSet = defineOperation('websiteViewMarkupSet', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description:
    "Replaces a view's markup for one website, for example the layout of all its pages, and returns the " +
    'view that the website now uses.',
  args: (arg) => ({
    viewId: arg.recordId({ required: true, description: 'Id of the view.' }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
    arch: arg.string({ required: true, description: 'Complete markup.' }),
    lang: arg.string({ description: 'Language of the markup. Defaults to the language of the website.' }),
    expectedVersion: arg.int({ description: describeExpectedVersion('view') }),
  }),
  ...returnRecord('ir.ui.view', facadeResult.id, (id: number) => id),
  run: (ctx, { viewId, websiteId, arch, lang, expectedVersion }) =>
    ctx.tx(async (tx) => {
      const website = await getEditableWebsite(tx, websiteId);
      await assertRowsAllowed(tx, getModel(tx, 'ir.ui.view'), [viewId], 'read');
      const view = await ensureOwnView(tx, await getView(tx, viewId), website.id);
      await checkVersion(tx, 'view', view.id, expectedVersion);
      await checkMarkup(tx, arch, website);
      await saveMarkup(
        tx,
        view.id,
        arch,
        parseLanguage(tx, lang ?? website.default_lang),
        website.default_lang,
      );
      return view.id;
    }),
});

export const websitePagePublish = defineOperation('websitePagePublish', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description: 'Publishes or hides a page, sets whether search engines may list it, and returns the page.',
  args: (arg) => ({
    url: arg.string({ description: PAGE_NAME_DESCRIPTIONS.url }),
    pageId: arg.recordId({ description: PAGE_NAME_DESCRIPTIONS.pageId }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
    published: arg.boolean({ defaultValue: true, description: 'True to show the page to visitors.' }),
    indexed: arg.boolean({ description: 'True to let search engines list the page. Unchanged by default.' }),
  }),
  ...returnPage,
  run: (ctx, { published, indexed, ...named }) =>
    changePage(ctx, named, (tx, page) =>
      write(tx.system(), 'website.page', [page.id], {
        is_published: published ?? true,
        ...(indexed != null && { website_indexed: indexed }),
      }),
    ),
});

export const websitePageUpdate = defineOperation('websitePageUpdate', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description: 'Changes the URL, date, visibility and description of a page and returns the page.',
  args: (arg) => ({
    pageId: arg.recordId({ required: true, description: 'Id of the page.' }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
    newUrl: arg.string({ description: 'New URL, such as `/about`.' }),
    name: arg.string({ description: 'New name.' }),
    publishAt: arg({ type: 'DateTime', description: 'Time at which a published page becomes visible.' }),
    visibility: arg.string({
      description:
        'Visibility: empty for everyone, `connected` for signed-in users, or `restricted_group` for a ' +
        "group's members.",
    }),
    groupId: arg.recordId({
      description: 'Group that can see the page. Used with the visibility `restricted_group`.',
    }),
    title: arg.string({ description: 'Title for search engines.' }),
    metaDescription: arg.string({ description: 'Description for search engines.' }),
    image: arg.string({ description: 'URL of the image shown in link previews.' }),
    published: arg.boolean({ description: 'True to show the page to visitors. Unchanged by default.' }),
    indexed: arg.boolean({ description: 'True to let search engines list the page. Unchanged by default.' }),
    lang: arg.string({
      description:
        'Language of the title and description. By default, they apply to every language that has no ' +
        'title or description of its own.',
    }),
    expectedVersion: arg.int({ description: describeExpectedVersion('page') }),
  }),
  ...returnPage,
  run: (ctx, { pageId, websiteId, lang, expectedVersion, ...properties }) =>
    changePage(ctx, { pageId, websiteId }, async (tx, page) => {
      assertVersion('page', page.row_version, expectedVersion);
      const { newUrl, name, publishAt, visibility, groupId, title, metaDescription, image } = properties;
      const texts = toWriteValues({ website_meta_title: title, website_meta_description: metaDescription });
      const view = toWriteValues({
        name,
        visibility,
        visibility_group_id: groupId,
        website_meta_og_img: image,
      });
      if (Object.keys(texts).length > 0)
        await write(
          withLanguage(tx, parseLanguage(tx, lang ?? SOURCE_LANGUAGE)),
          'ir.ui.view',
          [page.view_id],
          texts,
        );
      const values = toWriteValues({
        url: newUrl,
        date_publish: publishAt && formatInstant(Date.parse(publishAt)),
      });
      // Always written, because the version of the page covers the values of its view.
      values.is_published = properties.published ?? page.is_published;
      values.website_indexed = properties.indexed ?? page.website_indexed;
      if (Object.keys(view).length > 0) await write(tx.system(), 'ir.ui.view', [page.view_id], view);
      await write(tx.system(), 'website.page', [page.id], values);
    }),
});

/** Omits values that the caller did not set. Null and '' clear a value. */
const toWriteValues = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === null || value === '' ? false : value]),
  );

export const websitePageReset = defineOperation('websitePageReset', {
  effects: ['writes', 'deletes'],
  policy: DESIGNER_WRITE_POLICY,
  description: "Deletes a website's copy of a shared page and returns the shared page.",
  args: (arg) => ({
    pageId: arg.recordId({ required: true, description: 'Id of the page.' }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
  }),
  ...returnPage,
  run: (ctx, { pageId, websiteId }) =>
    ctx.tx(async (tx) => {
      const { id } = await getEditableWebsite(tx, websiteId);
      const page = await getSitePage(tx, id, { pageId });
      await checkCanEditPages(tx, [page.id]);
      return toChangedPage(await restoreSharedPage(tx, page, id));
    }),
});

export const websitePageRestore = defineOperation('websitePageRestore', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description: 'Restores the markup of an earlier version of a page and returns the page.',
  args: (arg) => ({
    pageId: arg.recordId({ required: true, description: 'Id of the page.' }),
    versionId: arg.recordId({ required: true, description: "Id of a version of the page's view." }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
  }),
  ...returnPage,
  run: (ctx, { versionId, ...named }) =>
    changePage(ctx, named, async (tx, page, websiteId) => {
      const [version] = await tx.db.rows<{ arch: string; lang: string }>(
        sql`select arch, lang from website_version
         where workspace_id = ${tx.workspace.id} and id = ${versionId} and view_id = ${page.view_id}`,
      );
      if (!version) throw errors.missing('website.version', [versionId]);
      const website = await getWebsite(tx, websiteId);
      await checkMarkup(tx, version.arch, website);
      await saveMarkup(tx, page.view_id, version.arch, version.lang, website.default_lang);
    }),
});

export const websitePageDelete = defineOperation('websitePageDelete', {
  effects: ['writes', 'deletes'],
  policy: DESIGNER_WRITE_POLICY,
  description: 'Deletes a page that belongs to a website, with its markup, versions and menu entries.',
  args: (arg) => ({ pageId: arg.recordId({ required: true, description: 'Id of the page.' }) }),
  type: 'Boolean',
  returns: GraphQLBoolean,
  run: (ctx, { pageId }) =>
    ctx.tx(async (tx) => {
      checkDesigner(tx);
      const [page] = await tx.db.rows<{ website_id: number | null }>(
        sql`select website_id from website_page where workspace_id = ${tx.workspace.id} and id = ${pageId} for update`,
      );
      if (!page) throw errors.missing('website.page', [pageId]);
      await checkCanEditPages(tx, [pageId]);
      if (page.website_id === null)
        throw errors.user('A shared page belongs to all websites and cannot be deleted. Hide it instead.');
      return unlink(tx, 'website.page', [pageId]);
    }),
});
