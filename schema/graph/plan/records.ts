import type { Field } from '../../../src/engine/model/field.ts';
import { isList } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { limits } from '../../../src/limits.ts';
import { aboutField, aboutRelation, aboutType, aboutValue } from '../descriptions.ts';
import { enumFilter, listArguments } from './common.ts';
import type { FieldDef, TypeDef } from './definition.ts';
import {
  constant,
  enumName,
  enumNames,
  fieldName,
  isEnum,
  relatedModel,
  relationName,
  shownFields,
  typeName,
} from './names.ts';
import { textSearchOf } from './text-search.ts';
import { keyFieldOf, outputType, valueType } from './values.ts';

// The types that show and select records of one model.

/** Collects fields of one type; the first of a name stays. */
export function fieldsOnce(fields: Iterable<FieldDef>): FieldDef[] {
  const byName = new Map<string, FieldDef>();
  for (const field of fields) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}

/** The type of the records. */
export const recordDef = (model: Model): TypeDef => ({
  kind: 'object',
  name: typeName(model),
  about: aboutType(model),
  fields: (registry) => {
    const at = registry.get(model.name)!;
    return fieldsOnce(shownFields(at).flatMap((field) => recordFields(registry, at, field)));
  },
});

export function recordFields(registry: Registry, model: Model, field: Field): FieldDef[] {
  const key = keyFieldOf(model);
  // The record's number stands behind its public id.
  if (field.name === 'id' && key !== 'id') return [];
  const target = relatedModel(registry, field);
  const fields: FieldDef[] = [];
  if (!isList(field) && !isKeyed(target))
    fields.push({
      name: field.name === key ? 'id' : fieldName(model, field),
      type: outputType(model, field),
      about: aboutField(field),
      role: 'column',
      field,
      cost: model.options.graph?.costs?.[field.name],
      ...(field.type === 'binary' && { model: model.name, cost: limits.graphql.fileCost }),
    });
  // Lists of Prisma's types are declared beside these.
  if (target && !(isList(field) && target.options.graph?.prisma))
    fields.push(relationDef(model, field, target));
  return fields;
}

/** Records of the model have a public id; the number of one says nothing to clients. */
const isKeyed = (model: Model | undefined): boolean => model !== undefined && keyFieldOf(model) !== 'id';

function relationDef(model: Model, field: Field, target: Model): FieldDef {
  const type = typeName(target);
  const about = aboutRelation(field);
  if (!isList(field)) return { name: relationName(model, field), type, about, role: 'one', field };
  return {
    name: relationName(model, field),
    type: `${type}Connection${field.groups.length > 0 ? '' : '!'}`,
    about,
    args: listArguments(type),
    role: 'list',
    field,
    model: model.name,
  };
}

