import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The parts of markdown-it that these plugins use. */
export interface MarkdownIt {
  core: { ruler: { push(name: string, rule: (state: State) => void): void } };
  renderer: { rules: Record<string, ((...args: unknown[]) => string) | undefined> };
}

interface State {
  tokens: Token[];
  env: { relativePath?: string };
  Token: new (type: string, tag: string, nesting: number) => Token;
}

interface Token {
  type: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Generates heading ids as Git forges do, so that `page.md#heading` works in both places. */
export const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** Vue would evaluate `{{ … }}` in text and inline code. VitePress already protects blocks of code. */
export function escapeMustaches(md: MarkdownIt): void {
  for (const type of ['text', 'code_inline']) {
    const render = md.renderer.rules[type]!;
    md.renderer.rules[type] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
  }
}

export interface LinkTargets {
  /** Folder that contains the pages. */
  docs: string;
  /** URL to which file paths are appended, for files outside of `docs`. Null if none exists. */
  repository: string | null;
}

/**
 * Points links that leave `docs` to the repository, and links to a folder to its first page. Without a repository,
 * replaces a link that leaves `docs` with its text, followed by the path of the file.
 */
export function rewriteLinks(md: MarkdownIt, targets: LinkTargets): void {
  md.core.ruler.push('atrium_links', (state) => {
    for (const block of state.tokens)
      if (block.children) block.children = rewriteInline(block.children, state, targets);
  });
}

function rewriteInline(tokens: Token[], state: State, targets: LinkTargets): Token[] {
  let unlinked: string | null = null;
  return tokens.flatMap((token) => {
    if (token.type === 'link_close' && unlinked !== null) {
      const path = unlinked;
      unlinked = null;
      return buildPathTokens(path, state);
    }
    if (token.type !== 'link_open') return [token];
    const target = resolveLink(token.attrGet('href')!, state.env.relativePath ?? '', targets);
    if (target.path !== undefined) {
      unlinked = target.path;
      return [];
    }
    token.attrSet('href', target.href);
    return [token];
  });
}

/** ` (path)`, with the path as code. */
function buildPathTokens(path: string, { Token }: State): Token[] {
  const code = Object.assign(new Token('code_inline', 'code', 0), { content: path, markup: '`' });
  const text = (content: string) => Object.assign(new Token('text', '', 0), { content });
  return [text(' ('), code, text(')')];
}

type LinkTarget = { href: string; path?: undefined } | { path: string };

/** @param page path of the page that contains the link, relative to `docs` */
export function resolveLink(href: string, page: string, { docs, repository }: LinkTargets): LinkTarget {
  if (/^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(href)) return { href };
  const [relative, hash = ''] = href.split(/(?=#)/, 2) as [string, string?];
  const path = posix.join('docs', posix.dirname(page), relative);
  if (path.startsWith('docs/')) {
    const folder = join(docs, path.slice('docs/'.length));
    return { href: isFolder(folder) ? posix.join(relative, findFirstPage(folder)) : href };
  }
  return repository ? { href: `${repository}/${path}${hash}` } : { path };
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const findFirstPage = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()[0]!;
