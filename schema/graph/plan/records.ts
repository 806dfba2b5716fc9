import type { Field } from '../../../src/engine/model/field.ts';
import { isListField, isReturnedByDefault } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { describeField, describeRelation, describeType, describeValue } from '../descriptions.ts';
import { defineEnumFilter, listArguments } from './common.ts';
import type { FieldDef, TypeDef } from './definition.ts';
import {
  buildFieldEnumNames,
  findRelatedModel,
  getEnumName,
  getFieldName,
  getGraphFields,
  getRelationName,
  getTypeName,
  isEnum,
  toConstantCase,
} from './names.ts';
import { findTextSearch } from './text-search.ts';
import { getKeyField, getOutputType, getValueType } from './values.ts';

/** Number of values that a file field adds to a document's cost. The file's start is read to detect its type. */
const FILE_COST = 8;

/** If several fields have the same name, the first is used. */
export function findUniqueFields(fields: Iterable<FieldDef>): FieldDef[] {
  const byName = new Map<string, FieldDef>();
  for (const field of fields) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}

export const buildRecordDef = (model: Model): TypeDef => ({
  kind: 'object',
  name: getTypeName(model),
  about: describeType(model),
  fields: (registry) => {
    const registeredModel = registry.get(model.name)!;
    return findUniqueFields(
      getGraphFields(registeredModel).flatMap((field) => buildRecordFields(registry, registeredModel, field)),
    );
  },
});

export function buildRecordFields(registry: Registry, model: Model, field: Field): FieldDef[] {
  const key = getKeyField(model);
  // Models with a public id do not expose the numeric one.
  if (field.name === 'id' && key !== 'id') return [];
  const target = findRelatedModel(registry, field);
  const fields: FieldDef[] = [];
  if (!isListField(field) && !hasPublicId(target))
    fields.push({
      name: field.name === key ? 'id' : getFieldName(model, field),
      type: getOutputType(model, field),
      about: describeField(field),
      role: 'column',
      field,
      cost: model.options.graph?.costs?.[field.name],
      ...(field.type === 'binary' && { model: model.name, cost: FILE_COST }),
    });
  // Lists of types that Prisma reads are declared separately.
  if (target && !(isListField(field) && target.options.graph?.prisma))
    fields.push(defineRelation(model, field, target));
  return fields;
}

/** Returns true if the model's records have a public id. Clients then never see the numeric id. */
const hasPublicId = (model: Model | undefined): boolean => model !== undefined && getKeyField(model) !== 'id';

function defineRelation(model: Model, field: Field, target: Model): FieldDef {
  const type = getTypeName(target);
  const about = describeRelation(field);
  if (!isListField(field)) return { name: getRelationName(model, field), type, about, role: 'one', field };
  return {
    name: getRelationName(model, field),
    type: `${type}Connection${field.groups.length > 0 ? '' : '!'}`,
    about,
    args: listArguments(type),
    role: 'list',
    field,
    model: model.name,
  };
}

export function buildConnectionTypes(model: Model): TypeDef[] {
  const type = getTypeName(model);
  const message = { model: model.name };
  return [
    {
      kind: 'object',
      name: `${type}Connection`,
      about: `A page of \`${type}\` records.`,
      fields: () => [
        { name: 'nodes', type: `[${type}!]!`, about: 'Records of the page.', role: 'nodes', ...message },
        {
          name: 'edges',
          type: `[${type}Edge!]!`,
          about: 'Records of the page, each with its cursor.',
          role: 'edges',
          ...message,
        },
        { name: 'pageInfo', type: 'PageInfo!', about: 'Position of the page in the list.', role: 'pageInfo' },
        {
          name: 'totalCount',
          type: 'Int!',
          about: 'Number of records on all pages. Counted only if requested.',
          role: 'totalCount',
        },
      ],
    },
    {
      kind: 'object',
      name: `${type}Edge`,
      about: `An edge in a page of \`${type}\` records.`,
      fields: () => [
        { name: 'node', type: `${type}!`, about: 'The record.', role: 'node', ...message },
        {
          name: 'cursor',
          type: 'String!',
          about: 'Cursor of the record, for `after` and `before`.',
          role: 'cursor',
        },
      ],
    },
  ];
}

const isSortable = (field: Field): boolean =>
  isReturnedByDefault(field) && !isListField(field) && !UNSORTABLE_TYPES.has(field.type);

/** Builds enum values that name the model's fields. */
export const buildFieldConstants = (
  registry: Registry,
  model: Model,
  isIncluded: (field: Field) => boolean,
): FieldDef[] =>
  findUniqueFields(
    getGraphFields(model)
      .filter(isIncluded)
      .map((field) => {
        const name = field.name === getKeyField(model) ? 'id' : getFieldName(model, field);
        const graphName = findRelatedModel(registry, field) ? getRelationName(model, field) : name;
        return { name: toConstantCase(graphName), type: '', about: describeField(field), value: field.name };
      }),
  );

