import {
  EMAIL_STATES,
  EMAIL_TRANSITIONS,
  type EmailState,
  INITIAL_STATES,
} from '../../schema/email/state/email-state.ts';

const actors = Object.values<{
  name: string;
  lease: string;
  moves: Partial<Record<EmailState, readonly EmailState[]>>;
}>(EMAIL_TRANSITIONS);

/** A state without transitions is final. */
export const NEXT_STATES = Object.fromEntries(
  EMAIL_STATES.map((from) => {
    const targets = actors.flatMap(({ moves }) => moves[from] ?? []);
    return [from, EMAIL_STATES.filter((to) => targets.includes(to))];
  }),
) as Record<EmailState, EmailState[]>;

/** Generates the email state diagram in docs/guides/delivery.md. */
export function buildStateDiagram(): string {
  const lines = [
    ...INITIAL_STATES.map((state) => `[*] --> ${state}: accept`),
    ...EMAIL_STATES.flatMap((from) =>
      NEXT_STATES[from].map((to) => `${from} --> ${to}: ${getActorNames(from, to)}`),
    ),
    ...EMAIL_STATES.filter((state) => NEXT_STATES[state].length === 0).map((state) => `${state} --> [*]`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

const getActorNames = (from: EmailState, to: EmailState): string =>
  [...new Set(actors.filter(({ moves }) => moves[from]?.includes(to)).map(({ name }) => name))].join(', ');

export const buildLeaseTable = (): string =>
  ['| actor | transitions | lease |', '|---|---|---|', ...actors.map(buildRow)].join('\n');

function buildRow({ name, lease, moves }: (typeof actors)[number]): string {
  const lines = EMAIL_STATES.flatMap((from) => (moves[from] ? [`${from} → ${moves[from].join(', ')}`] : []));
  return `| ${name} | ${lines.join('; ')} | ${lease} |`;
}
