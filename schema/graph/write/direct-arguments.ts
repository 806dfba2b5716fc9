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

// Compiles the arguments of a field from its document once, so that a request only fills in the variables. graphql-js
// would visit every field of an input, and models have many.

type Variables = Readonly<Record<string, unknown>>;

/** @throws the errors of getArgumentValues */
export type ArgumentReader = (variables: Variables) => Record<string, unknown>;

/** Returns the coerced value. Undefined if graphql-js must report an error. */
type ValueReader = (variables: Variables) => unknown;

/** Compiles a reader for the arguments of `node`. The variables must already be coerced. */
export function createArgumentReader(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentReader {
  const whole: ArgumentReader = (variables) => getArgumentValues(field, node, variables);
  const argumentsByName = new Map(
    (node.arguments ?? []).map((argument: ArgumentNode) => [argument.name.value, argument.value]),
  );
  if (field.args.some(({ name }) => !argumentsByName.has(name))) return whole;
  const readers = field.args.map(
    ({ name, type }) =>
      [name, createValueReader(argumentsByName.get(name)!, type)] as const satisfies [string, ValueReader],
  );
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const [name, reader] of readers) {
      const value = reader(variables);
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
    // Objects are created for each request, because the request may modify them.
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

/** Null if an omitted field would have a value, such as a default. */
function createObjectReader(
  node: ObjectValueNode,
  fields: InputFields,
  isOneOf: boolean,
): ValueReader | null {
  const fieldsByName = new Map(node.fields.map((field) => [field.name.value, field.value]));
  const isOptional = (name: string) =>
    fields[name]!.defaultValue === undefined && !isNonNullType(fields[name]!.type);
  if (isOneOf || Object.keys(fields).some((name) => !fieldsByName.has(name) && !isOptional(name)))
    return null;
  // In the order of the type, as in graphql-js.
  const readers = Object.keys(fields)
    .filter((name) => fieldsByName.has(name))
    .map((name) => {
      const value = fieldsByName.get(name)!;
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
