import {
  type AnyVariables,
  Client,
  type DocumentInput,
  fetchExchange,
  makeOperation,
  mapExchange,
  type Operation,
  type OperationResult,
} from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { requestPage } from '../connection/server.ts';
import { waitForSignIn } from '../connection/session.ts';
import { cacheConfig } from './cache-config.ts';
import { RequestError, toRequestFailure } from './request-error.ts';
import { sendMutation, sendQuery } from './send-request.ts';

/** After the user has signed in again, repeats operations that were rejected because the session had ended. */
const sessionExchange = mapExchange({
  onResult(result) {
    const code = result.error && toRequestFailure(result.error).code;
    if (code === 'UNAUTHENTICATED') return waitForSignIn().then(() => repeatOperation(result.operation));
    // Without a session, the schema lacks the workspace's models.
    if (code === 'GRAPHQL_VALIDATION_FAILED')
      return requestPage().then((page) =>
        page?.isSignedOut ? waitForSignIn().then(() => repeatOperation(result.operation)) : result,
      );
  },
});

async function repeatOperation(operation: Operation): Promise<OperationResult> {
  const result = await uncachedClient.executeRequestOperation(operation).toPromise();
  return { ...result, operation };
}

const sendExchange = mapExchange({
  onOperation: (operation) =>
    makeOperation(operation.kind, operation, {
      ...operation.context,
      fetch: operation.kind === 'mutation' && !operation.context.isRepeatable ? sendMutation : sendQuery,
    }),
});

const CLIENT_OPTIONS = {
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: { credentials: 'same-origin', headers: { accept: 'application/graphql-response+json' } },
} as const;

/**
 * In development, the cache warns about every object without an id. Such objects are embedded in their parents on
 * purpose.
 */
const logWarning: CacheExchangeOpts['logger'] = (severity, message) => {
  if (!message.startsWith('Invalid key')) console[severity](message);
};

const cache = cacheExchange({ ...cacheConfig, logger: logWarning });

/** GraphQL client with a normalized cache. The session cookie authenticates requests. */
export const client = new Client({
  ...CLIENT_OPTIONS,
  exchanges: [cache, sessionExchange, sendExchange, fetchExchange],
});

const uncachedClient = new Client({
  ...CLIENT_OPTIONS,
  exchanges: [sessionExchange, sendExchange, fetchExchange],
});

/**
 * Runs a mutation and updates the cache with its result.
 * @param isRepeatable true if the server rejects a repetition, so that the request may be sent again
 * @throws RequestError
 */
export async function runMutation<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
  isRepeatable = false,
): Promise<Data> {
  return getData(await client.mutation(document, variables, { isRepeatable }));
}

/**
 * Runs a query once, without reading the cache.
 * @throws RequestError
 */
export async function runQuery<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  return getData(await client.query(document, variables, { requestPolicy: 'network-only' }));
}

/**
 * Queries a secret without caching it.
 * @throws RequestError
 */
export async function runUncachedQuery<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  return getData(await uncachedClient.query(document, variables));
}

function getData<Data>({ data, error }: Pick<OperationResult<Data>, 'data' | 'error'>): Data {
  if (error) throw new RequestError(toRequestFailure(error));
  return data!;
}
