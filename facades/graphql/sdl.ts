import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  parseConstValue,
  print,
  printSchema,
  visit,
} from 'graphql';
import { perOwner } from '../../src/cache.ts';

/** The schema's text with the policy of every root field on it; graphql-js prints no directives by itself. */
export const sdlOf = perOwner((schema: GraphQLSchema): string =>
  print(
    visit(parse(printSchema(schema)), {
      [Kind.OBJECT_TYPE_DEFINITION]: (node) => withPolicies(schema, node),
    }),
  ),
);

function withPolicies(
  schema: GraphQLSchema,
  type: ObjectTypeDefinitionNode,
): ObjectTypeDefinitionNode | undefined {
  const root = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].find(
    (candidate) => candidate?.name === type.name.value,
  );
  if (!root) return undefined;
  const fields = root.getFields();
  return {
    ...type,
    fields: type.fields?.map((field) => ({
      ...field,
      directives: [...(field.directives ?? []), ...directivesOf(fields[field.name.value]!.extensions)],
    })),
  };
}

/** Pothos' plugin left them as `{ auth: { requires: [...] }, scope: { name } }`. */
function directivesOf({ directives }: { directives?: unknown }): ConstDirectiveNode[] {
  return Object.entries((directives ?? {}) as Record<string, Record<string, unknown>>).map(
    ([name, args]) => ({
      kind: Kind.DIRECTIVE,
      name: { kind: Kind.NAME, value: name },
      arguments: Object.entries(args).map(([key, value]) => ({
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: key },
        value: parseConstValue(JSON.stringify(value)),
      })),
    }),
  );
}
