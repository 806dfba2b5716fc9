import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  type DocumentNode,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  type Source,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { limits } from '../../src/limits.ts';

/** Refuses a document by its number of tokens while it is read. */
export const boundedParse = (source: string | Source): DocumentNode =>
  parse(source, { maxTokens: limits.graphql.tokens });

// Reported like every other mistake of validation instead of thrown, so that the refusal of a document is kept as well.
const reported = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: GraphQLError) => context?.reportError(plain(message)),
  ],
};

/** The rules call a document that is well written a syntax error. */
const plain = (message: string) => new GraphQLError(message.replace(/^Syntax Error: /, ''));

/** Limits of a document, for every caller. Made once: rules of the same name count as the same in the cache. */
export const boundRules = [
  named('MaxDepth', maxDepthRule({ n: limits.graphql.depth, flattenFragments: true, ...reported })),
  named('MaxAliases', maxAliasesRule({ n: limits.graphql.aliases, ...reported })),
  named('MaxCost', costLimitRule({ maxCost: limits.graphql.cost, flattenFragments: true, ...reported })),
];

/** For callers without a credential the schema is closed. */
export const closedRules: ValidationRule[] = [NoSchemaIntrospectionCustomRule];

function named(name: string, rule: unknown): ValidationRule {
  return Object.defineProperty(rule as ValidationRule, 'name', { value: name });
}
