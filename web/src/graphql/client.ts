import { type AnyVariables, Client, type DocumentInput, fetchExchange, mapExchange } from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { cacheConfig } from './cache-config.ts';
import { RequestError, toRequestFailure } from './request-error.ts';

const signedOutExchange = mapExchange({
  onError(error) {
    if (toRequestFailure(error).code === 'UNAUTHENTICATED')
      location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  },
});

const CLIENT_OPTIONS = {
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: { credentials: 'same-origin', headers: { accept: 'application/graphql-response+json' } },
} as const;

/** In development the cache warns of every object without an id. It keeps them within their parents, as intended. */
const logger: CacheExchangeOpts['logger'] = (severity, message) => {
  if (!message.startsWith('Invalid key')) console[severity](message);
};

const cache = cacheExchange({ ...cacheConfig, logger });

/** The server as the browser has it: the session cookie says who asks, and what has an id is kept once. */
export const client = new Client({ ...CLIENT_OPTIONS, exchanges: [cache, signedOutExchange, fetchExchange] });

/** The same, of whose answers nothing is kept. */
const uncachedClient = new Client({ ...CLIENT_OPTIONS, exchanges: [signedOutExchange, fetchExchange] });

/** Changes something. What is answered goes into the cache. @throws Refused */
export async function runMutation<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  if (error) throw new RequestError(toRequestFailure(error));
  return data!;
}

/** Asks once, past what is kept, such as for a file. @throws Refused */
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

/** Asks for a secret, which only the part that asked has. @throws Refused */
export async function runUncachedQuery<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await uncachedClient.query(document, variables).toPromise();
  if (error) throw new RequestError(toRequestFailure(error));
  return data!;
}
