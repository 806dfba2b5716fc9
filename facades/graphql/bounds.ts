import {
  type DocumentNode,
  GraphQLError,
  getNamedType,
  isIntrospectionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  type ValidationRule,
} from 'graphql';
import type { Fragments } from '../../src/engine/operation/fragments.ts';
import type { ErrorCode } from '../../src/error-codes.ts';

/** Maximum nesting depth of a document. `edges`, `node` and `nodes` of a connection do not count. */
export const MAX_DOCUMENT_DEPTH = 12;
export const MAX_DOCUMENT_ALIASES = 30;
/** A fragment's fields count each time it is used. */
export const MAX_DOCUMENT_FIELDS = 2_000;
export const MAX_DOCUMENT_TOKENS = 2_000;

export const createDocumentError = (code: ErrorCode, message: string, nodes?: OperationDefinitionNode) =>
  new GraphQLError(message, { extensions: { code }, ...(nodes && { nodes }) });

/** @throws GraphQLError with a code; parsing stops at the token limit */
export function parseDocument(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens: MAX_DOCUMENT_TOKENS });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (/more that? \d+ tokens/.test(error.message))
      throw createDocumentError('TOO_COMPLEX', `The document has more than ${MAX_DOCUMENT_TOKENS} tokens.`);
    error.extensions.code = 'GRAPHQL_PARSE_FAILED' satisfies ErrorCode;
    throw error;
  }
}

interface SelectionSize {
  depth: number;
  aliases: number;
  fields: number;
}

/** Connection fields that do not count as a level, because they only contain the records. */
const WRAPPERS = new Set(['edges', 'node', 'nodes']);

/**
 * Returns an error for each limit that the document exceeds. These limits depend on neither the schema nor the
 * variables.
 */
export const findExceededLimits = (document: DocumentNode, fragments: Fragments): GraphQLError[] => {
  const sizes = new Map<string, SelectionSize>();
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? describeExcesses(measureSelection(definition.selectionSet, fragments, sizes)).map((message) =>
          createDocumentError('TOO_COMPLEX', message, definition),
        )
      : [],
  );
};

/** @param sizes sizes keyed by fragment name; a recursive fragment counts as empty, because validation rejects it */
function measureSelection(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  sizes: Map<string, SelectionSize>,
): SelectionSize {
  const size: SelectionSize = { depth: 0, aliases: 0, fields: 0 };
  const add = (inner: SelectionSize, levels: number) => {
    size.depth = Math.max(size.depth, inner.depth + levels);
    size.aliases += inner.aliases;
    size.fields += inner.fields;
  };
  for (const node of selections) {
    if (node.kind === Kind.FIELD) {
      const name = node.name.value;
      const inner = node.selectionSet ? measureSelection(node.selectionSet, fragments, sizes) : EMPTY_SIZE;
      // A separate rule limits the depth of introspection.
      add(name.startsWith('__') ? { ...inner, depth: 0 } : inner, WRAPPERS.has(name) ? 0 : 1);
      size.aliases += node.alias ? 1 : 0;
      size.fields += 1;
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      add(measureSelection(node.selectionSet, fragments, sizes), 0);
    } else {
      const name = node.name.value;
      const definition = fragments[name];
      if (definition && !sizes.has(name)) {
        sizes.set(name, EMPTY_SIZE);
        sizes.set(name, measureSelection(definition.selectionSet, fragments, sizes));
      }
      add(sizes.get(name) ?? EMPTY_SIZE, 0);
    }
  }
  return size;
}

const EMPTY_SIZE: SelectionSize = { depth: 0, aliases: 0, fields: 0 };

function describeExcesses({ depth, aliases, fields }: SelectionSize): string[] {
  const measures: [number, number, string][] = [
    [depth, MAX_DOCUMENT_DEPTH, `is ${depth} levels deep`],
    [aliases, MAX_DOCUMENT_ALIASES, `has ${aliases} aliases`],
    [fields, MAX_DOCUMENT_FIELDS, `has ${fields} fields`],
  ];
  return measures
    .filter(([size, max]) => size > max)
    .map(([, max, text]) => `The document ${text}, and at most ${max} are allowed.`);
}

export const getValidationRules = (isOpen: boolean): readonly ValidationRule[] =>
  isOpen ? specifiedRules : closedRules;

/** Like graphql-js's NoSchemaIntrospectionCustomRule, but the message explains how to get access. */
const NoIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    const type = getNamedType(context.getType());
    if (type && isIntrospectionType(type))
      context.reportError(
        new GraphQLError(
          `Introspection (${node.name.value}) requires a key or a session: send a key as ` +
            '"Authorization: Bearer <key>".',
          { nodes: [node] },
        ),
      );
  },
});

const closedRules: ValidationRule[] = [...specifiedRules, NoIntrospectionRule];
