import { type AnyVariables, Client, type DocumentInput, fetchExchange, mapExchange } from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { marks } from './marks.ts';
import { Refused, refusalOf } from './refusal.ts';

const signedOut = mapExchange({
  onError(error) {
    if (refusalOf(error).code === 'UNAUTHENTICATED')
      location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  },
});

const SERVER = {
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: { credentials: 'same-origin', headers: { accept: 'application/graphql-response+json' } },
} as const;

/** In development the cache warns of every object without an id. It keeps them within their parents, as intended. */
const logger: CacheExchangeOpts['logger'] = (severity, message) => {
  if (!message.startsWith('Invalid key')) console[severity](message);
};

const cache = cacheExchange({ ...marks, logger });

/** The server as the browser has it: the session cookie says who asks, and what has an id is kept once. */
export const client = new Client({ ...SERVER, exchanges: [cache, signedOut, fetchExchange] });

/** The same, of whose answers nothing is kept. */
const forgetful = new Client({ ...SERVER, exchanges: [signedOut, fetchExchange] });

/** Changes something. What is answered goes into the cache. @throws Refused */
export async function change<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  if (error) throw new Refused(refusalOf(error));
  return data!;
}

/** Asks once, past what is kept, such as for a file. @throws Refused */
export async function ask<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client
    .query(document, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) throw new Refused(refusalOf(error));
  return data!;
}

/** Asks for a secret, which only the part that asked has. @throws Refused */
export async function askSecret<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await forgetful.query(document, variables).toPromise();
  if (error) throw new Refused(refusalOf(error));
  return data!;
}
