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
import { runInTurn } from '../../src/engine/operation/expensive-calls.ts';
import { defineCounter } from '../../src/engine/work/metrics.ts';
import { namesMediaType } from '../../src/http/accept.ts';
import { type TraceAttributes, tracing } from '../../src/trace.ts';
import type { RequestedOperation } from './argument-path.ts';
import { createDocumentError } from './bounds.ts';
import {
  type CachedDocument,
  computeDocumentCost,
  findValidDocument,
  getDocument,
  validateDocument,
} from './documents.ts';
import { shapeErrors } from './errors.ts';
import { type CompressedResponse, isIntrospection, runIntrospection } from './introspection.ts';
import type { GraphQLParams } from './params.ts';
import { checkVariableLimits, type RawVariables } from './variables.ts';

/**
 * Maximum estimated number of values that a document requests. A field counts once per record. The length of a list is
 * `first`, `last` or `limit`, or the field's `size`. Otherwise it is `limits.graphql.pageDefault` at the root and
 * `ASSUMED_NESTED_ROWS` in nested lists.
 */
export const MAX_OPERATION_COST = 500_000;

/** Each error in variables prints the invalid object, which takes 8 ms for 10,000 keys. */
const EXECUTION_OPTIONS: Pick<ExecutionArgs, 'options'> = { options: { maxCoercionErrors: 5 } };

/** `live` is set if the operation is a subscription that can start. */
type RunOutcome = ExecutionResult & { live?: LiveRequest };

/** A subscription's event source, and the arguments to execute for each event. */
export interface LiveRequest {
  source: LiveSource;
  args: ExecutionArgs;
}

interface OperationState {
  ctx: Ctx;
  params: GraphQLParams;
  streams: boolean;
  /** The cached document. Set by the first step for later steps. */
  lookup: { cachedDocument?: CachedDocument };
}

interface PreparedOperation {
  schema: GraphQLSchema;
  cachedDocument: CachedDocument;
  operation: OperationDefinitionNode;
  variables: RawVariables;
}

/**
 * Documents are parsed once for all workspaces and validated once per schema. Yoga only runs these steps. The facade
 * handles requests and responses, because Yoga's streams double the cost of a query (measured).
 */
const steps: Plugin<OperationState> = {
  onEnveloped: ({ context, setSchema }) => setSchema(getSchema(context!.ctx)),
  onParse({ context, params, setParsedDocument }) {
    const cachedDocument = getDocument(String(params.source));
    context.lookup.cachedDocument = cachedDocument;
    setParsedDocument(cachedDocument.document);
  },
  onValidate: ({ context, params, setResult }) =>
    setResult(
      validateDocument(context.lookup.cachedDocument!, params.schema, context.ctx.principal !== null).map(
        addErrorCode,
      ),
    ),
  onExecute: ({ setExecuteFn }) => setExecuteFn(executeOperation),
  onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribeOperation),
};

const yoga = createYoga<OperationState>({
  plugins: [steps],
  parserAndValidationCache: false,
  maskedErrors: false,
  graphiql: false,
  landingPage: false,
  multipart: false,
  cors: false,
  logging: false,
});

/** Anonymous callers have an empty catalog, so they get the built-in schema. */
const getSchema = ({ runtime, principal, catalog }: Ctx): GraphQLSchema =>
  principal ? runtime.getSchema(catalog.registry) : runtime.schema;

/** Errors in the result are in their public form. */
export async function run(
  ctx: Ctx,
  request: Request,
  params: GraphQLParams,
): Promise<RunOutcome | CompressedResponse> {
  const state: OperationState = { ctx, params, streams: acceptsEvents(request.headers), lookup: {} };
  const outcome = await (tracing.now
    ? tracing.now.runSpan({ name: 'graphql', attributes: buildTraceAttributes(params) }, () =>
        runOperation(state, request),
      )
    : runOperation(state, request));
  recordMetrics(state, outcome);
  return outcome;
}

const buildTraceAttributes = ({ operationName }: GraphQLParams): TraceAttributes =>
  operationName ? { 'graphql.operation.name': operationName.slice(0, 100) } : {};

async function runOperation(
  state: OperationState,
  request: Request,
): Promise<RunOutcome | CompressedResponse> {
  const { ctx, params } = state;
  const getRequestedOperation = (): RequestedOperation | undefined => {
    const { cachedDocument } = state.lookup;
    return cachedDocument && { cachedDocument, variables: params.variables ?? {} };
  };
  try {
    // Yoga's types require the context of its own HTTP layer.
    const context = state as unknown as Parameters<typeof yoga.getResultForParams>[1];
    const { query, operationName, variables } = params;
    const graphqlRequest = {
      params: { query, operationName: operationName ?? undefined, variables: variables ?? undefined },
      request,
    };
    const result = (await (executeKnownDocument(state) ??
      yoga.getResultForParams(graphqlRequest, context))) as RunOutcome | CompressedResponse;
    return 'zipped' in result ? result : shapeErrors(ctx, result, getRequestedOperation());
  } catch (error) {
    return shapeErrors(ctx, { errors: [error as GraphQLError] }, getRequestedOperation());
  }
}

const OPERATIONS = defineCounter(
  'atrium_graphql_operations_total',
  'GraphQL operations by type (query, mutation, subscription, or none for a document without one) and outcome.',
  ['type', 'outcome'],
);

