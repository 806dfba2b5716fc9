import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { LiveSource } from '../../src/engine/live/topic.ts';
import { waitForExpensiveTurn } from '../../src/engine/verb/heavy.ts';
import { defineCounter } from '../../src/engine/work/metrics.ts';
import { namesType } from '../../src/http/accept.ts';
import { limits } from '../../src/limits.ts';
import { type TraceAttributes, tracing } from '../../src/trace.ts';
import type { AskedOperation } from './argument-path.ts';
import { documentError } from './bounds.ts';
import { costIn, type KnownDocument, knownDocument, mistakesOf, passedDocument } from './documents.ts';
import { shapeErrors } from './errors.ts';
import { introspect, isIntrospection, type ZippedAnswer } from './introspection.ts';
import type { Params } from './params.ts';
import { boundVariables, type RawVariables } from './variables.ts';

/** A result; of a subscription that may begin, what it asks for. */
type RunOutcome = ExecutionResult & { live?: Live };

/** A subscription: what it follows, and how each event is executed. */
export interface Live {
  source: LiveSource;
  args: ExecutionArgs;
}

/** What the steps of one operation share. */
interface Carrier {
  ctx: Ctx;
  asked: Params;
  /** The caller takes a stream of events. */
  streams: boolean;
  /** What the first step finds; the other steps need it. */
  found: { known?: KnownDocument };
}

/** An operation that may run: it fits the schema and every limit. */
interface PreparedOperation {
  schema: GraphQLSchema;
  known: KnownDocument;
  operation: OperationDefinitionNode;
  variables: RawVariables;
}

/**
 * Documents are parsed once for all workspaces, and checked once for each schema. Every step is ours; Yoga leads from
 * one to the next. Requests and responses are the door's: Yoga's own streams cost as much again as the query
 * (measured).
 */
const steps: Plugin<Carrier> = {
  onEnveloped: ({ context, setSchema }) => setSchema(schemaFor(context!.ctx)),
  onParse({ context, params, setParsedDocument }) {
    const known = knownDocument(String(params.source));
    context.found.known = known;
    setParsedDocument(known.document);
  },
  onValidate: ({ context, params, setResult }) =>
    setResult(mistakesOf(context.found.known!, params.schema, context.ctx.principal !== null).map(coded)),
  onExecute: ({ setExecuteFn }) => setExecuteFn(executed),
  onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribed),
};

const yoga = createYoga<Carrier>({
  plugins: [steps],
  parserAndValidationCache: false,
  maskedErrors: false,
  graphiql: false,
  landingPage: false,
  multipart: false,
  cors: false,
  logging: false,
});

/** The catalog of an anonymous caller is empty, and the product's schema is what a stranger would see. */
const schemaFor = ({ runtime, principal, catalog }: Ctx): GraphQLSchema =>
  principal ? runtime.getSchema(catalog.registry) : runtime.schema;

/** Runs one operation as `ctx`; every error in the result is already in its public form. */
export async function run(ctx: Ctx, request: Request, params: Params): Promise<RunOutcome | ZippedAnswer> {
  const carrier: Carrier = { ctx, asked: params, streams: takesEvents(request.headers), found: {} };
  const outcome = await (tracing.now
    ? tracing.now.runSpan({ name: 'graphql', attributes: namedIn(params) }, () => outcomeOf(carrier, request))
    : outcomeOf(carrier, request));
  count(carrier, outcome);
  return outcome;
}

const namedIn = ({ operationName }: Params): TraceAttributes =>
  operationName ? { 'graphql.operation.name': operationName.slice(0, 100) } : {};

async function outcomeOf(carrier: Carrier, request: Request): Promise<RunOutcome | ZippedAnswer> {
  const { ctx, asked: params } = carrier;
  const asked = (): AskedOperation | undefined => {
    const { known } = carrier.found;
    return known && { known, variables: params.variables ?? {} };
  };
  try {
    // Yoga's declarations want the context of its own HTTP layer.
    const context = carrier as unknown as Parameters<typeof yoga.getResultForParams>[1];
    const { query, operationName, variables } = params;
    const given = {
      params: { query, operationName: operationName ?? undefined, variables: variables ?? undefined },
      request,
    };
    const result = (await (again(carrier) ?? yoga.getResultForParams(given, context))) as
      | RunOutcome
      | ZippedAnswer;
    return 'zipped' in result ? result : shapeErrors(ctx, result, asked());
  } catch (error) {
    return shapeErrors(ctx, { errors: [error as GraphQLError] }, asked());
  }
}

const OPERATIONS = defineCounter(
  'atrium_graphql_operations_total',
  'GraphQL operations by type (query, mutation, subscription, or none for a document without one) and outcome.',
  ['type', 'outcome'],
);

