import { beforeAll, expect, it } from 'vitest';
import { getDocument, MAX_CACHED_OPERATION_BYTES } from '../../facades/graphql/documents.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let otherTenant: Tenant;
beforeAll(async () => {
  otherTenant = await app.tenant('other');
});

it('parses a document once for all workspaces and validates it against the schema of each', async () => {
  const calls = createJsonClient(app, app.main.admin.key);
  const [model] = await calls.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  await calls.create('ir.model.fields', {
    name: 'x_shoe_size',
    model_id: model,
    ttype: 'integer',
    field_description: 'Shoe size',
  });
  const query = '{ partners(first: 1) { nodes { xShoeSize } } }';
  const before = getDocument(query);
  for (let time = 0; time < 2; time++) {
    await queryData(app, query);
    const [error] = (await postGraphql(app, query, { key: otherTenant.admin.key })).errors;
    expect(error!.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  }
  expect(getDocument(query)).toBe(before);
});

it('limits the size of the document cache in bytes', { tags: 'slow' }, () => {
  const fields = Array.from({ length: 900 }, (_, i) => `f${i}`).join(' ');
  const first = getDocument(`query First { ${fields} }`);
  const { bytes } = first;
  expect(bytes).toBeGreaterThan(500_000);
  expect(getDocument(`query First { ${fields} }`)).toBe(first);
  for (let i = 0; i <= MAX_CACHED_OPERATION_BYTES / bytes; i++) getDocument(`query Next${i} { ${fields} }`);
  expect(getDocument(`query First { ${fields} }`)).not.toBe(first);
});

it('rejects an invalid document each time', () => {
  for (let time = 0; time < 2; time++) expect(() => getDocument('{ viewer {')).toThrow(/Syntax Error/);
});
