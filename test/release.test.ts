import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { collectFolders, findRejectedPackages, renderNotice } from '../scripts/notice.ts';
import { buildReleaseNotes, findSection, formatReleasePage } from '../scripts/release-notes.ts';

const readText = (path: string): string => readFileSync(path, 'utf8');
const workflows = globSync('.github/{workflows,actions}/**/*.yml');
const lock = JSON.parse(readText('package-lock.json'));

test('pins every action to a commit with the version in a comment', () => {
  const actions = workflows.flatMap((file) =>
    [...readText(file).matchAll(/^\s*(?:- )?uses: (?!\.\/)(.*)$/gm)].map(
      ([, action]) => `${file}: ${action}`,
    ),
  );
  expect(actions.length).toBeGreaterThan(10);
  expect(actions.filter((action) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

test('sets a time limit for every job and permissions for every workflow', () => {
  for (const file of workflows.filter((workflow) => workflow.includes('/workflows/'))) {
    expect(readText(file), file).toMatch(/^permissions:/m);
    const jobs = readText(file)
      .split(/^jobs:\n/m)[1]!
      .split(/^ {2}(?=[\w-]+:\n)/m)
      .slice(1);
    for (const job of jobs) expect(job, file).toMatch(/^ {4}(?:timeout-minutes: \d+|uses: \.\/)/m);
  }
});

describe('release notes', () => {
  const changelog = `# Changelog

## [Unreleased]

## [1.2.0] - 2030-02-01

### Added

- [Apps](docs/guides/apps.md).

## [1.1.0] - 2030-01-01

### Fixed

- Something.

## [1.0.0]

- Without a date.
`;

  it.each([
    ['1.2.0', '### Added\n\n- [Apps](docs/guides/apps.md).'],
    ['1.1.0', '### Fixed\n\n- Something.'],
    ['1.0.0', null],
    ['1.2', null],
    ['Unreleased', null],
  ])('of %s match its changelog section', (version, section) => {
    expect(findSection(changelog, version)).toBe(section);
  });

  test('require a tag that matches the version, and a changelog section', () => {
    expect(buildReleaseNotes('v1.1.0', '1.1.0', changelog)).toContain('Something');
    expect(() => buildReleaseNotes('v1.2.0', '1.1.0', changelog)).toThrow(
      'package.json has the version 1.1.0',
    );
    expect(() => buildReleaseNotes('v1.3.0', '1.3.0', changelog)).toThrow('no entries under "## [1.3.0]');
  });

  test('have absolute links and unwrapped paragraphs', () => {
    const markdown = '### A\n\n- [a](a.md),\n  [b](https://b.example)\n  - c\n- d\n\n```\ne\nf\n```\n';
    expect(formatReleasePage(markdown, 'https://x.example/v1')).toBe(
      '### A\n\n- [a](https://x.example/v1/a.md), [b](https://b.example)\n  - c\n- d\n\n```\ne\nf\n```\n',
    );
  });

  test('exist for the version in package.json and package-lock.json', () => {
    expect(buildReleaseNotes(`v${manifest.version}`, manifest.version, readText('CHANGELOG.md'))).toContain(
      '### ',
    );
    expect([lock.version, lock.packages[''].version]).toEqual([manifest.version, manifest.version]);
  });
});

describe('licenses', () => {
  it.each([
    ['MIT', false],
    ['LGPL-3.0-or-later', false],
    ['(MIT OR GPL-3.0-or-later)', false],
    ['GPL-2.0-only', true],
    ['AGPL-3.0', true],
    ['MIT AND GPL-3.0-only', true],
    ['(GPL-2.0-only OR AGPL-3.0-only)', true],
    ['(MIT OR GPL-2.0-only) AND GPL-3.0-only', true],
  ])('decides whether %s is rejected: %s', (license, isRefused) => {
    const packages = { '': {}, 'node_modules/@a/b': { version: '1.0.0', license } };
    expect(findRejectedPackages(packages)).toEqual(isRefused ? [`@a/b 1.0.0: ${license}`] : []);
  });

  test('are accepted for all packages in the lock file', () => {
    expect(findRejectedPackages(lock.packages)).toEqual([]);
  });

  test('a notice covers all dependencies of a package, as Node.js resolves them', () => {
    const packages = {
      'node_modules/a': { dependencies: { b: '1', '@c/d': '1' } },
      'node_modules/a/node_modules/b': { dependencies: { e: '1' }, optionalDependencies: { absent: '1' } },
      'node_modules/b': {},
      'node_modules/@c/d': { dependencies: { b: '2' } },
      'node_modules/e': { dependencies: { a: '1' } },
      'node_modules/unused': {},
    };
    expect(collectFolders(packages, ['a'])).toEqual([
      'node_modules/@c/d',
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/e',
    ]);
  });

  test('packages with the same license text share it in the notice', () => {
    const notice = renderNotice([
      { name: 'a 1.0.0', license: 'MIT', text: 'Permission is granted' },
      { name: 'b 1.0.0', license: 'ISC', text: '' },
      { name: 'c 1.0.0', license: 'MIT', text: 'Permission is granted' },
    ]);
    expect(notice).toContain('a 1.0.0 (MIT)\nc 1.0.0 (MIT)\n\nPermission is granted\n');
    expect(notice).toContain('b 1.0.0 (ISC)\n\nLicense: ISC\n');
  });
});
