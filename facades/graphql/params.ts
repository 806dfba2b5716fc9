import { AppError, errors } from '../../src/errors.ts';
import { parseBody, type RequestBody, readBody } from '../../src/http/body.ts';
import { hasJsonBody } from '../../src/http/json-api.ts';
import { isObject } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import type { TaskOwner } from '../../src/thread.ts';

export const MAX_DOCUMENT_CHARS = 100_000;

/** Named as in GraphQL over HTTP. */
export interface GraphQLParams {
  query: string;
  operationName: string | null;
  variables: Record<string, unknown> | null;
  /** True for GET, which must not change data. */
  isSafe: boolean;
}

const PARAM_NAMES = new Set(['query', 'operationName', 'variables', 'extensions']);

/**
 * Parses the operation from the query string of a GET or the JSON body of a POST. Accepts only JSON, which HTML forms
 * on other sites can't send. Rejects batches.
 * @throws BAD_REQUEST, with the HTTP status 413 or 415 if applicable
 */
export async function parseParams(request: Request, holder: TaskOwner): Promise<GraphQLParams> {
  const isSafe = request.method !== 'POST';
  const params = isSafe
    ? parseUrlParams(new URL(request.url).searchParams)
    : await parseBodyParams(request, holder);
  const { query, operationName = null, variables = null, extensions = null } = params;
  if (typeof query !== 'string' || query === '') throw errors.badRequest('A query is required.');
  if (query.length > MAX_DOCUMENT_CHARS) {
    throw errors.badRequest(
      `A document may have at most ${MAX_DOCUMENT_CHARS} characters. Pass long values as variables.`,
    );
  }
  for (const name of Object.keys(params))
    if (!PARAM_NAMES.has(name) && params[name] !== null && params[name] !== undefined)
      throw errors.badRequest(`Unexpected parameter "${name.slice(0, 100)}".`);
  if (operationName !== null && typeof operationName !== 'string')
    throw errors.badRequest('operationName must be a string.');
  if (extensions !== null) parseObject(extensions, 'extensions');
  return {
    query,
    operationName,
    variables: variables === null ? null : parseObject(variables, 'variables'),
    isSafe,
  };
}

async function parseBodyParams(request: Request, holder: TaskOwner): Promise<Record<string, unknown>> {
  if (!hasJsonBody(request.headers))
    throw new AppError('BAD_REQUEST', 'Content-Type: application/json is required.', 415);
  const body = await readBody(request, { maxBytes: limits.http.jsonBody, owner: holder });
  return parseObject(await parseBodyJson(body), 'The body');
}

function parseUrlParams(search: URLSearchParams): Record<string, unknown> {
  const variables = search.get('variables');
  return {
    query: search.get('query'),
    operationName: search.get('operationName'),
    variables: variables ? parseVariables(variables) : undefined,
  };
}

async function parseBodyJson(body: RequestBody): Promise<unknown> {
  try {
    return await parseBody(body);
  } catch (error) {
    throw error instanceof AppError ? error : createInvalidJsonError('The body');
  }
}

function parseVariables(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createInvalidJsonError('variables');
  }
}

const createInvalidJsonError = (label: string) => errors.badRequest(`${label} is not valid JSON.`);

function parseObject(value: unknown, label: string): Record<string, unknown> {
  if (Array.isArray(value) && label === 'The body')
    throw errors.badRequest(`${label} is a list. Batches are not supported. Send one operation per request.`);
  if (!isObject(value)) throw errors.badRequest(`${label} must be a JSON object.`);
  return value;
}
