import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, Observable } from '@apollo/client/core';
import { getMainDefinition, relayStylePagination } from '@apollo/client/utilities';
import { type OperationDefinitionNode, print } from 'graphql';
import { createClient } from 'graphql-sse';
import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../../harness/app.ts';
import { type Lead, makeLeads } from './leads.ts';

const app = setUpApp();
let ids: string[];
const sent: string[] = [];
beforeAll(async () => {
  ids = await makeLeads(app, 25);
});

/** Written as in graphql-sse's guide. */
class EventLink extends ApolloLink {
  readonly #client: ReturnType<typeof createClient>;
  constructor(options: Parameters<typeof createClient>[0]) {
    super();
    this.#client = createClient(options);
  }
  override request({ query, variables, operationName }: ApolloLink.Operation) {
    return new Observable<ApolloLink.Result>((sink) =>
      this.#client.subscribe(
        { query: print(query), variables, operationName },
        {
          next: (value) => sink.next(value as ApolloLink.Result),
          error: (error) => sink.error(error),
          complete: () => sink.complete(),
        },
      ),
    );
  }
}

function makeClient(): ApolloClient {
  const headers = { authorization: `Bearer ${app.main.admin.key}` };
  const uri = `${app.url}/graphql`;
  const notedLink = new ApolloLink((operation, forward) => {
    sent.push(operation.operationName!);
    return forward(operation);
  });
  const link = ApolloLink.split(
    ({ query }) => (getMainDefinition(query) as OperationDefinitionNode).operation === 'subscription',
    new EventLink({ url: uri, headers, retryAttempts: 0 }),
    new HttpLink({ uri, headers }),
  );
  const leads = relayStylePagination(['where', 'orderBy']);
  const cache = new InMemoryCache({ typePolicies: { Query: { fields: { crmLeads: leads } } } });
  return new ApolloClient({ link: ApolloLink.from([notedLink, link]), cache });
}

interface Page {
  crmLeads: {
    edges: { cursor: string; node: Lead }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
    totalCount: number;
  };
}

const LEADS = gql`
  query Leads($after: String, $where: CrmLeadWhere) {
    crmLeads(first: 10, after: $after, where: $where, orderBy: [{ field: NAME }]) {
      edges { cursor node { id name expectedRevenue stage { id name } } }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
`;

const where = { name: { startsWith: 'Client lead' } };

test('shows the result of a mutation in the list without another request', async () => {
  const client = makeClient();
  const observable = client.watchQuery<Page>({ query: LEADS, variables: { where } });
  const buildFirst = () => observable.getCurrentResult().data?.crmLeads?.edges?.[0]?.node as Lead | undefined;
  const watching = observable.subscribe(() => undefined);
  await expect.poll(() => buildFirst()?.name).toBe('Client lead 00');
  sent.length = 0;
  await client.mutate({
    mutation: gql`
      mutation Raise($id: ID!, $input: CrmLeadUpdateInput!) {
        crmLeadUpdate(id: $id, input: $input) { id expectedRevenue }
      }
    `,
    variables: { id: ids[0], input: { expectedRevenue: 4200 } },
  });
  expect(buildFirst()?.expectedRevenue).toBe(4200);
  expect(sent).toEqual(['Raise']);
  watching.unsubscribe();
});

test('reads a list to the end with relayStylePagination', async () => {
  const client = makeClient();
  const observable = client.watchQuery<Page>({ query: LEADS, variables: { where } });
  const watching = observable.subscribe(() => undefined);
  const buildPage = () => observable.getCurrentResult().data?.crmLeads as Page['crmLeads'] | undefined;
  await expect.poll(() => buildPage()?.edges.length).toBe(10);
  while (buildPage()!.pageInfo.hasNextPage) {
    const { length } = buildPage()!.edges;
    await observable.fetchMore({ variables: { after: buildPage()!.pageInfo.endCursor } });
    await expect.poll(() => buildPage()!.edges.length).toBeGreaterThan(length);
  }
  expect(buildPage()!.edges.map(({ node }) => node.name)).toEqual(
    ids.map((_id, index) => `Client lead ${String(index).padStart(2, '0')}`),
  );
  expect(buildPage()!.totalCount).toBe(25);
  watching.unsubscribe();
});

test('updates the list from a subscription over server-sent events', async () => {
  const client = makeClient();
  const { data } = await client.query<Page>({ query: LEADS, variables: { where } });
  const last = data!.crmLeads.edges[9]!.node;
  const events: string[] = [];
  const listeningSubscription = client
    .subscribe<{ crmLeadChanged: { kind: string; record: Lead | null } }>({
      query: gql`
        subscription Changes($where: CrmLeadWhere) {
          crmLeadChanged(where: $where) { kind record { id name expectedRevenue } }
        }
      `,
      variables: { where },
    })
    .subscribe(({ data: event }) => events.push(event!.crmLeadChanged!.kind!));
  const raise = (expectedRevenue: number) =>
    makeClient().mutate({
      mutation: gql`mutation Other($id: ID!, $input: CrmLeadUpdateInput!) { crmLeadUpdate(id: $id, input: $input) { id } }`,
      variables: { id: last.id, input: { expectedRevenue } },
    });
  let revenue = 100;
  await expect
    .poll(async () => {
      await raise(++revenue);
      return events.at(-1);
    })
    .toBe('UPDATED');
  await raise(777);
  const readCached = () =>
    client.readQuery<Page>({ query: LEADS, variables: { where } })!.crmLeads.edges[9]!.node.expectedRevenue;
  await expect.poll(readCached).toBe(777);
  listeningSubscription.unsubscribe();
});
