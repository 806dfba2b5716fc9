import { readFileSync, writeFileSync } from 'node:fs';

// `node bench/render.ts` writes the table of bench/README.md from bench/results.json.

/** A recorded result. Figures are strings that include their units. */
interface RecordedResult {
  name: string;
  command: string;
  atrium: string;
  baseline?: string;
  ratio?: string;
  target?: string;
  /** Load average of the machine during the run, `quiet` or `shared`. */
  load?: string;
}

export interface RecordedResults {
  date: string;
  machine: string;
  results: RecordedResult[];
}

const START = '<!-- results: written by bench/render.ts -->';
const END = '<!-- /results -->';

export function renderResults({ date, machine, results }: RecordedResults): string {
  const header = ['benchmark', 'command', 'Atrium', 'baseline', 'ratio', 'target', 'load'];
  const rows = results.map(({ name, command, atrium, baseline, ratio, target, load }) =>
    [name, `\`${command}\``, atrium, baseline, ratio, target, load].map((cell) => cell ?? ''),
  );
  const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [`Last updated on ${date}.\nMeasured on ${machine}.`, '', ...table].join('\n');
}

/** Replaces the text between the page's markers. @throws if a marker is missing */
export function insertResults(page: string, text: string): string {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('bench/README.md has no result markers');
  return `${before}${START}\n\n${text}\n\n${END}${after}`;
}

if (import.meta.main) {
  const page = new URL('README.md', import.meta.url);
  const recorded = JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8'));
  writeFileSync(page, insertResults(readFileSync(page, 'utf8'), renderResults(recorded)));
}
