import { toIsoSql } from '../../db/iso-sql.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Field, FieldType } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import { toCamelCase } from '../model/naming.ts';
import { defineFacadeShape, type JsonSchema, type ObjectShape, type ShapePart } from './shape.ts';

let shapeModels: Registry | undefined;

export function setShapeModels(registry: Registry): void {
  shapeModels = registry;
}

interface RecordShape {
  model: string;
  row: string;
  description: string;
  /**
   * Parts by name. `true` means the model's field with this GraphQL name. A partial object overrides that field's
   * OpenAPI type or description. A complete part is not a field of the model.
   */
  parts: Record<string, true | Partial<Pick<ShapePart, 'form' | 'description'>> | ShapePart>;
}

/** Declares how facades represent a record. GraphQL uses the model's type, with the same field names. */
export const defineRecordShape = (
  name: string,
  { model, row, description, parts }: RecordShape,
): ObjectShape =>
  defineFacadeShape(name, description, () => {
    const fields = indexFields(shapeModels!.get(model)!);
    return Object.fromEntries(
      Object.entries(parts).map(([key, fieldSpec]) => {
        if (fieldSpec !== true && 'type' in fieldSpec) return [key, fieldSpec];
        const field = fields.get(key);
        if (!field) throw new Error(`the shape ${name}: unknown field ${key} of ${model}`);
        return [key, { ...buildPart(field, row), ...(fieldSpec !== true && fieldSpec) }];
      }),
    );
  });

function indexFields({ fields, options: { graph } }: Model): Map<string, Field> {
  const key = graph?.key ?? 'id';
  const names = graph?.names ?? {};
  const getPartName = ({ name }: Field) => (name === key ? 'id' : (names[name] ?? toCamelCase(name)));
  return new Map(
    [...fields.values()]
      .filter(({ name }) => name !== 'id' || key === 'id')
      .map((field) => [getPartName(field), field]),
  );
}

function buildPart(field: Field, row: string): ShapePart {
  const column = sql.id(row, field.name);
  const form: JsonSchema | undefined = field.selection && { enum: field.selection.map(([value]) => value) };
  return {
    type: field.type === 'strings' ? ['String'] : (PART_TYPES[field.type] ?? 'String'),
    nullable: !field.required && field.type !== 'strings',
    description: field.help || `${field.label}.`,
    ...(form && { form }),
    sql: buildExpressionSql(field.type, column),
  };
}

const PART_TYPES: Partial<Record<FieldType, Exclude<ShapePart['type'], unknown[]>>> = {
  integer: 'Int',
  many2one: 'Int',
  float: 'Float',
  boolean: 'Boolean',
  datetime: 'DateTime',
  date: 'Date',
};

const buildExpressionSql = (type: FieldType, column: Sql): Sql =>
  type === 'datetime' ? toIsoSql(column) : column;
