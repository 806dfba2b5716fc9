import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { mcpProduct } from '../facades/mcp/tools/index.ts';
import { createRestFacade } from '../facades/rest/facade.ts';
import { repeatsName } from '../schema/graph/descriptions.ts';
import { buildProduct } from '../schema/index.ts';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { toCamelCase } from '../src/engine/model/naming.ts';
import { getModelGraphNames } from '../src/engine/model/registry.ts';

/** Words that hide the standard term (anew → again, besides → also …). */
const FORBIDDEN_WORDS = new RegExp(
  String.raw`\b(?:nobody|whoever|anew|besides|dear|what becomes of|at once)\b` +
    String.raw`|\b(?:passed over|none of it|answers? with)\b`,
  'i',
);

/** Field types whose values are self-explanatory. For all others, the description must say more than the label. */
const PLAIN_TYPES = new Set([
  ...['char', 'text', 'integer', 'float', 'monetary', 'boolean'],
  ...['json', 'strings', 'properties', 'properties_definition'],
]);

const { schema, registry } = buildProduct();

type Text = [place: string, name: string, description: string | null | undefined];

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);
const roots = [schema.getQueryType()!, schema.getMutationType()!];

function getDescribedParts(type: GraphQLNamedType): Text[] {
  if (isEnumType(type))
    return type.getValues().map(({ name, description }) => [`${type.name}.${name}`, name, description]);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map(({ name, description }) => [
      `${type.name}.${name}`,
      name,
      description,
    ]);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field): Text[] => [
    [`${type.name}.${field.name}`, field.name, field.description],
    ...field.args.map(
      ({ name, description }): Text => [`${type.name}.${field.name}(${name})`, name, description],
    ),
  ]);
}

/**
 * Returns true for model types, whose field descriptions are generated (schema/graph). Others are described manually.
 */
const isOfModel = (type: GraphQLNamedType): boolean => isObjectType(type) && !roots.includes(type);

const graph: Text[] = types.flatMap((type) => [
  [type.name, type.name, type.description],
  ...getDescribedParts(type),
]);
const ownWords: Text[] = types.filter((type) => !isOfModel(type)).flatMap(getDescribedParts);
const models = new Map([...registry.values()].map((model) => [getModelGraphNames(model).type, model]));
/** Model fields for which the name and type are sufficient. */
const plain = new Set(
  [...models].flatMap(([type, { fields }]) =>
    [...fields.values()]
      .filter((field) => !field.help && PLAIN_TYPES.has(field.type) && repeatsName(field.label, field.name))
      .map(({ name }) => `${type}.${toCamelCase(name)}`)
      .filter((place) => !/\.(?:id|active|displayName)$/.test(place)),
  ),
);

const normalizeText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\b(?:the|an?)\b/g, '')
    .replace(/[^a-z0-9]/g, '');

const findUndescribed = (texts: Text[]): string[] =>
  texts.filter(([, , text]) => !text?.trim()).map(([place]) => place);
const findEchoes = (texts: Text[]): string[] =>
  texts
    .filter(([, name, text]) => text && normalizeText(text) === normalizeText(name))
    .map(([place]) => place);
const findUnfinished = (texts: Text[]): string[] =>
  texts.filter(([, , text]) => text && !/[.?!]$/.test(text)).map(([place, , text]) => `${place}: ${text}`);
const findForbidden = (texts: Text[]): string[] =>
  texts
    .filter(([, , text]) => text && FORBIDDEN_WORDS.test(text))
    .map(([place, , text]) => `${place}: ${text}`);

test('every schema element except plain model fields has a description that is a sentence', () => {
  expect(findUndescribed(graph).filter((place) => !plain.has(place))).toEqual([]);
  expect(findUndescribed(graph).length).toBeLessThan(graph.length / 10);
  expect(findUnfinished(graph)).toEqual([]);
  expect(graph.length).toBeGreaterThan(1_000);
});

test('no description of an operation, argument, input field or enum value repeats its name', () => {
  const repeated = findEchoes(ownWords);
  // A person's name needs no further description.
  expect(repeated.filter((place) => !/\.(?:firstName|lastName)$/.test(place))).toEqual([]);
});

