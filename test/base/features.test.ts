import { expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';

const app = setUpApp();

const set = async (feature: string, isOn: boolean) => {
  const query = `mutation { featureSet(feature: ${feature}, on: ${isOn}) { slug features } }`;
  return (await post(`${app.url}/graphql`, { query }, app.main.admin.key)).json();
};

test('switches a feature and returns the updated workspace', async () => {
  expect((await set('MCP', true)).data.featureSet).toEqual({ slug: 'main', features: ['EMAIL', 'MCP'] });
  expect((await set('MCP', false)).data.featureSet).toEqual({ slug: 'main', features: ['EMAIL'] });
});

test.each(['DANCE', 'constructor', '__proto__', '"MCP"'])('rejects %s as a feature', async (feature) => {
  const { data, errors } = await set(feature, true);
  expect([data, errors[0].extensions.code]).toEqual([
    undefined,
    expect.stringMatching(/^(BAD_REQUEST|GRAPHQL_VALIDATION_FAILED)$/),
  ]);
});
