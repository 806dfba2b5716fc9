import type { GraphQLArgument, GraphQLInputField } from 'graphql';
import { getNamedType, isInputObjectType } from 'graphql';
import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { toSnakeCase } from '../model/datamodel.ts';

/** A longer name is not a typo, and comparing it would be slow. */
const MAX_COMPARED_LENGTH = 100;

/** Builds the hint for an unknown name: similar names, then all valid names. */
export function suggestNames(name: string, candidates: readonly string[]): string {
  const similarNames = name.length > MAX_COMPARED_LENGTH ? [] : suggestionList(name, [...candidates]);
  return `${didYouMean(similarNames)} It takes ${candidates.join(', ') || 'none'}.`;
}

/**
 * Converts argument names in an error message to GraphQL names, such as `match_type` to `matchType`. Values stay
 * unchanged.
 */
export function toGraphNames(reason: string, args: readonly GraphQLArgument[]): string {
  const names = new Map<string, string>();
  addNames(args, names, new Set());
  return reason.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (word) => names.get(word) ?? word);
}

function addNames(
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
  names: Map<string, string>,
  visitedTypes: Set<unknown>,
): void {
  for (const { name, type } of inputs) {
    names.set(toSnakeCase(name), name);
    const inner = getNamedType(type);
    if (!isInputObjectType(inner) || visitedTypes.has(inner)) continue;
    visitedTypes.add(inner);
    addNames(Object.values(inner.getFields()), names, visitedTypes);
  }
}
