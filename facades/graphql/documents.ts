import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  validate,
} from 'graphql';
import { createCache } from '../../src/cache.ts';
import { collectFragments, type Fragments } from '../../src/engine/operation/fragments.ts';
import { findExceededLimits, getValidationRules, parseDocument } from './bounds.ts';
import { type CostFunction, compileCost } from './cost.ts';

const MAX_CACHED_OPERATIONS = 5_000;
/** Total size of the cached documents, estimated at 600 bytes per token. */
export const MAX_CACHED_OPERATION_BYTES = 32 * 1024 * 1024;

/** A parsed document with its cached analysis, shared by all workspaces. */
export interface CachedDocument {
  document: DocumentNode;
  fragments: Fragments;
  /** Exceeded limits that do not depend on the schema. */
  excesses: readonly GraphQLError[];
  checked: WeakMap<GraphQLSchema, { open?: readonly GraphQLError[]; closed?: readonly GraphQLError[] }>;
  costs: WeakMap<GraphQLSchema, Map<OperationDefinitionNode, CostFunction>>;
  bytes: number;
}

type CacheEntry = CachedDocument | { refusal: unknown; bytes: number };

/** Measured memory per token, including the AST node, tokens, locations and cached data. */
const TOKEN_BYTES = 600;

const documentCache = createCache<string, CacheEntry>({
  entries: MAX_CACHED_OPERATIONS,
  weight: { max: MAX_CACHED_OPERATION_BYTES, measure: ({ bytes }) => bytes },
});

/** @throws GraphQLError if the source is not a valid document */
export function getDocument(source: string): CachedDocument {
  const entry = documentCache.getOrCreate(source, () => readDocument(source));
  if ('refusal' in entry) throw entry.refusal;
  return entry;
}

/** Returns the document if it has already passed validation for the schema, or null. */
export function findValidDocument(
  source: string,
  schema: GraphQLSchema,
  isOpen: boolean,
): CachedDocument | null {
  const entry = documentCache.get(source);
  if (!entry || 'refusal' in entry || entry.excesses.length > 0) return null;
  return entry.checked.get(schema)?.[isOpen ? 'open' : 'closed']?.length === 0 ? entry : null;
}

function readDocument(source: string): CacheEntry {
  // A character takes up to two bytes. The text is stored twice: as the cache key and as the source of the tokens.
  const text = 1_000 + 2 * source.length;
  try {
    const document = parseDocument(source);
    const fragments = collectFragments(document);
    return {
      document,
      fragments,
      excesses: findExceededLimits(document, fragments),
      checked: new WeakMap(),
      costs: new WeakMap(),
      bytes: text + TOKEN_BYTES * countTokens(document),
    };
  } catch (error) {
    return { refusal: error, bytes: text };
  }
}

function countTokens({ loc }: DocumentNode): number {
  let count = 0;
  for (let token = loc?.startToken ?? null; token; token = token.next) count++;
  return count;
}

export function validateDocument(
  { document, excesses, checked }: CachedDocument,
  schema: GraphQLSchema,
  isOpen: boolean,
): readonly GraphQLError[] {
  if (excesses.length > 0) return excesses;
  const knownErrors = checked.get(schema) ?? {};
  const form = isOpen ? 'open' : 'closed';
  const validationErrors = knownErrors[form] ?? validate(schema, document, getValidationRules(isOpen));
  knownErrors[form] = validationErrors;
  checked.set(schema, knownErrors);
  return validationErrors;
}

export function computeDocumentCost(
  { costs, fragments }: CachedDocument,
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const computations = costs.get(schema) ?? new Map<OperationDefinitionNode, CostFunction>();
  costs.set(schema, computations);
  const cost = computations.get(operation) ?? compileCost(schema, operation, fragments);
  computations.set(operation, cost);
  return cost(variables);
}
