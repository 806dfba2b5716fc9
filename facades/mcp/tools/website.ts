import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool, type Tool, toToolResult } from '../tool.ts';
import { buildIdSchema, buildTextSchema, buildWriteAnnotations, READING_TOOL, WRITING_TOOL } from './kit.ts';

// Pages, menus and redirects of websites. A shared record is copied for the website before it is changed.

const WEBSITE_ID_SCHEMA = buildIdSchema();
const PAGE_ARGUMENTS = {
  url: buildTextSchema(),
  page_id: buildIdSchema('Instead of url.'),
  website_id: WEBSITE_ID_SCHEMA,
};
const ADD_ANNOTATIONS = buildWriteAnnotations({ destructiveHint: false, idempotentHint: false });
const DESIGN_TOOL = {
  group: 'website',
  role: 'designer',
  method: null,
} as const;

interface WebsiteArgs {
  website_id?: number;
}

interface WebsitePageArgs extends WebsiteArgs {
  url?: string;
  page_id?: number;
}

/** Converts the arguments that identify a page to the arguments of the operations. @throws BAD_VALUE for two pages */
function toPageArguments({ url, page_id, website_id }: WebsitePageArgs) {
  if (url !== undefined && page_id !== undefined)
    throw errors.badValue('url and page_id cannot be combined.');
  return { url, pageId: page_id, websiteId: website_id };
}

/** Builds a website's URL on the public host, which also works if the website has its own domain. */
const buildSiteAddress = ({ runtime, workspace }: Ctx, websiteId: number): string =>
  `${new URL(runtime.config.publicUrl).origin}/site/${workspace.slug}~${websiteId}`;

async function getPageAddress(ctx: Ctx, websiteId: number | undefined, url: string): Promise<string> {
  const id = websiteId ?? (await call(ctx, 'websiteOutline', {})).id;
  return buildSiteAddress(ctx, Number(id)) + url;
}

const pagesTool = defineTool({
  name: 'website_pages',
  title: 'List pages',
  description: "Lists a website's pages.",
  inputSchema: inputSchema({ website_id: WEBSITE_ID_SCHEMA }),
  ...DESIGN_TOOL,
  ...READING_TOOL,
  run: async ({ ctx, args }) => {
    const { id, name, domain, pages } = await call(ctx, 'websiteOutline', { websiteId: args.website_id });
    const rows = pages.map((page) => ({
      id: page.id,
      url: page.url,
      name: page.name,
      published: page.published,
      indexed: page.indexed,
      view_id: page.viewId,
      in_menu: page.inMenu,
      website_specific: page.websiteSpecific,
    }));
    const website = { id, name, domain, address: buildSiteAddress(ctx, Number(id)) };
    return toToolResult({ website, pages: rows }, rows.length);
  },
});

const newPageTool = defineTool({
  name: 'website_new_page',
  title: 'Create a page',
  description: 'Creates a page, unpublished by default.',
  inputSchema: inputSchema(
    {
      name: buildTextSchema(),
      template: { ...buildTextSchema(), default: 'website.default_page' },
      add_menu: { type: 'boolean', default: true },
      published: { type: 'boolean', default: false },
      website_id: WEBSITE_ID_SCHEMA,
    },
    ['name'],
  ),
  ...DESIGN_TOOL,
  ...WRITING_TOOL,
  annotations: ADD_ANNOTATIONS,
  run: async ({ ctx, args: { name, template, add_menu, published, website_id } }) => {
    const page = await call(ctx, 'websitePageCreate', {
      name,
      template,
      addMenu: add_menu,
      published,
      websiteId: website_id,
    });
    const created = {
      page_id: page.pageId,
      url: page.url,
      address: await getPageAddress(ctx, website_id, page.url),
      name: page.name,
      view_id: page.viewId,
      menu_id: page.menuId,
      published: page.published,
      website_specific: page.websiteSpecific,
    };
    return toToolResult({ created }, 1);
  },
});

