import type { GraphQLArgument, GraphQLInputField } from 'graphql';
import { getNamedType, isInputObjectType } from 'graphql';
import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { toSnakeCase } from '../model/datamodel.ts';

/** Longer ones are no slip of the fingers, and would take long to compare. */
const MAX_COMPARED_LENGTH = 100;

/** What follows the refusal of a name: those that are like it, and all that there are. */
export function suggestNames(wrong: string, known: readonly string[]): string {
  const like = wrong.length > MAX_COMPARED_LENGTH ? [] : suggestionList(wrong, [...known]);
  return `${didYouMean(like)} It takes ${known.join(', ') || 'none'}.`;
}

/** Names of arguments in a refusal as GraphQL has them: `match_type` is `matchType`. Values stay as they are. */
export function toGraphNames(refusal: string, args: readonly GraphQLArgument[]): string {
  const names = new Map<string, string>();
  addNames(args, names, new Set());
  return refusal.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (word) => names.get(word) ?? word);
}

function addNames(
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
  names: Map<string, string>,
  seen: Set<unknown>,
): void {
  for (const { name, type } of inputs) {
    names.set(toSnakeCase(name), name);
    const inner = getNamedType(type);
    if (!isInputObjectType(inner) || seen.has(inner)) continue;
    seen.add(inner);
    addNames(Object.values(inner.getFields()), names, seen);
  }
}
