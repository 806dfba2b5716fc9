import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  getArgumentValues,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  Kind,
  type ObjectValueNode,
  type ValueNode,
  valueFromAST,
} from 'graphql';

// The arguments of a field, read from its document once. What is left to do for a request are the variables in it:
// graphql-js looks at every field of an input, and a model has many.

type Variables = Readonly<Record<string, unknown>>;

/** @throws as getArgumentValues */
export type ArgumentReader = (variables: Variables) => Record<string, unknown>;

/** A value as GraphQL coerces it; undefined where graphql-js has to say why there is none. */
type ValueReader = (variables: Variables) => unknown;

/** Reads the arguments of `node`, with variables that are coerced already. */
export function createArgumentReader(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentReader {
  const whole: ArgumentReader = (variables) => getArgumentValues(field, node, variables);
  const given = new Map((node.arguments ?? []).map((each: ArgumentNode) => [each.name.value, each.value]));
  if (field.args.some(({ name }) => !given.has(name))) return whole;
  const readers = field.args.map(
    ({ name, type }) =>
      [name, createValueReader(given.get(name)!, type)] as const satisfies [string, ValueReader],
  );
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const [name, read] of readers) {
      const value = read(variables);
      if (value === undefined) return whole(variables);
      values[name] = value;
    }
    return values;
  };
}

function createValueReader(node: ValueNode, type: GraphQLInputType): ValueReader {
  if (node.kind === Kind.VARIABLE) return createVariableReader(node.name.value, isNonNullType(type));
  const nullable = getNullableType(type);
  if (node.kind === Kind.OBJECT && isInputObjectType(nullable)) {
    const reader = createObjectReader(node, nullable.getFields(), nullable.isOneOf);
    if (reader) return reader;
  }
  if (isLeafType(nullable) && node.kind !== Kind.OBJECT && node.kind !== Kind.LIST) {
    const value: unknown = valueFromAST(node, type);
    // An object is made for each request, which may change it.
    if (typeof value !== 'object' || value === null) return () => value;
  }
  return (variables) => valueFromAST(node, type, variables);
}

const createVariableReader =
  (name: string, isRequired: boolean): ValueReader =>
  (variables) => {
    const value = variables[name];
    return value === null && isRequired ? undefined : value;
  };

type InputFields = Record<string, { type: GraphQLInputType; defaultValue?: unknown }>;

/** null where a field that is left out has a value all the same. */
function createObjectReader(
  node: ObjectValueNode,
  fields: InputFields,
  isOneOf: boolean,
): ValueReader | null {
  const given = new Map(node.fields.map((each) => [each.name.value, each.value]));
  const isOptional = (name: string) =>
    fields[name]!.defaultValue === undefined && !isNonNullType(fields[name]!.type);
  if (isOneOf || Object.keys(fields).some((name) => !given.has(name) && !isOptional(name))) return null;
  // In the order of the type, as graphql-js gives them.
  const readers = Object.keys(fields)
    .filter((name) => given.has(name))
    .map((name) => {
      const value = given.get(name)!;
      const isSkipped = value.kind === Kind.VARIABLE && isOptional(name);
      return { name, isSkipped, read: createValueReader(value, fields[name]!.type) };
    });
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const { name, read, isSkipped } of readers) {
      const value = read(variables);
      if (value !== undefined) values[name] = value;
      else if (!isSkipped) return undefined;
    }
    return values;
  };
}
