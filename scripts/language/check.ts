import { join } from 'node:path';
import { findMarkers, isParticiple, startsWithQuestionWord } from './markers.ts';
import { type Excerpt, type Excerpts, NAME_KINDS, readExcerpts, TEXT_KINDS } from './texts.ts';

// Part of `npm run check`: fails if a kind of text or name exceeds one of the limits below. The limits are slightly
// above the rates in projects that are easy to read, such as Hono, Kysely and Medusa.

const MAX_MARKERS_PER_10_000_WORDS = 8;
const MAX_QUESTION_WORD_PERCENT = 2;
const MAX_PARTICIPLE_PERCENT = { functions: 0.7, types: 0.5 };

const MAX_EXAMPLES = 12;

export interface Rate {
  name: string;
  value: number;
  limit: number;
  findings: { excerpt: Excerpt; matches: string[] }[];
}

export const measureRates = (excerpts: Excerpts): Rate[] => [
  ...TEXT_KINDS.flatMap((kind) => [
    measureMarkers(kind, excerpts[kind]),
    measureShare(
      `% of ${kind} that begin with a question word`,
      excerpts[kind],
      startsWithQuestionWord,
      MAX_QUESTION_WORD_PERCENT,
    ),
  ]),
  ...NAME_KINDS.map((kind) =>
    measureShare(
      `% of ${kind} that are named by a participle`,
      excerpts[kind],
      isParticiple,
      MAX_PARTICIPLE_PERCENT[kind],
    ),
  ),
];

function measureMarkers(kind: string, excerpts: readonly Excerpt[]): Rate {
  const findings = excerpts
    .map((excerpt) => ({ excerpt, matches: findMarkers(excerpt.text) }))
    .filter(({ matches }) => matches.length > 0)
    .sort((a, b) => b.matches.length - a.matches.length);
  const words = sum(excerpts.map(({ text }) => text.match(/[A-Za-z']+/g)?.length ?? 0));
  const markers = sum(findings.map(({ matches }) => matches.length));
  return {
    name: `markers per 10,000 words of ${kind}`,
    value: (markers / Math.max(1, words)) * 10_000,
    limit: MAX_MARKERS_PER_10_000_WORDS,
    findings,
  };
}

function measureShare(
  name: string,
  excerpts: readonly Excerpt[],
  isMarked: (text: string) => boolean,
  limit: number,
): Rate {
  const markedExcerpts = excerpts.filter(({ text }) => isMarked(text));
  return {
    name,
    value: (markedExcerpts.length / Math.max(1, excerpts.length)) * 100,
    limit,
    findings: markedExcerpts.map((excerpt) => ({ excerpt, matches: [/^\w+/.exec(excerpt.text)![0]] })),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const isExceeded = ({ value, limit }: Rate): boolean => value > limit;

/** Formats a rate as a line, followed by the worst examples if the rate exceeds its limit. */
export function formatRate(rate: Rate): string {
  const line = `${rate.value.toFixed(2).padStart(7)} ${rate.name} (at most ${rate.limit})`;
  if (!isExceeded(rate)) return line;
  const examples = rate.findings
    .slice(0, MAX_EXAMPLES)
    .map(
      ({ excerpt, matches }) => `  ${excerpt.place}: ${matches.join(', ')}: ${excerpt.text.slice(0, 100)}`,
    );
  const count = rate.findings.length - examples.length;
  return [line, ...examples, ...(count > 0 ? [`  and ${count} more`] : [])].join('\n');
}

if (import.meta.main) {
  const rates = measureRates(readExcerpts(join(import.meta.dirname, '../..')));
  const exceededRates = rates.filter(isExceeded);
  for (const rate of process.argv.includes('--all') ? rates : exceededRates) console.error(formatRate(rate));
  console.log(`language: ${exceededRates.length || 'no'} rates above their limit (docs/STYLE.md, Language)`);
  process.exitCode = exceededRates.length > 0 ? 1 : 0;
}
