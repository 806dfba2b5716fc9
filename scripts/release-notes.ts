import { readFileSync } from 'node:fs';

// Prints the release notes for a tag: its section of CHANGELOG.md. Fails if the tag does not match the version in
// package.json, or if the changelog has no dated section with entries for it. Usage:
//
// node scripts/release-notes.ts v0.2.0 [<URL of the repository's files>] > notes.md

/** Returns a version's section without its heading. Null if there is no dated section with entries. */
export function findSection(changelog: string, version: string): string | null {
  const [, ...sections] = changelog.split(/^## (?=\[)/m);
  const section = sections.find((section) => section.startsWith(`[${version}] - `));
  const [, body] = /^\[[^\]]+\] - \d{4}-\d\d-\d\d\n(.*)$/s.exec(section ?? '') ?? [];
  return body?.trim() || null;
}

/** @throws Error that says what to correct before pushing the tag again */
export function buildReleaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`)
    throw new Error(`The tag is ${tag}, but package.json has the version ${version}.`);
  const section = findSection(changelog, version);
  if (!section) throw new Error(`CHANGELOG.md has no entries under "## [${version}] - YYYY-MM-DD".`);
  return section;
}

/**
 * Adapts Markdown to a release page, which renders each line break in a paragraph and does not resolve links such as
 * `docs/guides/apps.md`.
 */
export const formatReleasePage = (markdown: string, url: string): string =>
  markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replace(/(\S)\n *(?![\s#|>-])/g, '$1 ')))
    .join('')
    .replace(/\]\((?!https?:|#)/g, `](${url}/`);

if (import.meta.main) {
  const [tag = '', url] = process.argv.slice(2);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const notes = buildReleaseNotes(tag, version, readFileSync('CHANGELOG.md', 'utf8'));
  console.log(url ? formatReleasePage(notes, url) : notes);
}