function recordMetrics(
  { params: requestParams, lookup }: OperationState,
  outcome: RunOutcome | CompressedResponse,
): void {
  const operation =
    lookup.cachedDocument && getOperationAST(lookup.cachedDocument.document, requestParams.operationName);
  const isError = 'errors' in outcome && outcome.errors !== undefined;
  OPERATIONS.inc({ type: operation?.operation ?? 'none', outcome: isError ? 'error' : 'ok' });
}

/**
 * Executes a document directly if Yoga has already parsed and validated it. Repeating these steps would take about 20%
 * of the time of a short mutation. Returns null for all other documents.
 */
function executeKnownDocument(state: OperationState): Promise<ExecutionResult | CompressedResponse> | null {
  const { ctx, params: requestParams, lookup } = state;
  const { query, operationName, variables, isSafe } = requestParams;
  if (isSafe) return null;
  const schema = getSchema(ctx);
  const cachedDocument = findValidDocument(query, schema, ctx.principal !== null);
  if (
    !cachedDocument ||
    (getOperationAST(cachedDocument.document, operationName)?.operation ?? 'subscription') === 'subscription'
  )
    return null;
  lookup.cachedDocument = cachedDocument;
  return executeOperation({
    schema,
    document: cachedDocument.document,
    operationName,
    variableValues: variables,
    contextValue: state,
  });
}

const executeOperation = (args: ExecutionArgs): Promise<ExecutionResult | CompressedResponse> =>
  runInTurn((args.contextValue as OperationState).ctx, args.variableValues ?? {}, () => executeInTurn(args));

async function executeInTurn(args: ExecutionArgs): Promise<ExecutionResult | CompressedResponse> {
  const { ctx } = args.contextValue as OperationState;
  const { schema, cachedDocument, operation, variables } = prepareOperation(args);
  if (isIntrospection(operation)) return runIntrospection(schema, cachedDocument, operation);
  const executionArgs = { ...args, ...EXECUTION_OPTIONS, variableValues: variables, contextValue: ctx };
  const text = operation.operation === 'query' ? await executeAsText(executionArgs) : null;
  return text ?? execute(executionArgs);
}

/** Returns the result with its data as JSON text, which the facade sends unchanged. Null if resolvers must run. */
const executeAsText = (args: ExecutionArgs & { contextValue: Ctx }): Promise<ExecutionResult | null> =>
  args.contextValue.runtime.executeToText(args).then(
    (data) => data && { data: data as unknown as ExecutionResult['data'] },
    (error: GraphQLError) => ({ data: null, errors: [error] }),
  );

/** Resolves the root field's event source, and leaves reading and sending events to the hub. */
async function subscribeOperation(args: ExecutionArgs): Promise<RunOutcome> {
  const { ctx, streams } = args.contextValue as OperationState;
  const { operation, variables } = prepareOperation(args);
  if (!streams)
    throw createDocumentError(
      'BAD_REQUEST',
      'A subscription requires the header Accept: text/event-stream.',
      operation,
    );
  const begin = { ...args, ...EXECUTION_OPTIONS, variableValues: variables };
  const source = await createSourceEventStream({ ...begin, contextValue: ctx });
  // The stream outlives the request, so it must not retain its context.
  return source instanceof LiveSource
    ? { live: { source, args: { ...begin, contextValue: null } } }
    : (source as ExecutionResult);
}

/** Finds the request's operation and checks its limits. @throws GraphQLError */
function prepareOperation({ schema, contextValue }: ExecutionArgs): PreparedOperation {
  const { params: requestParams, lookup } = contextValue as OperationState;
  const cachedDocument = lookup.cachedDocument!;
  const operation = getOperation(cachedDocument, requestParams);
  const variables = requestParams.variables ?? {};
  checkVariableLimits(operation, variables);
  checkCost(computeDocumentCost(cachedDocument, schema, operation, variables), operation);
  return { schema, cachedDocument, operation, variables };
}

function getOperation(
  { document }: CachedDocument,
  { operationName }: GraphQLParams,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (!operation)
    throw createDocumentError(
      'BAD_REQUEST',
      operationName
        ? `The document contains no operation named "${operationName.slice(0, 100)}".`
        : 'The document must contain one operation. If it contains several, select one with operationName.',
    );
  return operation;
}

function checkCost(cost: number, operation: OperationDefinitionNode): void {
  if (cost <= MAX_OPERATION_COST) return;
  throw createDocumentError(
    'TOO_COMPLEX',
    `The document requests up to ${Math.round(cost)} values, but the maximum is ${MAX_OPERATION_COST}. ` +
      'Request shorter lists (first) or fewer fields.',
    operation,
  );
}

export const acceptsEvents = (headers: Headers): boolean =>
  namesMediaType(headers.get('accept'), 'text/event-stream');

export function getOperationType({ query, operationName }: GraphQLParams): OperationTypeNode | undefined {
  try {
    return getOperationAST(getDocument(query).document, operationName)?.operation;
  } catch {
    return undefined;
  }
}

/** Adds a code to errors of graphql-js's validation rules, which have none. */
const addErrorCode = (error: GraphQLError): GraphQLError =>
  error.extensions.code
    ? error
    : new GraphQLError(error.message, {
        nodes: error.nodes,
        source: error.source,
        positions: error.positions,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
