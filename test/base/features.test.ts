import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, post, startApp } from '../harness/app.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const set = async (key: string, on: boolean) => {
  const query = `mutation { featureSet(key: "${key}", on: ${on}) }`;
  return (await post(`${app.url}/graphql`, { query }, app.main.admin.key)).json();
};

test('a feature is switched on and off, and the answer tells which are on', async () => {
  expect((await set('mcp', true)).data.featureSet).toEqual(['email', 'mcp']);
  expect((await set('mcp', false)).data.featureSet).toEqual(['email']);
});

test.each(['dance', 'constructor', '__proto__'])('%s is no feature', async (key) => {
  const { data, errors } = await set(key, true);
  expect([data, errors[0].extensions.code]).toEqual([null, 'BAD_REQUEST']);
});
