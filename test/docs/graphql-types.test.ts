import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildProduct } from '../../schema/index.ts';
import { getModelGraphNames } from '../../src/engine/model/registry.ts';

const PAGE = 'docs/graphql-types.md';

const { schema, registry } = buildProduct();

const HEAD = `# GraphQL types, models and tables

This page lists the record types of [GraphQL](guides/graphql.md), their models in the record API,
and their tables.
Wizards, which only hold the input of a dialog, have no list.
To update it, run \`WRITE_PAGE=1 npx vitest run test/docs/graphql-types.test.ts\`.

| type | list | model | table |
|---|---|---|---|
`;

test(`${PAGE} names the type of every model`, () => {
  const visibleModels = [...registry.values()].filter((model) =>
    schema.getType(getModelGraphNames(model).type),
  );
  const lists = schema.getQueryType()!.getFields();
  expect(visibleModels.length).toBeGreaterThan(60);
  const rows = visibleModels
    .map((model) => ({ ...getModelGraphNames(model), name: model.name, table: model.table }))
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map(
      ({ type, many, name, table }) =>
        `| \`${type}\` | ${many in lists ? `\`${many}\`` : '–'} | \`${name}\` | \`${table}\` |`,
    );
  const page = `${HEAD}${rows.join('\n')}\n`;
  if (process.env.WRITE_PAGE) writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});
