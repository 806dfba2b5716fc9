import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.|\$(?!\{))*)`/.source;
const PLAIN_TITLE = new RegExp(`^[ \\t]*(?:test|it)((?:\\.\\w+)*)\\(\\s*(?:${STRING})`, 'gm');
const EACH_TITLE = new RegExp(
  `^[ \\t]*(?:test|it)((?:\\.\\w+)*\\.(?:each|for))\\([\\s\\S]*?\\)\\(\\s*(?:${STRING})`,
  'gm',
);

/** A table row of the contract page. `line` is 1-based; `behavior` and `proof` are trimmed cells. */
export type LedgerRow = { line: number; id: string; behavior: string; proof: string };

/** The parsed proof cell. `wrong` contains the error message. */
export type Proof =
  | { kind: 'open' }
  | { kind: 'nothing' }
  | { kind: 'tests'; tests: { file: string; title: string }[] }
  | { kind: 'wrong'; reason: string };

/** Test titles in a file. Titles in `skipped` (skip, todo, fails and similar) do not count as proof. */
export type TestTitles = { runs: Set<string>; skipped: Set<string> };

export type LedgerVerdict = { mistakes: string[]; proven: number; open: number; nothing: number };

/**
 * Validates the contract page against the frozen ids and the tests it names.
 *
 * @param readTest returns the source of a test file by its path in the project, or undefined if it does not exist
 */
export function checkLedger(
  page: string,
  frozen: string[],
  readTest: (file: string) => string | undefined,
): LedgerVerdict {
  const { rows, mistakes } = parseRows(page);
  const verdict: LedgerVerdict = {
    mistakes: [...mistakes, ...checkIds(rows, frozen)],
    proven: 0,
    open: 0,
    nothing: 0,
  };
  for (const row of rows) {
    const proof = parseProof(row.proof);
    const problems = row.behavior === '' ? ['has no description'] : [];
    problems.push(...findProofMistakes(proof, readTest));
    verdict.mistakes.push(...problems.map((problem) => `line ${row.line}: ${row.id} ${problem}`));
    if (proof.kind === 'open') verdict.open++;
    else if (proof.kind === 'nothing') verdict.nothing++;
    else if (problems.length === 0) verdict.proven++;
  }
  return verdict;
}

/** Validates the promises in SECURITY.md: each has a unique id and names tests. A promise must not be open. */
export function checkPromises(page: string, readTest: (file: string) => string | undefined): string[] {
  const { rows } = parseRows(page);
  const ids = [...new Set(rows.map(({ id }) => id))];
  const unproven = rows.filter(({ proof }) => ['open', 'nothing'].includes(parseProof(proof).kind));
  return [
    ...checkLedger(page, ids, readTest).mistakes,
    ...(rows.length === 0 ? ['promises nothing'] : []),
    ...unproven.map(({ line, id }) => `line ${line}: ${id} has no test`),
  ];
}

/** Parses the table rows outside code fences. Skips header and separator rows. */
export function parseRows(page: string): { rows: LedgerRow[]; mistakes: string[] } {
  const rows: LedgerRow[] = [];
  const mistakes: string[] = [];
  let isFenced = false;
  for (const [index, text] of page.split(/\r?\n/).entries()) {
    if (/^\s*```/.test(text)) isFenced = !isFenced;
    if (isFenced || !/^\s*\|/.test(text)) continue;
    const cells = splitCells(text);
    const [id = '', behavior = '', proof = ''] = cells;
    if (id === 'id' || /^:?-+:?$/.test(id)) continue;
    if (cells.length === 3) rows.push({ line: index + 1, id, behavior, proof });
    else mistakes.push(`line ${index + 1}: ${id} has ${cells.length} cells where 3 are needed`);
  }
  if (isFenced) mistakes.push('a code fence is never closed, so rows may be hidden');
  return { rows, mistakes };
}

