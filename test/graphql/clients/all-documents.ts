import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isUnionType,
} from 'graphql';

// A document for every root field that selects all plain fields and declares a variable for each argument.

const ROOTS = ['query', 'mutation', 'subscription'] as const;

/** Depth to which relations are followed. */
const MAX_DEPTH = 0;

export function buildDocuments(schema: GraphQLSchema): Map<string, string> {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  return new Map(
    ROOTS.flatMap((kind) =>
      Object.values(roots[kind]?.getFields() ?? {}).map((field) => {
        const name = `All_${kind}_${field.name}`;
        return [name, buildDocument(kind, name, field)] as [string, string];
      }),
    ),
  );
}

function buildDocument(kind: string, name: string, field: GraphQLField<unknown, unknown>): string {
  const declared = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const head = `${kind} ${name}${declared && `(${declared})`}`;
  return `${head} { ${field.name}${passed && `(${passed})`} ${buildSelection(getNamedType(field.type), MAX_DEPTH)} }\n`;
}

/** Selects every plain field, and the id of every related record. */
function buildSelection(type: GraphQLNamedType, depth: number): string {
  if (!isCompositeType(type)) return '';
  if (isUnionType(type))
    return `{ __typename ${type
      .getTypes()
      .map((type) => `... on ${type.name} { ${buildHandle(type)} }`)
      .join(' ')} }`;
  const parts = Object.values(type.getFields()).map((field) => buildPart(field, depth));
  return `{ __typename ${parts.join(' ')} }`;
}

const WRAPPERS = /(?:Connection|Edge)$|^PageInfo$/;

function buildPart(field: GraphQLField<unknown, unknown>, depth: number): string {
  if (field.args.some((arg) => String(arg.type).endsWith('!') && arg.defaultValue === undefined)) return '';
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return field.name;
  if (WRAPPERS.test(type.name)) return `${field.name} ${buildSelection(type, depth)}`;
  if (depth > 0) return `${field.name} ${buildSelection(type, depth - 1)}`;
  return isObjectType(type) ? `${field.name} { ${buildHandle(type)} }` : '';
}

const buildHandle = (type: GraphQLObjectType): string => ('id' in type.getFields() ? 'id' : '__typename');
