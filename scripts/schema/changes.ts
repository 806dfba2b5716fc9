import { type BreakingChange, buildSchema, findBreakingChanges } from 'graphql';
import { collectMembers, type Member } from './members.ts';

/** Changes in a section are sorted by the changed type. */
interface Change {
  owner: string;
  text: string;
}

export function describeChanges(beforeSdl: string, afterSdl: string): string {
  const [before, after] = [buildSchema(beforeSdl), buildSchema(afterSdl)];
  const breakingChanges = findBreakingChanges(before, after);
  const words = breakingChanges.map(({ description }) => description);
  const [old, now] = [collectMembers(before), collectMembers(after)];
  const addedMembers = findAddedMembers(old, now);
  const commonEntries = [...now.values()].filter(({ coordinate }) => old.has(coordinate));
  const pairs = commonEntries.map((member) => [old.get(member.coordinate)!, member] as const);
  const sections = {
    'Removed (breaking)': breakingChanges.filter(isRemoval).map(toBreakingLine),
    'Changed (breaking)': breakingChanges.filter((change) => !isRemoval(change)).map(toBreakingLine),
    'Changed (may affect clients)': [
      ...describeAdditions(addedMembers.filter(({ isNewResult }) => isNewResult)),
      ...pairs.flatMap(([from, to]) => findRiskyChanges(from, to)),
    ],
    Deprecated: pairs.flatMap(([from, to]) => findDeprecations(from, to)),
    Added: describeAdditions(addedMembers.filter(({ isNewResult }) => !isNewResult)),
    Changed: pairs.flatMap(([from, to]) => findSafeChanges(from, to, words)),
  };
  const texts = Object.entries(sections)
    .filter(([, changes]) => changes.length > 0)
    .map(([title, changes]) => `### ${title}\n\n${renderLines(changes)}`);
  return texts.length > 0 ? texts.join('\n\n') : 'The GraphQL schema has not changed.';
}

const renderLines = (changes: readonly Change[]): string =>
  changes
    .toSorted((a, b) => compare(a.owner, b.owner) || compare(a.text, b.text))
    .map(({ text }) => `- ${text}`)
    .join('\n');

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const isRemoval = ({ type }: BreakingChange): boolean => type.includes('REMOVED');

const toBreakingLine = ({ description }: BreakingChange): Change => ({
  owner: (OWNER.exec(description) ?? /^(\w+)/.exec(description))![1]!,
  text: `\`${description}\``,
});

/** Finds the type in graphql-js descriptions that do not start with it. */
const OWNER = /(?:(?:enum|union|input) type| on) (?!input type)(\w+)/;

/** Finds new members of existing parents. Excludes required inputs, which are breaking changes. */
const findAddedMembers = (old: Map<string, Member>, now: Map<string, Member>): Member[] =>
  [...now.values()].filter(
    ({ coordinate, parent, isRequired }) =>
      !old.has(coordinate) && (parent === null || old.has(parent)) && !isRequired,
  );

function describeAdditions(addedMembers: readonly Member[]): Change[] {
  const types = addedMembers.filter(({ parent }) => parent === null);
  const members = addedMembers.filter(({ parent }) => parent !== null);
  return [
    ...types.map(({ owner }) => ({ owner, text: `Type \`${owner}\`` })),
    ...[...Map.groupBy(members, ({ owner }) => owner)].map(([owner, all]) => ({
      owner,
      text: `\`${owner}\`: ${all.map(({ label }) => `\`${label}\``).join(', ')}`,
    })),
  ];
}

function findRiskyChanges(from: Member, to: Member): Change[] {
  return [
    ...buildChange('default value', from, to, from.defaultValue, to.defaultValue),
    ...buildChange('policy', from, to, from.policy, to.policy),
  ];
}

/** Finds type changes that graphql-js does not classify as breaking. */
function findSafeChanges(from: Member, to: Member, breaking: readonly string[]): Change[] {
  const [, field, arg] = /^([^(]+)(?:\((\w+):\))?$/.exec(to.coordinate)!;
  const text = arg === undefined ? `${field} changed type` : `${field} arg ${arg} has changed type`;
  const isBreaking = breaking.some((description) => description.startsWith(`${text} `));
  return [
    ...(isBreaking ? [] : buildChange('type', from, to, from.type, to.type)),
    ...(from.deprecation !== undefined && to.deprecation === undefined
      ? [{ owner: to.owner, text: `\`${to.coordinate}\` is no longer deprecated` }]
      : []),
  ];
}

const buildChange = (label: string, from: Member, to: Member, before = 'none', after = 'none'): Change[] =>
  before === after
    ? []
    : [
        {
          owner: from.owner,
          text: `\`${to.coordinate}\` changed its ${label} from \`${before}\` to \`${after}\``,
        },
      ];

const findDeprecations = (from: Member, to: Member): Change[] =>
  from.deprecation === undefined && to.deprecation !== undefined
    ? [{ owner: to.owner, text: `\`${to.coordinate}\`: ${to.deprecation}` }]
    : [];
