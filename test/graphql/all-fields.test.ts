import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { expect, test } from 'vitest';
import { buildProductSchema } from '../../scripts/schema/product-schema.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';

const MAX_DEPTH = 1;

const app = setUpApp();

/** Writes a literal for a required argument, if possible of an existing model or record. */
function writeValue(name: string, type: GraphQLInputType): string {
  const plainType = getNullableType(type);
  if (isListType(plainType)) return `[${writeValue(name, plainType.ofType)}]`;
  if (isEnumType(plainType)) return plainType.getValues()[0]!.name;
  if (isInputObjectType(plainType)) return '{}';
  if (/^(Int|Float|ID|BigInt)$/.test(plainType.toString())) return '1';
  if (/^(Date|DateTime)$/.test(plainType.toString())) return '"2026-01-01T00:00:00Z"';
  if (plainType.toString() === 'JSON') return '[]';
  if (/model/i.test(name)) return '"res.partner"';
  return '"name"';
}

function writeCall(field: GraphQLField<unknown, unknown>): string {
  const args = field.args
    .filter(isRequiredArgument)
    .map(({ name, type }) => `${name}: ${writeValue(name, type)}`);
  return args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name;
}

/** Returns selections that together contain all leaves below the field that need no arguments. */
function buildSelections(field: GraphQLField<unknown, unknown>, depth: number): string[] {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return [writeCall(field)];
  if (!isObjectType(type)) return [`${writeCall(field)} { __typename }`];
  const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const leaves = fields.filter((part) => isLeafType(getNamedType(part.type))).map(({ name }) => name);
  const selections = [`__typename ${leaves.join(' ')}`];
  if (depth > 0)
    for (const part of fields)
      if (!isLeafType(getNamedType(part.type))) selections.push(...buildSelections(part, depth - 1));
  return selections.map((selection) => `${writeCall(field)} { ${selection} }`);
}

test('resolves every field of every query', { tags: 'slow' }, async () => {
  const faults: string[] = [];
  let resultCount = 0;
  for (const field of Object.values(buildProductSchema().getQueryType()!.getFields()))
    for (const selection of buildSelections(field, MAX_DEPTH)) {
      const { data, errors } = await postGraphql(app, `{ ${selection} }`, { key: app.main.admin.key });
      if (data?.[field.name] != null) resultCount++;
      for (const { path, extensions } of errors ?? [])
        if (extensions.code === 'INTERNAL') faults.push(`${path}: ${selection}`);
    }
  expect(faults).toEqual([]);
  expect(resultCount).toBeGreaterThan(1_500);
});

test('sorts every list by each field of its related records', { tags: 'slow' }, async () => {
  const faults: string[] = [];
  let relationCount = 0;
  for (const { name, args } of Object.values(buildProductSchema().getQueryType()!.getFields())) {
    const order = getNamedType(args.find((arg) => arg.name === 'orderBy')?.type);
    if (!isInputObjectType(order)) continue;
    for (const relation of Object.values(order.getFields())) {
      const term = getNamedType(relation.type);
      if (!isInputObjectType(term)) continue;
      relationCount++;
      const fields = getNamedType(term.getFields().field!.type) as GraphQLEnumType;
      const orders = fields.getValues().map((value, index) => {
        const orderBy = `[{ ${relation.name}: { field: ${value.name} } }]`;
        return `q${index}: ${name}(first: 1, orderBy: ${orderBy}) { nodes { __typename } }`;
      });
      for (let index = 0; index < orders.length; index += 20) {
        const document = `{ ${orders.slice(index, index + 20).join(' ')} }`;
        const { errors } = await postGraphql(app, document, { key: app.main.admin.key });
        for (const { path, message } of errors ?? [])
          faults.push(`${name} ${relation.name} ${path}: ${message}`);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(relationCount).toBeGreaterThan(200);
});