/** A page of records, and an entry of it. */
export function connectionDefs(model: Model): TypeDef[] {
  const type = typeName(model);
  const at = { model: model.name };
  return [
    {
      kind: 'object',
      name: `${type}Connection`,
      about: `A page of a list of \`${type}\`.`,
      fields: () => [
        { name: 'nodes', type: `[${type}!]!`, about: 'Records of the page.', role: 'nodes', ...at },
        {
          name: 'edges',
          type: `[${type}Edge!]!`,
          about: 'Records of the page, each with its cursor.',
          role: 'edges',
          ...at,
        },
        { name: 'pageInfo', type: 'PageInfo!', about: 'Where the page begins and ends.', role: 'pageInfo' },
        {
          name: 'totalCount',
          type: 'Int!',
          about: 'Number of records on all pages; counted only when asked for.',
          role: 'totalCount',
        },
      ],
    },
    {
      kind: 'object',
      name: `${type}Edge`,
      about: `An entry of a page of \`${type}\`.`,
      fields: () => [
        { name: 'node', type: `${type}!`, about: 'The record.', role: 'node', ...at },
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

/** What orders and groups name fields by. */
function fieldConstants(registry: Registry, model: Model): FieldDef[] {
  const sortable = shownFields(model).filter((field) => !isList(field) && !UNSORTABLE.has(field.type));
  return fieldsOnce(
    sortable.map((field) => {
      const name = field.name === keyFieldOf(model) ? 'id' : fieldName(model, field);
      const shown = relatedModel(registry, field) ? relationName(model, field) : name;
      return { name: constant(shown), type: '', about: aboutField(field), value: field.name };
    }),
  );
}

const UNSORTABLE: ReadonlySet<string> = new Set(['json', 'binary', 'properties', 'properties_definition']);

export function orderDefs(model: Model): TypeDef[] {
  const type = typeName(model);
  return [
    {
      kind: 'enum',
      name: `${type}Field`,
      about: `Fields that \`${type}\` records are sorted and grouped by.`,
      fields: (registry) => fieldConstants(registry, registry.get(model.name)!),
    },
    {
      kind: 'input',
      name: `${type}Order`,
      about: `One term of a sort order of \`${type}\` records.`,
      fields: () => [
        { name: 'field', type: `${type}Field!`, about: 'Field to sort by.' },
        { name: 'direction', type: 'Direction', about: 'Direction; ascending by default.' },
        { name: 'nulls', type: 'Nulls', about: 'Where records without a value go.' },
      ],
    },
  ];
}

/** Conditions on records, and on lists of them. */
export function whereDefs(model: Model): TypeDef[] {
  const type = typeName(model);
  return [
    {
      kind: 'input',
      name: `${type}Where`,
      about: `Conditions on \`${type}\` records; all of them must hold.`,
      fields: (registry) => {
        const at = registry.get(model.name)!;
        return fieldsOnce([
          { name: 'and', type: `[${type}Where!]`, about: 'All of these hold.' },
          { name: 'or', type: `[${type}Where!]`, about: 'At least one of these holds.' },
          { name: 'not', type: `${type}Where`, about: 'This does not hold.' },
          ...textCondition(at),
          ...shownFields(at).flatMap((field) => conditionFields(registry, at, field)),
        ]);
      },
    },
    {
      kind: 'input',
      name: `${type}ListWhere`,
      about: `Conditions on the \`${type}\` records of a list; all of them must hold.`,
      fields: () => [
        { name: 'some', type: `${type}Where`, about: 'At least one record meets these.' },
        { name: 'none', type: `${type}Where`, about: 'No record meets these.' },
        { name: 'every', type: `${type}Where`, about: 'All records meet these, if there are any.' },
      ],
    },
  ];
}

function textCondition({ name }: Model): FieldDef[] {
  const about = textSearchOf(name)?.about;
  return about ? [{ name: 'matches', type: 'String', about }] : [];
}

export function conditionFields(registry: Registry, model: Model, field: Field): FieldDef[] {
  const target = relatedModel(registry, field);
  const key = keyFieldOf(model);
  if (field.name === 'id' && key !== 'id') return [];
  const fields: FieldDef[] = [];
  const about = aboutField(field);
  if (!isList(field) && !isKeyed(target)) {
    const name = field.name === key ? 'id' : fieldName(model, field);
    fields.push({ name, type: filterType(valueType(model, field)), about, field });
  }
  if (target) {
    const type = `${typeName(target)}${isList(field) ? 'ListWhere' : 'Where'}`;
    fields.push({ name: relationName(model, field), type, about: aboutRelation(field), field });
  }
  return fields;
}

const filterType = (type: string): string => (type === '[String!]' ? 'StringListFilter' : `${type}Filter`);

/** The enum of a selection, and its filter. */
export function enumDefs(model: Model, field: Field): TypeDef[] {
  if (!isEnum(field)) return [];
  const name = enumName(model, field);
  const labels = new Map(field.selection);
  const names = [...enumNames([...labels.keys()])];
  return [
    {
      kind: 'enum',
      name,
      about: aboutField(field),
      fields: () =>
        names.map(([each, value]) => ({
          name: each,
          type: '',
          about: aboutValue(model, field, { name: each, value, label: labels.get(value) || each }),
          value,
        })),
    },
    enumFilter(name),
  ];
}
