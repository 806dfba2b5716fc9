import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../../harness/app.ts';
import { postGraphql, startSubscription } from '../../harness/facades/graphql.ts';
import { makeLeads } from './leads.ts';

const GUIDE = readFileSync('docs/guides/graphql.md', 'utf8');
const findFences = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1]!);

let app: App;
let ids: string[];
beforeAll(async () => {
  app = await startApp();
  ids = await makeLeads(app, 2);
});
afterAll(() => app.close());

const documents = findFences('graphql');
const getOperationName = (text: string): string => /^\w+ (\w+)/.exec(text)![1]!;

test.each(documents.map((text) => [getOperationName(text), text] as const))(
  '%s of the guide runs without errors',
  async (_name, text) => {
    const call = text.startsWith('subscription') ? startSubscription : postGraphql;
    const { errors } = await call(app, text.replace('main.localhost', app.main.domain), {
      key: app.main.admin.key,
      variables: { ids },
    });
    expect(errors).toEqual([]);
  },
);

test('the graphql-sse program of the guide receives a change', async () => {
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
      expect((await postGraphql(app, make, { key: app.main.admin.key })).errors).toEqual([]);
      return output;
    })
    .toContain("kind: 'CREATED'");
  child.kill();
});
