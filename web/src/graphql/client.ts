import {
  type AnyVariables,
  Client,
  type DocumentInput,
  fetchExchange,
  makeOperation,
  mapExchange,
} from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { leavePage } from '../connection/reload.ts';
import { cacheConfig } from './cache-config.ts';
import { RequestError, toRequestFailure } from './request-error.ts';
import { sendMutation, sendQuery } from './send-request.ts';

const signedOutExchange = mapExchange({
  onError(error) {
    if (toRequestFailure(error).code === 'UNAUTHENTICATED')
      void leavePage(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  },
});

const sendExchange = mapExchange({
  onOperation: (operation) =>
    makeOperation(operation.kind, operation, {
      ...operation.context,
      fetch: operation.kind === 'mutation' ? sendMutation : sendQuery,
    }),
});

const CLIENT_OPTIONS = {
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: { credentials: 'same-origin', headers: { accept: 'application/graphql-response+json' } },
} as const;

/**
 * In development, the cache warns about every object without an id. Embedding these objects in their parents is
 * intended.
 */
const logger: CacheExchangeOpts['logger'] = (severity, message) => {
  if (!message.startsWith('Invalid key')) console[severity](message);
};

const cache = cacheExchange({ ...cacheConfig, logger });

/** GraphQL client with a normalized cache. The session cookie authenticates requests. */
export const client = new Client({
  ...CLIENT_OPTIONS,
  exchanges: [cache, signedOutExchange, sendExchange, fetchExchange],
});

/** Client without a cache. */
const uncachedClient = new Client({
  ...CLIENT_OPTIONS,
  exchanges: [signedOutExchange, sendExchange, fetchExchange],
});

/**
 * Runs a mutation and updates the cache with its result.
 *
 * @throws Refused
 */
export async function runMutation<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  if (error) throw new RequestError(toRequestFailure(error));
  return data!;
}

/**
 * Runs a query once, bypassing the cache, for example for a file.
 *
 * @throws Refused
 */
export async function runQuery<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client
    .query(document, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) throw new RequestError(toRequestFailure(error));
  return data!;
}

/**
 * Queries a secret without caching it.
 *
 * @throws Refused
 */
export async function runUncachedQuery<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await uncachedClient.query(document, variables).toPromise();
  if (error) throw new RequestError(toRequestFailure(error));
  return data!;
}
