import { type EmailState, FIRST_STATES, MOVERS, MOVES, STATES } from '../../schema/send/state/email-state.ts';

const actors = Object.values<{
  name: string;
  lease: string;
  moves: Partial<Record<EmailState, readonly EmailState[]>>;
}>(MOVERS);

/** The life of an email as docs/guides/delivery.md draws it. */
export function buildStateDiagram(): string {
  const lines = [
    ...FIRST_STATES.map((state) => `[*] --> ${state}: accept`),
    ...STATES.flatMap((from) => MOVES[from].map((to) => `${from} --> ${to}: ${getActorNames(from, to)}`)),
    ...STATES.filter((state) => MOVES[state].length === 0).map((state) => `${state} --> [*]`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

const getActorNames = (from: EmailState, to: EmailState): string =>
  [...new Set(actors.filter(({ moves }) => moves[from]?.includes(to)).map(({ name }) => name))].join(', ');

/** The leases of those who move emails, as a table. */
export const buildLeaseTable = (): string =>
  ['| who | moves | lease |', '|---|---|---|', ...actors.map(buildRow)].join('\n');

function buildRow({ name, lease, moves }: (typeof actors)[number]): string {
  const shown = STATES.flatMap((from) => (moves[from] ? [`${from} → ${moves[from].join(', ')}`] : []));
  return `| ${name} | ${shown.join('; ')} | ${lease} |`;
}
