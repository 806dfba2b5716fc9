import { createRequire } from 'node:module';
import type * as GraphQL from 'graphql';
import '../apps/index.ts';
import { buildProduct } from '../schema/index.ts';
import { addCustomModels, type CustomField, type CustomModel } from '../src/engine/model/custom-models.ts';
import type { Registry } from '../src/engine/model/model.ts';
import { buildCustomField } from '../test/harness/custom-field.ts';

// `node --expose-gc bench/schema.ts` measures the time and memory taken by the product schema and by the schemas of
// WORKSPACES (2,000) workspaces, each with 20 models of ten fields and five executed documents.

/** Uses the application's copy, because bench/ may have another one for the baselines. */
const require = createRequire(new URL('../package.json', import.meta.url));
const { parse, validate } = require('graphql') as typeof GraphQL;

const WORKSPACES = Number(process.env.WORKSPACES ?? 2_000);
const MB = 1_000_000;
const collect = globalThis.gc ?? (() => undefined);

function measureMemory(): { heap: number; rss: number } {
  for (let i = 0; i < 4; i++) collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / MB, rss: rss / MB };
}

const before = measureMemory();
const start = performance.now();
const product = buildProduct();
const types = Object.keys(product.schema.getTypeMap()).length;
const built = performance.now() - start;
const after = measureMemory();
process.stdout.write(
  `boot: ${types} types in ${built.toFixed(0)} ms, + ${(after.rss - before.rss).toFixed(1)} MB RSS, ` +
    `+ ${(after.heap - before.heap).toFixed(1)} MB heap (registry included)\n`,
);

const KINDS = ['char', 'text', 'integer', 'float', 'boolean', 'date', 'datetime'];

/** Builds the registry of workspace `w`: custom models, and custom fields on built-in models. */
function buildRegistry(w: number): Registry {
  let id = 1;
  const buildField = (
    model: string,
    name: string,
    ttype: string,
    overrides: Partial<CustomField> = {},
  ): CustomField =>
    buildCustomField(model, name, ttype, { id: id++, field_description: `${name} ${w}`, ...overrides });
  const models: CustomModel[] = Array.from({ length: 20 }, (_, i) => ({
    id: i + 1,
    model: `x_thing${i}`,
    name: `Thing ${i} of ${w}`,
    order: null,
    mixins: [],
  }));
  const fields = models.flatMap(({ model }, i) => [
    buildField(model, 'x_name', 'char'),
    buildField(model, 'x_partner_id', 'many2one', { relation: 'res.partner' }),
    buildField(model, 'x_state', 'selection', {
      options: [
        ['a', 'A'],
        ['b', 'B'],
      ],
    }),
    ...(i ? [buildField(model, 'x_parent_id', 'many2one', { relation: `x_thing${i - 1}` })] : []),
    ...Array.from({ length: 6 }, (_, k) => buildField(model, `x_f${k}`, KINDS[k % KINDS.length]!)),
  ]);
  const more = ['crm.lead', 'res.partner', 'sale.order'].flatMap((model, m) =>
    Array.from({ length: 3 }, (_, k) => buildField(model, `x_s${m}${k}`, KINDS[k]!)),
  );
  return addCustomModels(product.registry, models, [...fields, ...more]);
}

const DOCUMENTS = [
  `{ xThing0s(first: 10, where: { xName: { contains: "a" }, xPartner: { name: { eq: "x" } } }) {
    nodes { id xName xState xPartner { id name } } totalCount } }`,
  `query ($where: CrmLeadWhere) { crmLeads(first: 80, where: $where) {
    nodes { id name xS00 xS01 stage { id name } tags(first: 3) { nodes { id name } } } pageInfo { hasNextPage } } }`,
  '{ xThing7s(orderBy: [{ field: X_NAME }]) { edges { cursor node { id xParent { xName } } } } }',
  '{ partners(first: 5, where: { xS10: { eq: "a" } }) { nodes { id name email country { name } children { nodes { name } } } } }',
  '{ saleOrders { nodes { id name partner { name } orderLines { nodes { name priceUnit } } } } }',
].map((text) => parse(text));

const first: number[] = [];
const registries = Array.from({ length: WORKSPACES }, (_, w) => buildRegistry(w));
const buildSchema = (registry: Registry) => {
  const begin = performance.now();
  const schema = product.getSchema(registry);
  for (const [index, document] of DOCUMENTS.entries()) {
    const mistakes = validate(schema, document);
    if (mistakes.length > 0) throw mistakes[0];
    if (index === 0) first.push(performance.now() - begin);
  }
};
registries.slice(0, 50).forEach(buildSchema);
first.length = 0;
const memoryBefore = measureMemory();
const MAX_KEPT_SCHEMAS = 64;
for (const registry of registries.slice(50, 50 + MAX_KEPT_SCHEMAS)) buildSchema(registry);
const memoryAfterFirst = measureMemory();
for (const registry of registries.slice(50 + MAX_KEPT_SCHEMAS)) buildSchema(registry);
const all = measureMemory();
first.sort((a, b) => a - b);
const getPercentile = (share: number) => first[Math.floor(share * (first.length - 1))]!.toFixed(2);
process.stdout.write(
  `first document of a workspace: median ${getPercentile(0.5)} ms, 99 % ${getPercentile(0.99)} ms, longest ${getPercentile(1)} ms\n` +
    `heap after ${50 + MAX_KEPT_SCHEMAS} workspaces of five documents: + ${(memoryAfterFirst.heap - memoryBefore.heap).toFixed(1)} MB since 50; ` +
    `after ${WORKSPACES}: + ${(all.heap - memoryBefore.heap).toFixed(1)} MB heap, RSS + ${(all.rss - memoryBefore.rss).toFixed(1)} MB\n`,
);