test('no generated description of a type or field only repeats its name', () => {
  const generatedTexts = graph.filter(([place]) => models.has(place.split('.')[0]!));
  expect(generatedTexts.length).toBeGreaterThan(1_000);
  expect(
    generatedTexts.filter(([, name, text]) => text && repeatsName(text, name)).map(([place]) => place),
  ).toEqual([]);
});

test.each([
  ['Lost Reason', 'lost_reason_id'],
  ['The salesperson.', 'salesperson'],
  ['Tags', 'tag_ids'],
  ['Is automated probability?', 'isAutomatedProbability'],
  ['ID', 'id'],
])('"%s" only repeats "%s"', (text, name) => {
  expect(repeatsName(text, name)).toBe(true);
});

test.each([
  ['Salesperson', 'user_id'],
  ['Created by', 'create_uid'],
  ['Record id', 'id'],
])('"%s" says more than "%s"', (text, name) => {
  expect(repeatsName(text, name)).toBe(false);
});

test('no description in the schema contains a forbidden word', () => {
  expect(findForbidden(graph)).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has no static type
type Json = any;

const facade = createRestFacade({ config: { publicUrl: 'http://atrium.test' } } as Runtime);
const document: Json = await (await facade.request('/api/v1/doc')).json();

function getProperties(place: string, node: Json): Text[] {
  if (node === null || typeof node !== 'object') return [];
  const properties = Object.entries<Json>(node.properties ?? {}).flatMap(([name, property]): Text[] => [
    ...(property.$ref ? [] : ([[`${place}.${name}`, name, property.description]] as Text[])),
    ...getProperties(`${place}.${name}`, property),
  ]);
  const inner = [node.items, ...(node.anyOf ?? []), ...(node.allOf ?? [])];
  return [...properties, ...inner.flatMap((item) => getProperties(place, item))];
}

const operations: [string, Json][] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
    `${method} ${path}`,
    operation,
  ]),
);

const getContent = (place: string, holder: Json): Text[] =>
  Object.values<Json>(holder?.content ?? {}).flatMap(({ schema: shape }) => getProperties(place, shape));

const rest: Text[] = [
  ...operations.flatMap(([place, { parameters = [], requestBody, responses }]): Text[] => [
    ...parameters.map(({ name, description }: Json): Text => [`${place} ${name}`, name, description]),
    ...getContent(place, requestBody),
    ...Object.entries<Json>(responses).flatMap(([status, response]): Text[] => [
      [`${place} ${status}`, status, response.description],
      ...getContent(`${place} ${status}`, response),
    ]),
  ]),
  ...Object.entries<Json>(document.components.schemas).flatMap(([name, shape]): Text[] => [
    [name, name, shape.description],
    ...getProperties(name, shape),
  ]),
];

test('every operation of the OpenAPI document has a summary without a full stop', () => {
  const summaries = operations.map(
    ([place, { operationId, summary }]): Text => [place, operationId, summary],
  );
  expect(summaries.length).toBeGreaterThan(30);
  expect(findUndescribed(summaries)).toEqual([]);
  expect(findForbidden(summaries)).toEqual([]);
  expect(summaries.filter(([, , text]) => text!.endsWith('.'))).toEqual([]);
});

test('every parameter, response and field of the OpenAPI document has a full-sentence description', () => {
  expect(rest.length).toBeGreaterThan(300);
  expect(findUndescribed(rest)).toEqual([]);
  expect(findUnfinished(rest)).toEqual([]);
  expect(findEchoes(rest).filter((place) => !/\.(?:firstName|lastName)$/.test(place))).toEqual([]);
  expect(findForbidden(rest)).toEqual([]);
});

test('no text of an MCP tool contains a forbidden word', () => {
  const texts = mcpProduct.tools.flatMap((tool): Text[] => [
    [tool.name, tool.name, tool.description],
    ...getProperties(tool.name, tool.inputSchema),
  ]);
  expect(texts.length).toBeGreaterThan(mcpProduct.tools.length);
  expect(findForbidden(texts)).toEqual([]);
});
