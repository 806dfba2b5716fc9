import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** A code block of docs/recipes.md: lines of a diff if its language is `diff`, otherwise text to append to the file. */
interface RecipeBlock {
  language: string;
  path: string;
  text: string;
}

const page = readFileSync('docs/recipes.md', 'utf8');

/** Lists the code blocks of a recipe, or of the whole page. */
export function listRecipeBlocks(heading?: string): RecipeBlock[] {
  const sections = page.split(/^## /m).filter((section) => !heading || section.startsWith(`${heading}\n`));
  return sections.flatMap((section) =>
    [...section.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(([, language, path, text]) => ({
      language: language!,
      path: path!,
      text: text!,
    })),
  );
}

/** @param now the file's text, empty if the file does not exist */
export function applyRecipeBlock(now: string, { language, path, text }: RecipeBlock): string {
  if (language !== 'diff') return now + text;
  const lines = text.trimEnd().split('\n');
  const getSide = (sign: string) =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === sign)
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  expect(now.split(getSide('-')), `${path} has the lines of the recipe once`).toHaveLength(2);
  return now.replace(getSide('-'), () => getSide('+'));
}
