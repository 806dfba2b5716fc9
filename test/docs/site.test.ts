import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { escapeMustaches, resolveLink, slugify } from '../../docs/.vitepress/markdown.ts';
import { buildSidebar } from '../../docs/.vitepress/sidebar.ts';

const GROUPS = [
  'Start',
  'Email',
  'Mailboxes',
  'Records and apps',
  'GraphQL and agents',
  'Operating',
  'Internals',
  'Decisions',
];

test('the sidebar lists every page once, under its heading', () => {
  const sidebar = buildSidebar('docs');
  expect(sidebar.map(({ text }) => text)).toEqual(GROUPS);
  const items = sidebar.flatMap((group) => group.items);
  const pages = globSync('docs/{,adr/,guides/}*.md').filter((page) => page !== 'docs/index.md');
  expect(items.map(({ link }) => `docs${link}.md`).sort()).toEqual(pages.sort());
  expect(items.find(({ link }) => link === '/guides/apps')?.text).toBe('Apps');
});

test('every link on the home page resolves to a page', () => {
  const links = [...readFileSync('docs/index.md', 'utf8').matchAll(/link: (\/[\w/-]+)/g)];
  expect(links.length).toBeGreaterThan(5);
  for (const [, link] of links) expect(existsSync(`docs${link}.md`), link).toBe(true);
});

const REPOSITORY = 'https://example.com/atrium/blob/main';

test.each([
  ['apps.md#install', 'guides/records.md', { href: 'apps.md#install' }],
  ['#install', 'guides/apps.md', { href: '#install' }],
  ['https://example.org/a', 'engine.md', { href: 'https://example.org/a' }],
  ['../adr/0010-apps.md', 'guides/apps.md', { href: '../adr/0010-apps.md' }],
  ['adr', 'engine.md', { href: 'adr/0001-sql-writes-prisma-reads-settings.md' }],
  ['../src/limits.ts', 'map.md', { href: `${REPOSITORY}/src/limits.ts` }],
  ['../../examples/README.md#fleet', 'guides/apps.md', { href: `${REPOSITORY}/examples/README.md#fleet` }],
])('resolves the link %s of %s to %o', (link, page, target) => {
  expect(resolveLink(link, page, { docs: 'docs', repository: REPOSITORY })).toEqual(target);
});

test('replaces a link to a source file with its path if there is no repository', () => {
  const targets = { docs: 'docs', repository: null };
  expect(resolveLink('../CONTRIBUTING.md#set-up', 'map.md', targets)).toEqual({ path: 'CONTRIBUTING.md' });
});

test('text and inline code contain no Vue expression', () => {
  const rules: Record<string, (...args: unknown[]) => string> = {
    text: () => 'Hello {{name}}',
    code_inline: () => '<code>{{{name}}}</code>',
  };
  escapeMustaches({ core: { ruler: { push: () => undefined } }, renderer: { rules } });
  expect(rules.text!()).toBe('Hello &#123;&#123;name}}');
  expect(rules.code_inline!()).not.toContain('{{');
});

test.each([
  ['9. Several processes, poolers and readiness', '9-several-processes-poolers-and-readiness'],
  ['What a `key` may do', 'what-a-key-may-do'],
])('derives the id of heading %s as GitHub and GitLab do', (heading, id) => {
  expect(slugify(heading)).toBe(id);
});

test.each(['facades', 'apps', 'schema'])('docs/architecture.md names every folder of %s', (folder) => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folderNames = folders.map(({ name }) => name).filter((name) => !['kit', 'i18n'].includes(name));
  expect(folderNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});