const editPageTool = defineTool({
  name: 'website_edit_page',
  title: 'Edit a page',
  description: "Replaces a page's markup. A page that all websites share is copied first.",
  inputSchema: inputSchema({ arch: buildTextSchema('Complete markup.'), ...PAGE_ARGUMENTS }, ['arch']),
  ...DESIGN_TOOL,
  ...WRITING_TOOL,
  run: async ({ ctx, args }) => {
    const { pageId, url, viewId, websiteSpecific } = await call(ctx, 'websiteMarkupSet', {
      ...toPageArguments(args),
      arch: args.arch,
    });
    return toToolResult({ page_id: pageId, url, view_id: viewId, website_specific: websiteSpecific }, 1);
  },
});

const publishTool = defineTool({
  name: 'website_publish',
  title: 'Publish a page',
  description: 'Publishes or unpublishes a page, and sets whether search engines may list it.',
  inputSchema: inputSchema({
    ...PAGE_ARGUMENTS,
    published: { type: 'boolean', default: true },
    indexed: { type: 'boolean' },
  }),
  ...DESIGN_TOOL,
  ...WRITING_TOOL,
  run: async ({ ctx, args }) => {
    const { pageId, url, published, indexed } = await call(ctx, 'websitePagePublish', {
      ...toPageArguments(args),
      published: args.published,
      indexed: args.indexed,
    });
    const address = await getPageAddress(ctx, args.website_id, url);
    return toToolResult({ page_id: pageId, url, address, published, indexed }, 1);
  },
});

const menuTool = defineTool({
  name: 'website_menu',
  title: 'Website menu',
  description: 'With list: true, lists the menu. Otherwise, adds an entry.',
  inputSchema: inputSchema({
    list: { type: 'boolean', default: false },
    name: buildTextSchema(),
    url: buildTextSchema(),
    parent_id: buildIdSchema(),
    sequence: { type: 'integer' },
    new_window: { type: 'boolean', default: false },
    website_id: WEBSITE_ID_SCHEMA,
  }),
  ...DESIGN_TOOL,
  ...WRITING_TOOL,
  annotations: ADD_ANNOTATIONS,
  readsWith: { argument: 'list', role: 'designer' },
  run: async ({ ctx, args }) => {
    const { list, name, url, website_id: websiteId } = args;
    if (list) {
      const { menus } = await call(ctx, 'websiteOutline', { websiteId });
      const rows = menus.map(({ parentId, pageId, newWindow, ...menu }) => ({
        ...menu,
        parent_id: parentId,
        page_id: pageId,
        new_window: newWindow,
      }));
      return toToolResult({ menus: rows }, rows.length);
    }
    if (!name || !url)
      throw errors.user('A new entry requires a name and a url. To list the menu, set list: true.');
    const { parent_id: parentId, sequence, new_window: newWindow } = args;
    const addedMenu = await call(ctx, 'websiteMenuAdd', {
      name,
      url,
      parentId,
      sequence,
      newWindow,
      websiteId,
    });
    return toToolResult({ menu_id: addedMenu.id, name: addedMenu.name, url: addedMenu.url }, 1);
  },
});

const redirectTool = defineTool({
  name: 'website_redirect',
  title: 'Redirect an address',
  description: 'Redirects a URL, permanently (301) or temporarily (302).',
  inputSchema: inputSchema(
    {
      url_from: buildTextSchema(),
      url_to: buildTextSchema(),
      redirect_type: {
        enum: ['301', '302', 301, 302],
        default: '301',
        listed: { type: 'string', enum: ['301', '302'], default: '301' },
      },
      name: buildTextSchema(),
      website_id: WEBSITE_ID_SCHEMA,
    },
    ['url_from', 'url_to'],
  ),
  ...DESIGN_TOOL,
  ...WRITING_TOOL,
  annotations: ADD_ANNOTATIONS,
  run: async ({ ctx, args }) => {
    const redirect = await call(ctx, 'websiteRedirectAdd', {
      urlFrom: args.url_from,
      urlTo: args.url_to,
      redirectType: String(args.redirect_type),
      name: args.name,
      websiteId: args.website_id,
    });
    return toToolResult(
      { rewrite_id: redirect.id, url_from: redirect.urlFrom, url_to: redirect.urlTo, type: redirect.type },
      1,
    );
  },
});

export const websiteTools: readonly Tool[] = [
  pagesTool,
  newPageTool,
  editPageTool,
  publishTool,
  menuTool,
  redirectTool,
];
