import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { toSnakeCase } from '../../../src/engine/model/datamodel.ts';
import {
  defineFacadeShape,
  getTypeRef,
  type ObjectShape,
  type ShapePart,
} from '../../../src/engine/operation/shape.ts';

interface ShapeField extends Omit<ShapePart, 'sql'> {
  /** Defaults to the field name in snake case. */
  column?: string;
  /** SQL expression for the facades. Defaults to the column. `row` is the row's alias. */
  rowSql?(row: Sql): Sql;
  only?: 'protocols' | 'graphql';
}

/** A resource's fields by name. GraphQL fields and the facades' SQL and OpenAPI schemas are derived from them. */
export type Shape = Record<string, ShapeField>;

interface Fields {
  field(options: object): unknown;
}

/** Builds a shape's GraphQL fields for rows read by Prisma. `t` is the field builder of a prismaObject. */
export function buildGraphFields(t: unknown, shape: Shape): Record<string, never> {
  const make = t as Fields;
  const publicFields = Object.entries(shape).filter(([, { only }]) => only !== 'protocols');
  return Object.fromEntries(
    publicFields.map(([name, part]) => [name, buildGraphField(make, name, part)]),
  ) as never;
}

function buildGraphField(t: Fields, name: string, part: ShapeField): unknown {
  const column = getColumn(name, part);
  return t.field({
    type: getTypeRef(part.type),
    nullable: part.nullable ?? false,
    description: part.description,
    select: { [column]: true },
    resolve: (row: Record<string, unknown>) => row[column],
  });
}

const getColumn = (name: string, { column }: ShapeField): string => column ?? toSnakeCase(name);

/** Builds the arguments of `json_build_object` for row `alias`. `names` defaults to all facade fields. */
export function buildJsonParts(shape: Shape, alias: string, names: string[] = getFacadeNames(shape)): Sql {
  const row = sql.id(alias);
  return sql.join(names.map((name) => sql`${sql.literal(name)}, ${buildFacadeSql(name, shape[name]!, row)}`));
}

const getFacadeNames = (shape: Shape): string[] =>
  Object.keys(shape).filter((name) => shape[name]!.only !== 'graphql');

function buildFacadeSql(name: string, part: ShapeField, row: Sql): Sql {
  if (part.rowSql) return part.rowSql(row);
  const column = sql`${row}.${sql.id(getColumn(name, part))}`;
  return part.type === 'DateTime' ? toIsoSql(column) : column;
}

/** Declares an OpenAPI component. `names` defaults to all facade fields. Fields not in `optional` are required. */
export const defineComponent = (
  name: string,
  description: string,
  shape: Shape,
  names: string[] = getFacadeNames(shape),
  optional: string[] = [],
): ObjectShape =>
  defineFacadeShape(
    name,
    description,
    Object.fromEntries(names.map((name) => [name, { ...shape[name]!, optional: optional.includes(name) }])),
  );
