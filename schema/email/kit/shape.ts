import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { toSnakeCase } from '../../../src/engine/model/datamodel.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineFacadeShape, type ObjectShape, type ShapePart } from '../../../src/engine/operation/shape.ts';

type ScalarKind = 'ID' | 'String' | 'Int' | 'Boolean' | 'DateTime' | 'JSON';

/** Allowed values: an enum in GraphQL, strings in other facades. */
interface EnumValues {
  ref: ReturnType<typeof buildEnumRef>;
  name: string;
  values: readonly string[];
}

interface ShapeField {
  type: ScalarKind | EnumValues;
  list?: true;
  nullable?: true;
  about: string;
  example?: unknown;
  /** Defaults to the field name in snake case. */
  column?: string;
  /** SQL expression for the facades. Defaults to the column. `row` is the row's alias. */
  sql?(row: Sql): Sql;
  /** Overrides the OpenAPI schema derived from `type`. */
  openApi?: object;
  inner?: ObjectShape;
  only?: 'protocols' | 'graphql';
}

/** A resource's fields by name. GraphQL fields and the facades' SQL and OpenAPI schemas are derived from them. */
export type Shape = Record<string, ShapeField>;

/** Declares an enum with a description for each value. GraphQL names are in constant case. */
export function defineEnum(name: string, description: string, values: Record<string, string>): EnumValues {
  return { ref: buildEnumRef(name, description, values), name, values: Object.keys(values) };
}

const buildEnumRef = (name: string, description: string, values: Record<string, string>) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries(values).map(([value, about]) => [toConstantCase(value), { value, description: about }]),
    ),
  });

/** Converts `email.sent` to `EMAIL_SENT`. */
const toConstantCase = (value: string): string => value.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

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
  const type = typeof part.type === 'string' ? part.type : part.type.ref;
  const column = getColumn(name, part);
  return t.field({
    type: part.list ? [type] : type,
    nullable: part.nullable ?? false,
    description: part.about,
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
  if (part.sql) return part.sql(row);
  const column = sql`${row}.${sql.id(getColumn(name, part))}`;
  return part.type === 'DateTime' ? toIsoSql(column) : column;
}

/** Declares an OpenAPI component. `names` defaults to all facade fields. Fields not in `optional` are required. */
export function defineComponent(
  name: string,
  description: string,
  shape: Shape,
  names: string[] = getFacadeNames(shape),
  optional: string[] = [],
): ObjectShape {
  const parts = names.map((name) => [name, buildShapePart(shape[name]!, optional.includes(name))]);
  return defineFacadeShape(name, description, Object.fromEntries(parts));
}

function buildShapePart(
  { type, list, nullable, about, example, openApi, inner }: ShapeField,
  optional: boolean,
): ShapePart {
  const kind = inner ?? (typeof type === 'string' ? type : 'String');
  return {
    type: list ? [kind] : kind,
    nullable: nullable ?? false,
    optional,
    description: about,
    form: {
      ...(typeof type !== 'string' && { enum: type.values }),
      ...openApi,
      ...(example !== undefined && { example }),
    },
  };
}
