import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { applyRecipeBlock, listRecipeBlocks } from './recipe-blocks.ts';

/** Checks the recipes without running them, as test/recipes.test.ts does. */

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

test('every recipe applies to the current files and imports names that they export', () => {
  const files = new Map<string, string>();
  const getText = (path: string) => files.get(path) ?? readText(path);
  for (const block of listRecipeBlocks()) files.set(block.path, applyRecipeBlock(getText(block.path), block));
  const missing = [...files].flatMap(([path, text]) =>
    findRelativeImports(text).flatMap(({ target, names }) => {
      const exporter = getText(join(dirname(path), target));
      if (!exporter) return [`${path}: ${target}`];
      return names
        .filter((name) => !isExported(exporter, name))
        .map((name) => `${path}: ${name} of ${target}`);
    }),
  );
  expect(missing).toEqual([]);
  expect(files.size).toBeGreaterThan(10);
});

const findRelativeImports = (text: string) =>
  [...text.matchAll(/^import (?:(?:type )?\{([^}]*)\} from )?'(\.[^']+)';$/gm)].map(([, list, target]) => ({
    target: target!,
    names: (list?.split(',') ?? [])
      .map((item) => item.trim().replace(/^type | as \w+$/g, ''))
      .filter(Boolean),
  }));

const isExported = (text: string, name: string): boolean =>
  new RegExp(`^export (?:async )?(?:const|function|class|interface|type|enum) ${name}\\b`, 'm').test(text) ||
  new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b`, 'm').test(text);
