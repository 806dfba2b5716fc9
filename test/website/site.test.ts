import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type App, post, startApp } from '../harness/app.ts';
import { ask } from '../harness/doors/graphql.ts';
import { signedIn } from '../harness/doors/web.ts';
import type { Tenant } from '../harness/tenant.ts';

// What visitors of websites get.

let app: App;
let other: Tenant;

beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'http://localhost:3000' });
  other = await app.tenant('other');
  for (const url of ['/', '/contactus']) await graph('mutation($url: String) { websitePagePublish(url: $url) { id } }', { url });
});
afterAll(() => app.close());

// biome-ignore lint/suspicious/noExplicitAny: the shapes of the documents
async function graph(document: string, variables: object = {}, key = app.main.admin.key): Promise<any> {
  const { data, errors } = await ask(app, document, { key, variables });
  expect(errors).toEqual([]);
  return data;
}

const json = async (model: string, method: string, body: object, key = app.main.admin.key) => {
  const answer = await post(`${app.url}/json/2/${model}/${method}`, body, key);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.json();
};

/** Asks at a host, as a browser does. */
function visit(path: string, host = 'main.localhost:3000', headers: Record<string, string> = {}) {
  return app.ask(path, { accept: 'text/html', host, ...headers });
}

const SET = `mutation($url: String, $pageId: ID, $websiteId: ID, $arch: String!, $lang: String) {
  websiteMarkupSet(url: $url, pageId: $pageId, websiteId: $websiteId, arch: $arch, lang: $lang) {
    id url websiteId: website { id } view { id key }
  }
}`;
