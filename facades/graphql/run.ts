import { type ExecutionResult, execute, type GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { createCache, perOwner } from '../../src/cache.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { limits } from '../../src/limits.ts';
import { boundedParse, boundRules, closedRules } from './bounds.ts';
import { shapeErrors } from './errors.ts';
import type { Params } from './params.ts';

/** Runs one operation as `ctx`; every error in the result is already in its public form. */
export type Run = (ctx: Ctx, request: Request, params: Params) => Promise<ExecutionResult>;

interface Carrier {
  ctx: Ctx;
}

/** Runs operations on the schema of the caller's workspace. */
export function createRun(runtime: Runtime): Run {
  const runs = perOwner(runOf);
  return (ctx, request, params) => {
    // The catalog of an anonymous caller is empty, and the product's schema is what a stranger would see.
    const schema = ctx.principal ? runtime.schemaOf(ctx.catalog.registry) : runtime.schema;
    return runs(schema)(ctx, request, params);
  };
}

/**
 * Yoga with its parser and validation cache and our bounds. Requests and responses are the door's: Yoga's own streams
 * cost as much again as the query (measured), and nothing here is streamed.
 */
function runOf(schema: GraphQLSchema): Run {
  const yoga = createYoga<Carrier>({
    schema,
    plugins: [bounded, execution],
    parserAndValidationCache: {
      documentCache: documents(limits.graphql.documents),
      errorCache: documents(0),
    },
    maskedErrors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    cors: false,
    logging: false,
  });
  return async (ctx, request, params) => {
    // Yoga's declarations want the context of its own HTTP layer; ours is `{ ctx }`.
    const context = { ctx } as unknown as Parameters<typeof yoga.getResultForParams>[1];
    try {
      return shapeErrors(
        ctx,
        (await yoga.getResultForParams({ params, request }, context)) as ExecutionResult,
      );
    } catch (error) {
      return shapeErrors(ctx, { errors: [error as GraphQLError] });
    }
  };
}

const bounded: Plugin<Carrier> = {
  onParse: ({ setParseFn }) => setParseFn(boundedParse),
  onValidate({ addValidationRule, context }) {
    for (const rule of boundRules) addValidationRule(rule);
    if (!context.ctx.principal) for (const rule of closedRules) addValidationRule(rule);
  },
};

const execution: Plugin<Carrier> = {
  onExecute: ({ setExecuteFn }) =>
    setExecuteFn((args) => execute({ ...args, contextValue: args.contextValue.ctx })),
};

/** Yoga keeps two kinds of values so, and its declarations fit no cache that knows which. */
const documents = (entries: number) => createCache<string, never>({ entries });
