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
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { LiveSource } from '../../src/engine/live/topic.ts';
import { runInTurn } from '../../src/engine/operation/expensive-calls.ts';
import { defineCounter } from '../../src/engine/work/metrics.ts';
import { namesMediaType } from '../../src/http/accept.ts';
import { type TraceAttributes, tracing } from '../../src/trace.ts';
import type { RequestedOperation } from './argument-path.ts';
import { createDocumentError } from './bounds.ts';
import { type CachedDocument, computeDocumentCost, getDocument, validateDocument } from './documents.ts';
import { shapeErrors } from './errors.ts';
import { type CompressedResponse, isIntrospection, runIntrospection } from './introspection.ts';
import type { GraphQLParams } from './params.ts';
import { checkVariableLimits } from './variables.ts';

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
  /** Undefined until the document has been parsed. */
  cachedDocument?: CachedDocument;
}

/** Anonymous callers have an empty catalog, so they get the built-in schema. */
const getSchema = ({ runtime, principal, catalog }: Ctx): GraphQLSchema =>
  principal ? runtime.getSchema(catalog.registry) : runtime.schema;

/** Errors in the result are in their public form. */
export async function run(
  ctx: Ctx,
  request: Request,
  params: GraphQLParams,
): Promise<RunOutcome | CompressedResponse> {
  const state: OperationState = { ctx, params, streams: acceptsEvents(request.headers) };
  const outcome = await (tracing.now
    ? tracing.now.runSpan({ name: 'graphql', attributes: buildTraceAttributes(params) }, () =>
        runOperation(state),
      )
    : runOperation(state));
  recordMetrics(state, outcome);
  return outcome;
}

const buildTraceAttributes = ({ operationName }: GraphQLParams): TraceAttributes =>
  operationName ? { 'graphql.operation.name': operationName.slice(0, 100) } : {};

async function runOperation(state: OperationState): Promise<RunOutcome | CompressedResponse> {
  const { ctx } = state;
  try {
    const result = await executeDocument(state);
    return 'zipped' in result ? result : shapeErrors(ctx, result, getRequestedOperation(state));
  } catch (error) {
    return shapeErrors(ctx, { errors: [error as GraphQLError] }, getRequestedOperation(state));
  }
}

const getRequestedOperation = ({ cachedDocument, params }: OperationState): RequestedOperation | undefined =>
  cachedDocument && { cachedDocument, variables: params.variables ?? {} };

/** Documents are parsed once for all workspaces and validated once per schema. */
async function executeDocument(state: OperationState): Promise<RunOutcome | CompressedResponse> {
  const { ctx, params } = state;
  const schema = getSchema(ctx);
  const cachedDocument = getDocument(params.query);
  state.cachedDocument = cachedDocument;
  const errors = validateDocument(cachedDocument, schema, ctx.principal !== null);
  if (errors.length > 0) return { errors: errors.map(addErrorCode) };
  const type = getOperationAST(cachedDocument.document, params.operationName)?.operation;
  if (type === 'subscription') return subscribeOperation(state, schema, cachedDocument);
  return runInTurn(ctx, params.variables ?? {}, () => executeOperation(ctx, schema, cachedDocument, params));
}

const OPERATIONS = defineCounter(
  'atrium_graphql_operations_total',
  'GraphQL operations by type (query, mutation, subscription, or none for a document without one) and outcome.',
  ['type', 'outcome'],
);

function recordMetrics(
  { params, cachedDocument }: OperationState,
  outcome: RunOutcome | CompressedResponse,
): void {
  const operation = cachedDocument && getOperationAST(cachedDocument.document, params.operationName);
  const isError = 'errors' in outcome && outcome.errors !== undefined;
  OPERATIONS.inc({ type: operation?.operation ?? 'none', outcome: isError ? 'error' : 'ok' });
}

async function executeOperation(
  ctx: Ctx,
  schema: GraphQLSchema,
  cachedDocument: CachedDocument,
  params: GraphQLParams,
): Promise<ExecutionResult | CompressedResponse> {
  const { operation, args } = prepareOperation(schema, cachedDocument, params);
  if (isIntrospection(operation)) return runIntrospection(schema, cachedDocument, operation);
  const executionArgs = { ...args, contextValue: ctx };
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
async function subscribeOperation(
  { ctx, params, streams }: OperationState,
  schema: GraphQLSchema,
  cachedDocument: CachedDocument,
): Promise<RunOutcome> {
  const { operation, args } = prepareOperation(schema, cachedDocument, params);
  if (!streams)
    throw createDocumentError(
      'BAD_REQUEST',
      'A subscription requires the header Accept: text/event-stream.',
      operation,
    );
  const source = await createSourceEventStream({ ...args, contextValue: ctx });
  // The stream outlives the request, so it must not retain its context.
  return source instanceof LiveSource ? { live: { source, args } } : (source as ExecutionResult);
}

/** Finds the request's operation and checks its limits. @throws GraphQLError */
function prepareOperation(
  schema: GraphQLSchema,
  cachedDocument: CachedDocument,
  params: GraphQLParams,
): { operation: OperationDefinitionNode; args: ExecutionArgs } {
  const { document } = cachedDocument;
  const operation = getOperation(cachedDocument, params);
  const variableValues = params.variables ?? {};
  checkVariableLimits(operation, variableValues);
  checkCost(computeDocumentCost(cachedDocument, schema, operation, variableValues), operation);
  const { operationName } = params;
  return { operation, args: { schema, document, operationName, variableValues, ...EXECUTION_OPTIONS } };
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

/** Returns true if the client accepts a stream of events, which a subscription requires. */
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
