import { type ASTNode, type FieldNode, type GraphQLError, Kind, valueFromASTUntyped, visit } from 'graphql';
import type { CachedDocument } from './documents.ts';
import type { RawVariables } from './variables.ts';

// Paths of invalid inputs, with the schema's names, such as `input.stageId` or `where.or[1].name`.

/** The parts of the operation that are available when an error occurs. */
export interface RequestedOperation {
  cachedDocument: CachedDocument;
  variables: RawVariables;
}

/**
 * Returns the argument that caused an error in the document or its variables. graphql-js mentions the argument only in
 * the message.
 */
export function findInvalidArgument(
  { message, nodes = [] }: GraphQLError,
  operation?: RequestedOperation,
): string | undefined {
  if (!operation) return undefined;
  const [, name, path] = VARIABLE.exec(message) ?? [];
  const node = name
    ? findNodePaths(operation, (nodePath) => nodePath.kind === Kind.VARIABLE && nodePath.name.value === name)
    : findNodePaths(operation, (nodePath) => nodes[0] === nodePath);
  if (node.length !== 1) return undefined;
  const place = [node[0], path ?? '', parseErrorEnding(message)].join('');
  return place === '' ? undefined : place;
}

/**
 * Matches `Variable "$input" got invalid value "x" at "input.tags[0].name"; …` and captures the path after the
 * variable.
 */
const VARIABLE = /^Variable "\$(\w+)"(?:.*? at "\w+((?:\.\w+|\[\d+\])+)"; )?/s;

/** Returns the missing or unknown field of an input object. graphql-js reports these errors for the whole object. */
function parseErrorEnding(message: string): string {
  const [, missing, unknown] = INPUT_FIELD.exec(message) ?? [];
  const name = missing ?? (message.startsWith('Variable') ? unknown : undefined);
  return name ? `.${name}` : '';
}

const INPUT_FIELD =
  /Field "(?:\w+\.)?(\w+)" of required type .* was not provided|Field "(\w+)" is not defined by type/s;

function findNodePaths(
  { cachedDocument }: RequestedOperation,
  matches: (node: ASTNode) => boolean,
): string[] {
  const paths: string[] = [];
  visit(cachedDocument.document, {
    enter(node, _key, parent, _path, ancestors) {
      if (node.kind === Kind.VARIABLE_DEFINITION) return false;
      if (!matches(node)) return undefined;
      const chain = [...ancestors, parent ?? [], node];
      const steps = chain.flatMap((item, position): string[] => {
        if (Array.isArray(item)) {
          const owner = chain[position - 1] as ASTNode;
          const index = (item as ASTNode[]).indexOf(chain[position + 1] as ASTNode);
          return owner.kind === Kind.LIST ? [`[${index}]`] : [];
        }
        const { kind } = item as ASTNode;
        if (kind !== Kind.ARGUMENT && kind !== Kind.OBJECT_FIELD) return [];
        return [`.${(item as { name: { value: string } }).name.value}`];
      });
      paths.push(steps.join('').replace(/^\./, ''));
      return undefined;
    },
  });
  return paths;
}

/**
 * Returns the path of an argument or nested key that has one of the names, or of a string that contains one, such as a
 * domain or a sort order. Undefined if several paths match.
 */
export function findArgument(
  node: ASTNode | undefined,
  operation: RequestedOperation | undefined,
  names: readonly string[],
): string | undefined {
  if (!operation || node?.kind !== Kind.FIELD) return undefined;
  const argumentNodes = (node as FieldNode).arguments ?? [];
  const argument = argumentNodes.find(({ name }) => names.includes(name.value));
  if (argument || names.length === 0) return argument?.name.value;
  const places: SearchState = { keys: [], texts: [], remaining: MAX_SEARCHED_VALUES };
  for (const { name, value } of argumentNodes)
    searchValue(valueFromASTUntyped(value, operation.variables), name.value, names, places);
  const paths = places.keys.length > 0 ? places.keys : places.texts;
  return places.remaining > 0 && paths.length === 1 ? paths[0] : undefined;
}

interface SearchState {
  keys: string[];
  texts: string[];
  remaining: number;
}

const MAX_SEARCHED_VALUES = 10_000;

function searchValue(value: unknown, path: string, names: readonly string[], places: SearchState): void {
  if (places.remaining-- <= 0) return;
  if (typeof value === 'string') {
    if (value.length < 200 && value.split(/[^\w.]+/).some((word) => names.includes(word)))
      places.texts.push(path);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) searchValue(item, `${path}[${index}]`, names, places);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (names.includes(key)) places.keys.push(`${path}.${key}`);
      searchValue(member, `${path}.${key}`, names, places);
    }
  }
}