/** Parses a proof cell: `open`, `nothing to test: reason`, or tests as `` `file` › title ``, separated by `;`. */
export function parseProof(cell: string): Proof {
  if (cell === 'open') return { kind: 'open' };
  if (/^nothing to test\b/.test(cell)) {
    return /^nothing to test: \S/.test(cell)
      ? { kind: 'nothing' }
      : { kind: 'wrong', reason: 'gives no reason' };
  }
  const tests: { file: string; title: string }[] = [];
  // Titles may contain semicolons, so only a semicolon followed by a file separates two tests.
  for (const part of cell.split(/;\s*(?=`[^`]+`\s*›)/)) {
    const [, file, title] = /^`([^`]+)`\s*›\s*(\S.*)$/.exec(part.trim()) ?? [];
    if (!file || !title) return { kind: 'wrong', reason: `names no test in "${part.trim()}"` };
    tests.push({ file, title });
  }
  return { kind: 'tests', tests };
}

/**
 * Finds the titles declared by `test(` and `it(` at the start of a line, so that commented or quoted declarations do
 * not count. In a file that skips a whole `describe`, all titles count as skipped.
 */
export function parseTestTitles(source: string): TestTitles {
  const code = source.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, '');
  const allSkipped = /^[ \t]*describe\.(?:skip|runIf|todo)/m.test(code);
  const titles: TestTitles = { runs: new Set(), skipped: new Set() };
  for (const [, modifiers = '', single, double, template] of [
    ...code.matchAll(PLAIN_TITLE),
    ...code.matchAll(EACH_TITLE),
  ]) {
    const skips = allSkipped || /\.(?:skip|skipIf|runIf|todo|fails)\b/.test(modifiers);
    titles[skips ? 'skipped' : 'runs'].add(unescapeTitle(single ?? double ?? template ?? ''));
  }
  return titles;
}

function checkIds(rows: LedgerRow[], frozen: string[]): string[] {
  const mistakes: string[] = [];
  const frozenIds = new Set(frozen);
  const lineById = new Map<string, number>();
  for (const { id, line } of rows) {
    const first = lineById.get(id);
    if (!frozenIds.has(id))
      mistakes.push(`line ${line}: ${id || 'an empty id'} is not an id of the contract`);
    else if (first !== undefined) mistakes.push(`line ${line}: ${id} is already on line ${first}`);
    if (first === undefined) lineById.set(id, line);
  }
  return [...mistakes, ...frozen.filter((id) => !lineById.has(id)).map((id) => `${id} has no row`)];
}

function findProofMistakes(proof: Proof, readTest: (file: string) => string | undefined): string[] {
  if (proof.kind === 'wrong') return [proof.reason];
  if (proof.kind !== 'tests') return [];
  return proof.tests.flatMap(({ file, title }) => {
    if (!/^[\w-][\w./-]*\.test\.ts$/.test(file) || file.includes('..'))
      return [`names ${file}, not a test file`];
    const source = readTest(file);
    if (source === undefined) return [`names ${file}, which does not exist`];
    const { runs, skipped } = parseTestTitles(source);
    if (runs.has(title)) return [];
    return [skipped.has(title) ? `names a skipped test: ${title}` : `finds no test "${title}" in ${file}`];
  });
}

function splitCells(text: string): string[] {
  const inner = text
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

function unescapeTitle(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}

function main(): void {
  const root = join(import.meta.dirname, '..');
  const readText = (file: string) => readFileSync(join(root, file), 'utf8');
  const readTest = (file: string) => (existsSync(join(root, file)) ? readText(file) : undefined);
  const frozen = readText('test/fixtures/ledger-ids.txt').split(/\s+/).filter(Boolean);
  const verdict = checkLedger(readText('docs/contract.md'), frozen, readTest);
  const mistakes = [
    ...verdict.mistakes.map((mistake) => `docs/contract.md: ${mistake}`),
    ...checkPromises(readText('SECURITY.md'), readTest).map((mistake) => `SECURITY.md: ${mistake}`),
  ];
  for (const mistake of mistakes) console.error(mistake);
  console.log(`${verdict.proven} proven, ${verdict.open} open, ${verdict.nothing} nothing to test`);
  process.exitCode = mistakes.length > 0 ? 1 : 0;
}

if (import.meta.main) main();
