import {
  type AnyVariables,
  Client,
  type DocumentInput,
  fetchExchange,
  gql,
  mapExchange,
  subscriptionExchange,
} from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { createClient } from 'graphql-sse';
import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../../harness/app.ts';
import { type Lead, makeLeads } from './leads.ts';

const app = setUpApp();
let ids: string[];
/** Operations that the cache could not resolve. */
const sent: string[] = [];
beforeAll(async () => {
  ids = await makeLeads(app, 25);
});

function makeClient(): Client {
  const headers = { authorization: `Bearer ${app.main.admin.key}` };
  const url = `${app.url}/graphql`;
  const events = createClient({ url, headers, retryAttempts: 0 });
  const cache = cacheExchange({ resolvers: { Query: { crmLeads: relayPagination() } } });
  const notedExchange = mapExchange({
    onOperation: ({ kind, query }) => {
      const [definition] = query.definitions;
      if (kind !== 'teardown') sent.push((definition as { name?: { value: string } }).name!.value);
    },
  });
  const subscriptions = subscriptionExchange({
    forwardSubscription: ({ query, variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: events.subscribe(
          { query: query!, variables: variables as Record<string, unknown> },
          sink as Parameters<typeof events.subscribe>[1],
        ),
      }),
    }),
  });
  return new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [cache, notedExchange, fetchExchange, subscriptions],
  });
}

interface Page {
  crmLeads: {
    edges: { node: Lead }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

const LEADS = gql<Page>`
  query Leads($after: String, $where: CrmLeadWhere) {
    crmLeads(first: 10, after: $after, where: $where, orderBy: [{ field: NAME }]) {
      edges { cursor node { id name expectedRevenue stage { id name } } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`;

const RAISE = gql`
  mutation Raise($id: ID!, $input: CrmLeadUpdateInput!) {
    crmLeadUpdate(id: $id, input: $input) { id expectedRevenue }
  }
`;

const where = { name: { startsWith: 'Client lead' } };

/** Returns the data that a component would render. Undefined until the first result. */
function watchPage(client: Client, variables: AnyVariables): () => Page['crmLeads'] | undefined {
  let latest: Page | undefined;
  client.query(LEADS as DocumentInput<Page>, variables).subscribe(({ data, error }) => {
    if (error) throw error;
    latest = data;
  });
  return () => latest?.crmLeads;
}

test('shows the result of a mutation in the list without another request', async () => {
  const client = makeClient();
  const list = watchPage(client, { where });
  await expect.poll(() => list()?.edges[0]?.node.name).toBe('Client lead 00');
  sent.length = 0;
  const { error } = await client.mutation(RAISE, { id: ids[0], input: { expectedRevenue: 4300 } });
  expect(error).toBeUndefined();
  await expect.poll(() => list()?.edges[0]?.node.expectedRevenue).toBe(4300);
  expect(sent).toEqual(['Raise']);
});

test('reads a list to the end with relayPagination', async () => {
  const client = makeClient();
  let page = watchPage(client, { where });
  await expect.poll(() => page()?.edges.length).toBe(10);
  while (page()!.pageInfo.hasNextPage) {
    const before = page()!;
    page = watchPage(client, { where, after: before.pageInfo.endCursor });
    await expect.poll(() => page()?.edges.length ?? 0).toBeGreaterThan(before.edges.length);
  }
  expect(page()!.edges.map(({ node }) => node.name)).toEqual(
    ids.map((_id, index) => `Client lead ${String(index).padStart(2, '0')}`),
  );
});

test('updates the list from a subscription over server-sent events', async () => {
  const client = makeClient();
  const list = watchPage(client, { where });
  await expect.poll(() => list()?.edges.length).toBe(10);
  const events: string[] = [];
  const listeningSubscription = client
    .subscription(
      gql<{ crmLeadChanged: { kind: string } }>`
        subscription Changes($where: CrmLeadWhere) {
          crmLeadChanged(where: $where) { kind record { id name expectedRevenue } }
        }
      `,
      { where },
    )
    .subscribe(({ data }) => {
      if (data) events.push(data.crmLeadChanged.kind);
    });
  const raise = (expectedRevenue: number) =>
    makeClient().mutation(RAISE, { id: ids[9], input: { expectedRevenue } });
  let revenue = 100;
  await expect
    .poll(async () => {
      await raise(++revenue);
      return events.at(-1);
    })
    .toBe('UPDATED');
  await raise(778);
  await expect.poll(() => list()?.edges[9]?.node.expectedRevenue).toBe(778);
  listeningSubscription.unsubscribe();
});
