import { errors } from '../../../src/errors.ts';
import { defineTool, type Tool, type ToolSpec } from '../tool.ts';
import { answers, ID, TEXT, takes, writes } from './kit.ts';

// Tools whose verbs are still to come: listed with their schemas for those who may use them, and a call says so. A tool
// that gets its verb moves into a file of its own and leaves its line here.

const NO_WEBSITE = 'This server has no website yet.';

type Named = Pick<ToolSpec<object>, 'name' | 'title' | 'description'>;
type Declared = Omit<ToolSpec<object>, 'method' | 'run'>;

const later = (why: string, spec: Declared): ToolSpec<object> => ({
  ...spec,
  method: null,
  run: () => Promise.reject(errors.user(why)),
});

const WEBSITE = ID();
const PAGE = { url: TEXT(), page_id: ID('Instead of url.'), website_id: WEBSITE };

const website = (spec: Named & Pick<Declared, 'inputSchema'>, isRead = false): ToolSpec<object> =>
  later(NO_WEBSITE, {
    ...spec,
    outputSchema: answers(),
    annotations: isRead ? writes({ readOnlyHint: true, destructiveHint: false }) : writes(),
    scope: isRead ? 'read' : 'write',
    group: 'website',
    role: 'designer',
  });

export const websiteTools: readonly Tool[] = [
  defineTool(
    website(
      {
        name: 'website_pages',
        title: 'List pages',
        description: 'Lists the pages of a website.',
        inputSchema: takes({ website_id: WEBSITE }),
      },
      true,
    ),
  ),
  defineTool(
    website({
      name: 'website_new_page',
      title: 'Create a page',
      description: 'Creates a page, unpublished by default.',
      inputSchema: takes(
        {
          name: TEXT(),
          template: { ...TEXT(), default: 'website.default_page' },
          add_menu: { type: 'boolean', default: true },
          published: { type: 'boolean', default: false },
          website_id: WEBSITE,
        },
        ['name'],
      ),
    }),
  ),
  defineTool(
    website({
      name: 'website_edit_page',
      title: 'Edit a page',
      description: 'Replaces the markup of a page on a copy for its website.',
      inputSchema: takes({ arch: TEXT('Complete markup.'), ...PAGE }, ['arch']),
    }),
  ),
  defineTool(
    website({
      name: 'website_publish',
      title: 'Publish a page',
      description: 'Publishes a page or takes it back, and says whether search engines may list it.',
      inputSchema: takes({
        ...PAGE,
        published: { type: 'boolean', default: true },
        indexed: { type: 'boolean' },
      }),
    }),
  ),
  defineTool(
    website({
      name: 'website_menu',
      title: 'Website menu',
      description: 'Lists the menu with list true, else adds an entry.',
      inputSchema: takes({
        list: { type: 'boolean', default: false },
        name: TEXT(),
        url: TEXT(),
        parent_id: ID(),
        sequence: { type: 'integer' },
        new_window: { type: 'boolean', default: false },
        website_id: WEBSITE,
      }),
    }),
  ),
  defineTool(
    website({
      name: 'website_redirect',
      title: 'Redirect an address',
      description: 'Redirects an address, for good (301) or for now (302).',
      inputSchema: takes(
        {
          url_from: TEXT(),
          url_to: TEXT(),
          redirect_type: { enum: ['301', '302', 301, 302], default: '301' },
          name: TEXT(),
          website_id: WEBSITE,
        },
        ['url_from', 'url_to'],
      ),
    }),
  ),
];
