import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../../harness/app.ts';
import { postGraphql, queryData, startSubscription } from '../../harness/facades/graphql.ts';
import { makeLeads } from './leads.ts';

const GUIDE = readFileSync('docs/guides/graphql.md', 'utf8');
const findFences = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1]!);

const app = setUpApp();
let ids: string[];
beforeAll(async () => {
  ids = await makeLeads(app, 3);
});

const documents = findFences('graphql');
const getOperationName = (text: string): string => /^\w+ (\w+)/.exec(text)![1]!;

test.each(documents.map((text) => [getOperationName(text), text] as const))(
  'runs %s from the guide without errors',
  async (_name, text) => {
    const call = text.startsWith('subscription') ? startSubscription : postGraphql;
    const { errors } = await call(app, text.replace('main.localhost', app.main.domain), {
      key: app.main.admin.key,
      variables: { ids: ids.slice(1), id: ids[0], version: 1 },
    });
    expect(errors).toEqual([]);
  },
);

test("the guide's graphql-sse program receives a change", async () => {
  const [program] = findFences('js');
  const env = { ...process.env, ATRIUM_URL: app.url, USER_KEY: app.main.admin.key };
  const child = execFile(process.execPath, ['--input-type=module', '-e', program!], { env });
  let output = '';
  child.stdout!.on('data', (part) => {
    output += part;
  });
  const make = 'mutation { partnerCreate(input: { name: "Heard of" }) { id } }';
  await expect
    .poll(async () => {
      await queryData(app, make);
      return output;
    })
    .toContain("kind: 'CREATED'");
  child.kill();
});

const OPERATIONS = `
  const read = 'query ($first: Int) { crmLeads(first: $first) { nodes { id name } } }';
  const write = 'mutation ($input: CrmLeadCreateInput!) { crmLeadCreate(input: $input) { id name } }';
  const url = process.env.ATRIUM_URL + '/graphql';
  const headers = { authorization: 'Bearer ' + process.env.USER_KEY };
  const variables = { input: { name: 'By a program' } };`;

/** Programs that send a query and a mutation with the default headers of a client, and then end. */
const PROGRAMS: Record<string, string> = {
  urql: `import { cacheExchange, Client, fetchExchange } from '@urql/core'; ${OPERATIONS}
    const options = { url, preferGetMethod: false, fetchOptions: { headers } };
    const client = new Client({ ...options, exchanges: [cacheExchange, fetchExchange] });
    const { data, error } = await client.query(read, { first: 2 }).toPromise();
    const made = await client.mutation(write, variables).toPromise();
    if (error ?? made.error) throw error ?? made.error;
    console.log(data.crmLeads.nodes.length, made.data.crmLeadCreate.name);`,
  'Apollo Client': `import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core'; ${OPERATIONS}
    const link = new HttpLink({ uri: url, headers });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const { data } = await client.query({ query: gql(read), variables: { first: 2 } });
    const made = await client.mutate({ mutation: gql(write), variables });
    console.log(data.crmLeads.nodes.length, made.data.crmLeadCreate.name);`,
};

test.each(Object.entries(PROGRAMS))(
  'a program with %s exits on its own after a query and a mutation',
  async (_name, program) => {
    const env = { ...process.env, ATRIUM_URL: app.url, USER_KEY: app.main.admin.key };
    const options = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, options, { env, timeout: 30_000 });
    expect(stdout).toBe('2 By a program\n');
  },
  40_000,
);
