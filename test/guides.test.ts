import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { buildProgram } from '../boot/cli/program.ts';
import { slugify } from '../docs/.vitepress/markdown.ts';
import { parseBlocks, renderBlocks } from '../schema/email/editor/block-html.ts';
import { buildProduct } from '../schema/index.ts';

const PAGES = [
  ...globSync(['*.md', 'docs/*.md', 'docs/{adr,guides}/*.md', 'examples/**/*.md', '.github/**/*.md']),
  'bench/README.md',
];
const readText = (path: string): string => readFileSync(path, 'utf8');
const findMatches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1]!);

const findFences = (path: string, language: string): string[] =>
  findMatches(readText(path), new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));

test('every link and image of a page refers to an existing file and heading', () => {
  const buildLinks = (page: string) => [
    ...findMatches(readText(page), /\]\((?!https?:)([^)]+)\)/g),
    ...findMatches(readText(page), /\b(?:src|srcset)="(?!https?:|\/)([^"]+)"/g),
  ];
  expect(buildLinks('README.md')).toContain('docs/images/leads-dark.webp');
  for (const page of PAGES)
    for (const link of buildLinks(page)) {
      const [file, name] = link.split('#') as [string, string | undefined];
      const path = file ? join(dirname(page), file) : page;
      expect(existsSync(path), `${page}: ${link}`).toBe(true);
      if (name)
        expect(findMatches(readText(path), /^#+ (.*)$/gm).map(slugify), `${page}: ${link}`).toContain(name);
    }
});

test('the AWS policy allows exactly the actions that the code uses', () => {
  const usedActions = globSync('src/email/*.ts').flatMap((path) =>
    findMatches(readText(path), /new (\w+)Command\(/g),
  );
  // SES also checks the second action for raw content, and the third for an identity created with tags.
  const expectedActions = [...new Set([...usedActions, 'SendRawEmail', 'TagResource'])].map(
    (name) => `ses:${name}`,
  );
  const policy = JSON.parse(findFences('docs/guides/going-live.md', 'json')[0]!);
  expect([...policy.Statement[0].Action].sort()).toEqual(expectedActions.sort());
});

test('quotes log messages as they appear in the log', () => {
  const sources = globSync('{boot,facades,schema,src}/**/*.ts').map(readText);
  const quoted = PAGES.flatMap((page) =>
    findMatches(readText(page), /([^.]*\bthe log\b[^.]*)/g).flatMap((sentence) =>
      findMatches(sentence, /`(\w+ \w+ [^`]+)`/g),
    ),
  );
  expect(quoted.length).toBeGreaterThanOrEqual(3);
  const missingLines = quoted.filter((line) => !sources.some((source) => source.includes(`'${line}'`)));
  expect(missingLines).toEqual([]);
});

test('the command line guide lists every command with its options', () => {
  const commands = findMatches(readText('docs/guides/command-line.md'), /^npm run -s cli -- (.*)$/gm);
  const program = buildProgram(() => undefined, {});
  const leaves = program.commands.flatMap((resource) =>
    resource.commands.length ? resource.commands : [resource],
  );
  expect(leaves.length).toBeGreaterThan(10);
  for (const leaf of leaves) {
    const words = [...(leaf.parent === program ? [] : [leaf.parent!.name()]), leaf.name()];
    const args = leaf.registeredArguments.map((arg) =>
      arg.required ? `<${arg.name()}>` : `[${arg.name()}]`,
    );
    const usage = [...words, ...args].join(' ');
    const lines = commands.filter((line) => `${line} `.startsWith(`${usage} `));
    for (const { flags, mandatory } of leaf.options)
      expect(
        lines.some((line) => line.includes(flags) && (!mandatory || !line.includes(`[${flags}`))),
        `${usage} ${flags}`,
      ).toBe(true);
    expect(lines.length, usage).toBeGreaterThan(0);
  }
});

test('the GraphQL documents of the pages match the schema', () => {
  const { schema } = buildProduct();
  const documents = PAGES.flatMap((page) => findFences(page, 'graphql'));
  const inline = PAGES.flatMap((page) => findMatches(readText(page), /`(mutation \{[^`]*\})`/g));
  const inCode = PAGES.flatMap((page) => findMatches(readText(page), /'(mutation \([^']*\})'/g));
  expect(documents.length + inline.length + inCode.length).toBeGreaterThanOrEqual(7);
  for (const text of [...documents, ...inline, ...inCode])
    expect(validate(schema, parse(text)), text).toEqual([]);
});

test('every JavaScript block declares or imports the names that it uses', { timeout: 30_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'blocks-'));
  try {
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    const pages = ['README.md', ...globSync('docs/guides/*.md')];
    const blocks = pages.flatMap((page) => [...findFences(page, 'js'), ...findFences(page, 'ts')]);
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    // The export makes each block a module, so that names of other blocks do not count.
    const files = blocks.map((block, i) => {
      writeFileSync(join(folder, `${i}.mts`), `${block}\nexport {};\n`);
      return `${i}.mts`;
    });
    const compiler = join(folder, 'node_modules/.bin/tsc');
    const options = ['--ignoreConfig', '--noEmit', '--strict', 'false', '--skipLibCheck', '--types', 'node'];
    const { stdout } = spawnSync(
      compiler,
      [...options, '--target', 'esnext', '--module', 'nodenext', ...files],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a shell block contains commands, and a block of settings is marked as such', () => {
  const isSettings = (block: string) => {
    const lines = block.split('\n').filter((line) => line && !line.startsWith('#'));
    return lines.length > 0 && lines.every((line) => /^[A-Z][A-Z0-9_]*=[^$ ]*$/.test(line));
  };
  const problems = PAGES.flatMap((page) =>
    ['sh', ''].flatMap((language) => findFences(page, language).filter(isSettings)),
  );
  expect(problems).toEqual([]);
});

test('the JSON example of the block editor is valid', () => {
  const [text] = findFences('docs/guides/lists.md', 'json');
  const html = renderBlocks(parseBlocks('content', text!));
  expect(html).toContain('{{firstName, fallback=there}}');
  expect(html).toContain('{{usesend_unsubscribe_url}}');
  expect(html).toContain('<strong>, read </strong>');
});
