import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Compares dictionary.txt with the words in the project that no other cspell dictionary contains. Prints missing words
// with `+` and unused ones with `-`. Review them first, because a missing word can be a typo. Usage:
//
// npm run dictionary [-- --write]

const ROOT = join(import.meta.dirname, '../..');
const DICTIONARY = join(import.meta.dirname, 'dictionary.txt');

export const normalizeWords = (words: readonly string[]): string[] =>
  [
    ...new Set(
      words.map((word) =>
        word
          .trim()
          .toLowerCase()
          .replace(/['’]s$/, ''),
      ),
    ),
  ]
    .filter(Boolean)
    .sort();

/** Returns the words to add to a dictionary, marked `+`, and the words to remove, marked `-`. */
export function compareWords(dictionary: readonly string[], needed: readonly string[]): string[] {
  const missing = needed.filter((word) => !dictionary.includes(word)).map((word) => `+ ${word}`);
  const unused = dictionary.filter((word) => !needed.includes(word)).map((word) => `- ${word}`);
  return [...missing, ...unused];
}

function findUnknownWords(): string[] {
  const args = 'lint --no-progress --no-summary --words-only --unique --disable-dictionary terms'.split(' ');
  const cspell = join(ROOT, 'node_modules/cspell/bin.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [cspell, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  // cspell exits with 1 if it finds an unknown word.
  if (status !== 0 && status !== 1) throw new Error(`cspell failed: ${stderr}`);
  return normalizeWords(stdout.split('\n'));
}

if (import.meta.main) {
  const needed = findUnknownWords();
  const changes = compareWords(readFileSync(DICTIONARY, 'utf8').split('\n').filter(Boolean), needed);
  console.log(changes.join('\n') || 'The dictionary is complete.');
  if (process.argv.includes('--write')) writeFileSync(DICTIONARY, `${needed.join('\n')}\n`);
}
