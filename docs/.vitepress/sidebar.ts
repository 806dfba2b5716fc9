import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Groups of the sidebar, in reading order. Every page of `docs` is in one of them (`test/docs/site.test.ts`). */
const GROUPS: readonly { text: string; pages: readonly string[]; collapsed?: boolean }[] = [
  { text: 'Start', pages: ['guides/start', 'guides/protocols', 'guides/command-line'] },
  { text: 'Email', pages: ['guides/lists', 'guides/delivery', 'guides/going-live', 'guides/moving'] },
  { text: 'Mailboxes', pages: ['guides/mailboxes'] },
  {
    text: 'Records and apps',
    pages: [
      'guides/records',
      'guides/calendar',
      'guides/helpdesk',
      'guides/website',
      'guides/apps',
      'guides/odoo-clients',
    ],
  },
  {
    text: 'GraphQL and agents',
    pages: ['guides/graphql', 'guides/errors', 'guides/clients', 'graphql-types'],
  },
  {
    text: 'Operating',
    pages: [
      'guides/deploying',
      'guides/settings',
      'guides/administration',
      'guides/watching',
      'guides/distributed',
    ],
  },
];

/** Pages of `docs` itself in reading order; others follow. */
const INTERNALS: readonly string[] = [
  'architecture',
  'engine',
  'map',
  'recipes',
  'glossary',
  'contract',
  'STYLE',
];

interface SidebarItem {
  text: string;
  link: string;
}

interface SidebarGroup {
  text: string;
  collapsed?: boolean;
  items: SidebarItem[];
}

/** The sidebar of the site, with the heading of each page as its title. */
export function buildSidebar(folder: string): SidebarGroup[] {
  const listedPages = new Set(['index', ...INTERNALS, ...GROUPS.flatMap(({ pages }) => pages)]);
  const others = listPages(folder).filter((page) => !listedPages.has(page));
  const decisions = listPages(join(folder, 'adr')).map((page) => `adr/${page}`);
  const groups = [
    ...GROUPS,
    { text: 'Internals', pages: [...INTERNALS, ...others], collapsed: true },
    { text: 'Decisions', pages: decisions, collapsed: true },
  ];
  return groups.map(({ pages, ...group }) => ({
    ...group,
    items: pages.map((page) => ({ text: getHeading(join(folder, `${page}.md`)), link: `/${page}` })),
  }));
}

const listPages = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();

function getHeading(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (!heading) throw new Error(`${file} has no heading`);
  return heading;
}
