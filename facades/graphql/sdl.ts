import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
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
import { memoizePerObject } from '../../src/cache.ts';
import { CompressedResponse } from './introspection.ts';

/** The compressed SDL and its ETag. Uncompressed, the SDL is over 2 MB. */
interface SchemaText {
  text: CompressedResponse;
  etag: string;
}

export const printSdl = memoizePerObject(async (schema: GraphQLSchema): Promise<SchemaText> => {
  const text = buildSdlText(schema);
  const hash = createHash('sha256').update(text).digest('base64url');
  return {
    text: new CompressedResponse((await promisify(gzip)(text)) as Buffer<ArrayBuffer>),
    etag: `"${hash}"`,
  };
});

/** Prints the schema with the policy directives of the root fields, which graphql-js omits. */
export const buildSdlText = (schema: GraphQLSchema): string =>
  print(
    visit(parse(printSchema(schema)), {
      [Kind.OBJECT_TYPE_DEFINITION]: (node) => addPolicyDirectives(schema, node),
    }),
  );

function addPolicyDirectives(
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
      directives: [...(field.directives ?? []), ...buildDirectives(fields[field.name.value]!.extensions)],
    })),
  };
}

/** Converts directives, which the Pothos plugin stores as `{ auth: { requires: [...] }, scope: { name } }`. */
function buildDirectives({ directives }: { directives?: unknown }): ConstDirectiveNode[] {
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
