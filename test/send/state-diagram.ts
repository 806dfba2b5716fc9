import { type EmailState, FIRST_STATES, MOVERS, MOVES, STATES } from '../../schema/send/state/email-state.ts';

const movers = Object.values<{
  name: string;
  lease: string;
  moves: Partial<Record<EmailState, readonly EmailState[]>>;
}>(MOVERS);

/** The life of an email as docs/guides/delivery.md draws it. */
export function stateDiagram(): string {
  const lines = [
    ...FIRST_STATES.map((state) => `[*] --> ${state}: accept`),
    ...STATES.flatMap((from) => MOVES[from].map((to) => `${from} --> ${to}: ${namesOf(from, to)}`)),
    ...STATES.filter((state) => MOVES[state].length === 0).map((state) => `${state} --> [*]`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

const namesOf = (from: EmailState, to: EmailState): string =>
  [...new Set(movers.filter(({ moves }) => moves[from]?.includes(to)).map(({ name }) => name))].join(', ');

/** The leases of those who move emails, as a table. */
export const leaseTable = (): string =>
  ['| who | moves | lease |', '|---|---|---|', ...movers.map(rowOf)].join('\n');

function rowOf({ name, lease, moves }: (typeof movers)[number]): string {
  const shown = STATES.flatMap((from) => (moves[from] ? [`${from} → ${moves[from].join(', ')}`] : []));
  return `| ${name} | ${shown.join('; ')} | ${lease} |`;
}