const UNSORTABLE_TYPES: ReadonlySet<string> = new Set([
  'json',
  'binary',
  'properties',
  'properties_definition',
]);

export function buildOrderTypes(model: Model): TypeDef[] {
  const type = getTypeName(model);
  return [
    {
      kind: 'enum',
      name: `${type}Field`,
      about: `Fields for sorting and grouping \`${type}\` records.`,
      fields: (registry) => buildFieldConstants(registry, registry.get(model.name)!, isSortable),
    },
    {
      kind: 'input',
      name: `${type}Order`,
      about: `One term of a sort order of \`${type}\` records: a field or a related record's term.`,
      fields: (registry) => {
        const relatedTerms = buildRelatedTerms(registry, registry.get(model.name)!);
        const fieldType = relatedTerms.length > 0 ? `${type}Field` : `${type}Field!`;
        return findUniqueFields([
          { name: 'field', type: fieldType, about: 'Field to sort by.' },
          { name: 'direction', type: 'Direction', about: 'Direction; ascending by default.' },
          { name: 'nulls', type: 'Nulls', about: 'Position of records without a value.' },
          ...relatedTerms,
        ]);
      },
    },
  ];
}

/** Builds terms that sort by fields of related records. Lists that Prisma reads have none. */
export const buildRelatedTerms = (registry: Registry, model: Model): FieldDef[] =>
  getGraphFields(model).flatMap((field) => {
    const target = findRelatedModel(registry, field);
    if (model.options.graph?.prisma || field.type !== 'many2one' || !isSortable(field) || !target) return [];
    const about = `Sort by a field of this record. ${describeRelation(field)}`;
    return { name: getRelationName(model, field), type: `${getTypeName(target)}Order`, about, field };
  });

export function buildWhereTypes(model: Model): TypeDef[] {
  const type = getTypeName(model);
  return [
    {
      kind: 'input',
      name: `${type}Where`,
      about: `Conditions on \`${type}\` records; all of them must hold.`,
      fields: (registry) => {
        const registeredModel = registry.get(model.name)!;
        return findUniqueFields([
          { name: 'and', type: `[${type}Where!]`, about: 'All of these conditions must hold.' },
          { name: 'or', type: `[${type}Where!]`, about: 'At least one of these conditions must hold.' },
          { name: 'not', type: `${type}Where`, about: 'This condition must not hold.' },
          ...defineTextCondition(registeredModel),
          ...getGraphFields(registeredModel).flatMap((field) =>
            buildConditionFields(registry, registeredModel, field),
          ),
        ]);
      },
    },
    {
      kind: 'input',
      name: `${type}ListWhere`,
      about: `Conditions on the \`${type}\` records of a list; all of them must hold.`,
      fields: () => [
        { name: 'some', type: `${type}Where`, about: 'At least one record must meet these conditions.' },
        { name: 'none', type: `${type}Where`, about: 'No record may meet these conditions.' },
        {
          name: 'every',
          type: `${type}Where`,
          about: 'Every record must meet these conditions. An empty list matches.',
        },
      ],
    },
  ];
}

function defineTextCondition({ name }: Model): FieldDef[] {
  const about = findTextSearch(name)?.about;
  return about ? [{ name: 'matches', type: 'String', about }] : [];
}

export function buildConditionFields(registry: Registry, model: Model, field: Field): FieldDef[] {
  const target = findRelatedModel(registry, field);
  const key = getKeyField(model);
  if (field.name === 'id' && key !== 'id') return [];
  const fields: FieldDef[] = [];
  const about = describeField(field);
  if (!isListField(field) && !hasPublicId(target)) {
    const name = field.name === key ? 'id' : getFieldName(model, field);
    fields.push({ name, type: getFilterType(getValueType(model, field)), about, field });
  }
  if (target) {
    const type = `${getTypeName(target)}${isListField(field) ? 'ListWhere' : 'Where'}`;
    fields.push({ name: getRelationName(model, field), type, about: describeRelation(field), field });
  }
  return fields;
}

const getFilterType = (type: string): string => (type === '[String!]' ? 'StringListFilter' : `${type}Filter`);

export function buildEnumTypes(model: Model, field: Field): TypeDef[] {
  if (!isEnum(field)) return [];
  const name = getEnumName(model, field);
  const labels = new Map(field.selection);
  return [
    {
      kind: 'enum',
      name,
      about: describeField(field),
      fields: () =>
        [...buildFieldEnumNames(field)].map(([item, value]) => ({
          name: item,
          type: '',
          about: describeValue(model, field, { name: item, value, label: labels.get(value) || item }),
          value,
        })),
    },
    defineEnumFilter(name),
  ];
}
