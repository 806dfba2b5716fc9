import type { Difference } from './compare.ts';
import { EXCEPTIONS, findException } from './exceptions.ts';
import type { Exchange } from './fixture.ts';
import type { ReplayResponse } from './verdict.ts';

export interface ReplayOutcome {
  group: string;
  exchange: Exchange;
  answer: ReplayResponse | null;
  differences: Difference[];
}

export interface Share {
  /** Number of exchanges that should agree, and number that do. */
  counted: number;
  agreeing: number;
  /** All exchanges, including exceptions. */
  all: number;
  allAgreeing: number;
}

export function computeShare(outcomes: ReplayOutcome[], group?: string): Share {
  const selectedOutcomes = group ? outcomes.filter((outcome) => outcome.group === group) : outcomes;
  const relevant = selectedOutcomes.filter(({ exchange }) => !findException(exchange.id));
  return {
    counted: relevant.length,
    agreeing: relevant.filter(isEqual).length,
    all: selectedOutcomes.length,
    allAgreeing: selectedOutcomes.filter(isEqual).length,
  };
}

const isEqual = (outcome: ReplayOutcome): boolean => outcome.differences.length === 0;

export const toPercent = (part: number, total: number): number =>
  total === 0 ? 100 : Math.floor((part / total) * 1000) / 10;

export function formatTable(outcomes: ReplayOutcome[]): string[] {
  const groups = [...new Set(outcomes.map(({ group }) => group))];
  const buildLine = (name: string, { counted, agreeing, all, allAgreeing }: Share) =>
    `${name.padEnd(12)} ${String(toPercent(agreeing, counted)).padStart(5)} % (${agreeing}/${counted})   raw ${toPercent(allAgreeing, all)} % (${allAgreeing}/${all})`;
  return [
    ...groups.map((group) => buildLine(group, computeShare(outcomes, group))),
    buildLine('all', computeShare(outcomes)),
  ];
}

/** Returns exceptions that are obsolete, because all their exchanges agree. */
export function findIdleExceptions(outcomes: ReplayOutcome[]): string[] {
  const differing = new Set(
    outcomes.filter((outcome) => !isEqual(outcome)).map(({ exchange }) => exchange.id),
  );
  return EXCEPTIONS.flatMap(({ ids }) => ids).filter((id) => !id.endsWith('*') && !differing.has(id));
}

const truncate = (value: unknown, length: number): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, length);

export function listMismatches(outcomes: ReplayOutcome[]): string[] {
  const causes = new Map<string, ReplayOutcome[]>();
  for (const outcome of outcomes) {
    if (isEqual(outcome) || findException(outcome.exchange.id)) continue;
    const cause = getCause(outcome);
    causes.set(cause, [...(causes.get(cause) ?? []), outcome]);
  }
  const largest = [...causes].sort((a, b) => b[1].length - a[1].length);
  return largest.flatMap(([cause, group]) => [
    `## ${group.length} × ${cause}`,
    ...group.flatMap(describe),
    '',
  ]);
}

function getCause({ exchange, differences: [first], answer }: ReplayOutcome): string {
  const at = first!.at.replace(/\[\d+\]/g, '[]');
  const [, model, method] = /\/json\/2\/([^/]+)\/([^/? ]+)/.exec(exchange.request) ?? [];
  const message = /"message":"([^"]*)/.exec(answer?.text ?? '')?.[1] ?? '';
  const pattern = message.replace(/\d+/g, 'N').slice(0, 110);
  if (first!.at === 'status') return `status ${first!.expected} → ${first!.actual} ${pattern}`;
  return `${model ?? exchange.request.split(' ')[1]} ${method ?? exchange.call ?? ''} ${at}: ${truncate(first!.expected, 40)}`;
}

function describe({ exchange, differences }: ReplayOutcome): string[] {
  const sent = exchange.call ? exchange.params : (exchange.body ?? exchange.text ?? '');
  const lines = [`- ${exchange.id} ${exchange.note ?? ''}: ${exchange.request} ${truncate(sent, 260)}`];
  for (const { at, expected, actual } of differences.slice(0, 3))
    lines.push(`    ${at}: expected ${truncate(expected, 200)} | got ${truncate(actual, 260)}`);
  return lines;
}