function count({ asked, found }: Carrier, outcome: RunOutcome | ZippedAnswer): void {
  const operation = found.known && getOperationAST(found.known.document, asked.operationName);
  const isError = 'errors' in outcome && outcome.errors !== undefined;
  OPERATIONS.inc({ type: operation?.operation ?? 'none', outcome: isError ? 'error' : 'ok' });
}

/**
 * A document that has been through Yoga's steps goes straight to the last one: to be led there again costs a fifth of
 * a short mutation (measured). null for all others.
 */
function again(carrier: Carrier): Promise<ExecutionResult | ZippedAnswer> | null {
  const { ctx, asked, found } = carrier;
  const { query, operationName, variables, isSafe } = asked;
  if (isSafe) return null;
  const schema = schemaFor(ctx);
  const known = passedDocument(query, schema, ctx.principal !== null);
  if (
    !known ||
    (getOperationAST(known.document, operationName)?.operation ?? 'subscription') === 'subscription'
  )
    return null;
  found.known = known;
  return executed({
    schema,
    document: known.document,
    operationName,
    variableValues: variables,
    contextValue: carrier,
  });
}

async function executed(args: ExecutionArgs): Promise<ExecutionResult | ZippedAnswer> {
  const { ctx } = args.contextValue as Carrier;
  const turn = waitForExpensiveTurn(ctx, args.variableValues ?? {});
  if (turn) await turn;
  const { schema, known, operation, variables } = prepared(args);
  if (isIntrospection(operation)) return introspect(schema, known, operation);
  const running = { ...args, variableValues: variables, contextValue: ctx };
  const { executeChange: answerChange } = ctx.runtime;
  if (operation.operation === 'mutation') return answerChange(running) ?? execute(running);
  return (await asText(running)) ?? execute(running);
}

/** The result with its data as text, which the door sends as it is; null for what resolvers have to answer. */
const asText = (args: ExecutionArgs & { contextValue: Ctx }): Promise<ExecutionResult | null> =>
  args.contextValue.runtime.executeToText(args).then(
    (data) => data && { data: data as unknown as ExecutionResult['data'] },
    (error: GraphQLError) => ({ data: null, errors: [error] }),
  );

/** Asks the root field for what it follows; the door lets the hub read and send. */
async function subscribed(args: ExecutionArgs): Promise<RunOutcome> {
  const { ctx, streams } = args.contextValue as Carrier;
  const { operation, variables } = prepared(args);
  if (!streams)
    throw documentError(
      'BAD_REQUEST',
      'A subscription needs the header Accept: text/event-stream.',
      operation,
    );
  const begin = { ...args, variableValues: variables };
  const source = await createSourceEventStream({ ...begin, contextValue: ctx });
  // The stream outlives the request, and holds nothing of it.
  return source instanceof LiveSource
    ? { live: { source, args: { ...begin, contextValue: null } } }
    : (source as ExecutionResult);
}

/** The operation of the request. @throws GraphQLError where there is none, or it exceeds a limit */
function prepared({ schema, contextValue }: ExecutionArgs): PreparedOperation {
  const { asked, found } = contextValue as Carrier;
  const known = found.known!;
  const operation = operationOf(known, asked);
  const variables = asked.variables ?? {};
  boundVariables(operation, variables);
  checkCost(costIn(known, schema, operation, variables), operation);
  return { schema, known, operation, variables };
}

/** @throws a GraphQLError when the document has no such operation, or not one that may run */
function operationOf({ document }: KnownDocument, { operationName }: Params): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (!operation)
    throw documentError(
      'BAD_REQUEST',
      operationName
        ? `The document has no operation "${operationName.slice(0, 100)}".`
        : 'The document has several operations or none: say which one in operationName.',
    );
  return operation;
}

function checkCost(cost: number, operation: OperationDefinitionNode): void {
  if (cost <= limits.graphql.cost) return;
  throw documentError(
    'TOO_COMPLEX',
    `The document asks for up to ${Math.round(cost)} values, and at most ${limits.graphql.cost} are allowed: ` +
      'ask for shorter lists (first) or fewer fields.',
    operation,
  );
}

/** Whether the client asks for a stream of events, which a subscription needs. */
export const takesEvents = (headers: Headers): boolean =>
  namesType(headers.get('accept'), 'text/event-stream');

/** What the document asks to run; undefined for one that cannot run. */
export function operationTypeOf({ query, operationName }: Params): OperationTypeNode | undefined {
  try {
    return getOperationAST(knownDocument(query).document, operationName)?.operation;
  } catch {
    return undefined;
  }
}

/** Rules of graphql-js give no code. */
const coded = (error: GraphQLError): GraphQLError =>
  error.extensions.code
    ? error
    : new GraphQLError(error.message, {
        nodes: error.nodes,
        source: error.source,
        positions: error.positions,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
