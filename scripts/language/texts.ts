import { globSync, readFileSync } from 'node:fs';

// Uses regular expressions, so that the check needs no compiler.

/** A text or a name with its location, such as `src/limits.ts:12`. */
export interface Excerpt {
  text: string;
  place: string;
}

export const TEXT_KINDS = [
  'comments',
  'documentation',
  'descriptions',
  'errors',
  'UI strings',
  'test titles',
] as const;
export const NAME_KINDS = ['functions', 'types'] as const;

export type Kind = (typeof TEXT_KINDS)[number] | (typeof NAME_KINDS)[number];

export type Excerpts = Record<Kind, Excerpt[]>;

const SOURCES = '{src,schema,facades,apps,boot,web/src,scripts}/**/*.{ts,tsx}';
const TESTS = '{test,web/src}/**/*.test.ts';
const PAGES = '{*.md,bench/README.md,docs/**/*.md}';

const STRING = /(['"`])(?<text>(?:\\.|(?!\1)[\s\S])*?)\1/.source;
const BLOCK_COMMENT = /^[ \t{]*\/\*\*?(?<text>[\s\S]*?)\*\//gm;
/** Matches consecutive line comments as one comment. */
const LINE_COMMENT = /^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm;
const DESCRIPTION = new RegExp(String.raw`\bdescription:\s*${STRING}`, 'g');
const ERROR = new RegExp(String.raw`\berrors?\.\w+\(\s*${STRING}`, 'g');
const UI_STRING = new RegExp(String.raw`:\s*${STRING}`, 'g');
const TEST_TITLE = new RegExp(String.raw`\b(?:test|it|describe)(?:\.\w+)?\(\s*${STRING}`, 'g');
const FUNCTION = new RegExp(
  [
    /\bfunction\*?\s+(?<text>\w+)\s*[<(]/,
    /\bconst\s+(?<arrow>\w+)\s*(?::[^=\n]+)?=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*(?::[^=\n]+)?=>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const TYPE = /^(?:export )?(?:interface|type)\s+(?<text>\w+)/gm;

/** Shorter texts are labels, which have no grammar. */
const MIN_TEXT_LENGTH = 16;

/** Omits generated files and languages other than English. */
export function readExcerpts(root: string): Excerpts {
  const readFiles = (pattern: string, extract: (content: string, file: string) => Partial<Excerpts>) =>
    globSync(pattern, { cwd: root, exclude: isExcluded })
      .sort()
      .map((file) => extract(readFileSync(`${root}/${file}`, 'utf8'), file));
  const parts = [
    ...readFiles(SOURCES, (content, file) =>
      file.includes('.test.') ? {} : extractFromSource(content, file),
    ),
    ...readFiles(PAGES, (content, file) => ({ documentation: extractFromPage(content, file) })),
    ...readFiles(TESTS, (content, file) => ({ 'test titles': extract(content, file, TEST_TITLE) })),
  ];
  const collect = (kind: Kind): Excerpt[] => {
    const excerpts = parts.flatMap((part) => part[kind] ?? []);
    return isNameKind(kind) ? excerpts : excerpts.filter(({ text }) => text.length >= MIN_TEXT_LENGTH);
  };
  return Object.fromEntries([...TEXT_KINDS, ...NAME_KINDS].map((kind) => [kind, collect(kind)])) as Excerpts;
}

const isNameKind = (kind: Kind): boolean => (NAME_KINDS as readonly Kind[]).includes(kind);

const isExcluded = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|generated|dist|fixtures|generated\.ts|i18n\/(?!en(?:\/|$))[a-z]{2})(?:\/|$)/.test(
    path,
  );

export function extractFromSource(source: string, file: string): Partial<Excerpts> {
  return {
    comments: [BLOCK_COMMENT, LINE_COMMENT].flatMap((pattern) =>
      extract(source, file, pattern, stripCommentMarks),
    ),
    descriptions: extract(source, file, DESCRIPTION),
    errors: extract(source, file, ERROR),
    'UI strings': file.includes('/i18n/en/') ? extract(source, file, UI_STRING) : [],
    functions: extract(source, file, FUNCTION),
    types: extract(source, file, TYPE),
  };
}

const stripCommentMarks = (comment: string): string =>
  comment.replace(/^[ \t]*(?:\*|\/\/)/gm, '').replace(/```[\s\S]*?```/g, '');

/** Omits headings and code. Documentation has one sentence per line. */
export function extractFromPage(page: string, file: string): Excerpt[] {
  const withoutCode = page.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''));
  return withoutCode
    .split('\n')
    .map((line, index) => ({ text: line.trim().replace(/^[-*|>]+\s*/, ''), place: `${file}:${index + 1}` }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'));
}

function extract(
  content: string,
  file: string,
  pattern: RegExp,
  clean: (text: string) => string = (text) => text,
): Excerpt[] {
  let line = 1;
  let count = 0;
  return [...content.matchAll(pattern)].map((match) => {
    line += content.slice(count, match.index).split('\n').length - 1;
    count = match.index;
    const { text, arrow } = match.groups ?? {};
    const joinedText = clean(text ?? arrow ?? match[0]).replace(/\s+/g, ' ');
    return { text: joinedText.trim(), place: `${file}:${line}` };
  });
}
