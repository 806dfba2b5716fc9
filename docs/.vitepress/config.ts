import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escapeMustaches, type MarkdownIt, rewriteLinks, slugify } from './markdown.ts';
import { buildSidebar } from './sidebar.ts';

// Build settings:
// - DOCS_REPOSITORY: URL to which file paths are appended, such as https://example.com/atrium/blob/main. Default:
//   derived from `repository` in package.json. Without one, pages name such files without a link.
// - DOCS_BASE: path of the site on its host, such as /docs/. Default: /

const docs = fileURLToPath(new URL('..', import.meta.url));
const product = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const sidebar = buildSidebar(docs);

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b6b58" d="M13 4h6l10 24h-6l-2-5H11l-2 5H3zm3 7-3 7h6z"/></svg>';

/** Accent color of the browser application. */
const COLORS = `
  :root { --vp-c-brand-1: #0b6b58; --vp-c-brand-2: #0d7a64; --vp-c-brand-3: #0b6b58; --vp-c-brand-soft: #0b6b581f }
  .dark { --vp-c-brand-1: #63cdb4; --vp-c-brand-2: #7fd8c3; --vp-c-brand-3: #0b6b58; --vp-c-brand-soft: #63cdb429 }
`;

export default {
  title: 'Atrium',
  description: product.description,
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  head: [
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }],
    ['style', {}, COLORS],
  ],
  markdown: {
    // Pages are plain Markdown: `<name>` and `{name}` are text.
    html: false,
    linkify: false,
    attrs: { disable: true },
    anchor: { slugify },
    config(md: MarkdownIt) {
      escapeMustaches(md);
      rewriteLinks(md, { docs, repository: getRepositoryUrl() });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/start', activeMatch: '^/guides/' },
      { text: 'Internals', link: '/architecture', activeMatch: '^/(?!guides/)[^/]+' },
    ],
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
  },
};

function getRepositoryUrl(): string | null {
  const repository = process.env.DOCS_REPOSITORY ?? parseRepository(product.repository);
  return repository ? repository.replace(/\/+$/, '') : null;
}

/** Parses `repository` in the forms that npm accepts: an object or a string, with `git+` and `.git` around the URL. */
function parseRepository(repository: string | { url: string } | undefined): string | null {
  const url = typeof repository === 'object' ? repository.url : repository;
  const address = url?.match(/https:\/\/.+?(?=\.git$|$)/)?.[0];
  return address ? `${address}/blob/HEAD` : null;
}
