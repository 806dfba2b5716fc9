import type { Difference } from './compare.ts';
import { EXCEPTIONS, exceptionOf } from './exceptions.ts';
import type { Exchange } from './fixture.ts';
import type { Answer } from './verdict.ts';

/** One exchange that was replayed. */
export interface Outcome {
  group: string;
  exchange: Exchange;
  answer: Answer | null;
  differences: Difference[];
}

export interface Share {
  /** Exchanges that are meant to agree, and how many do. */
  counted: number;
  agreeing: number;
  /** All of them, exceptions included. */
  all: number;
  allAgreeing: number;
}

/** Over all outcomes, or those of one group. */
export function shareOf(outcomes: Outcome[], group?: string): Share {
  const chosen = group ? outcomes.filter((outcome) => outcome.group === group) : outcomes;
  const counted = chosen.filter(({ exchange }) => !exceptionOf(exchange.id));
  return {
    counted: counted.length,
    agreeing: counted.filter(agrees).length,
    all: chosen.length,
    allAgreeing: chosen.filter(agrees).length,
  };
}

const agrees = (outcome: Outcome): boolean => outcome.differences.length === 0;

export const percent = (part: number, whole: number): number =>
  whole === 0 ? 100 : Math.floor((part / whole) * 1000) / 10;

/** The shares as lines of a table, one a group and one for all. */
export function table(outcomes: Outcome[]): string[] {
  const groups = [...new Set(outcomes.map(({ group }) => group))];
  const line = (name: string, { counted, agreeing, all, allAgreeing }: Share) =>
    `${name.padEnd(12)} ${String(percent(agreeing, counted)).padStart(5)} % (${agreeing}/${counted})   raw ${percent(allAgreeing, all)} % (${allAgreeing}/${all})`;
  return [...groups.map((group) => line(group, shareOf(outcomes, group))), line('all', shareOf(outcomes))];
}

/** Exceptions that are none any more: every exchange of theirs agrees. */
export function idleExceptions(outcomes: Outcome[]): string[] {
  const differing = new Set(
    outcomes.filter((outcome) => !agrees(outcome)).map(({ exchange }) => exchange.id),
  );
  return EXCEPTIONS.flatMap(({ ids }) => ids).filter((id) => !id.endsWith('*') && !differing.has(id));
}

const brief = (value: unknown, length: number): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, length);

/** What differs, grouped by cause: exchanges whose first difference reads alike stand together. */
export function mismatches(outcomes: Outcome[]): string[] {
  const causes = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    if (agrees(outcome) || exceptionOf(outcome.exchange.id)) continue;
    const cause = causeOf(outcome);
    causes.set(cause, [...(causes.get(cause) ?? []), outcome]);
  }
  const largest = [...causes].sort((a, b) => b[1].length - a[1].length);
  return largest.flatMap(([cause, of]) => [`## ${of.length} × ${cause}`, ...of.flatMap(describe), '']);
}

function causeOf({ exchange, differences: [first], answer }: Outcome): string {
  const at = first!.at.replace(/\[\d+\]/g, '[]');
  const [, model, method] = /\/json\/2\/([^/]+)\/([^/? ]+)/.exec(exchange.request) ?? [];
  const message = /"message":"([^"]*)/.exec(answer?.text ?? '')?.[1] ?? '';
  const alike = message.replace(/\d+/g, 'N').slice(0, 110);
  if (first!.at === 'status') return `status ${first!.expected} → ${first!.got} ${alike}`;
  return `${model ?? exchange.request.split(' ')[1]} ${method ?? exchange.call ?? ''} ${at}: ${brief(first!.expected, 40)}`;
}

function describe({ exchange, differences }: Outcome): string[] {
  const sent = exchange.call ? exchange.params : (exchange.body ?? exchange.text ?? '');
  const lines = [`- ${exchange.id} ${exchange.note ?? ''}: ${exchange.request} ${brief(sent, 260)}`];
  for (const { at, expected, got } of differences.slice(0, 3))
    lines.push(`    ${at}: expected ${brief(expected, 200)} | got ${brief(got, 260)}`);
  return lines;
}
