import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { createLoadingCache, memoizePerObject } from '../../src/cache.ts';
import type { CachedDocument } from './documents.ts';

const MAX_CACHED_INTROSPECTION_BYTES = 16 * 1024 * 1024;

/**
 * A compressed response body. A full introspection result is over 2 MB, which compression reduces by a factor of 20.
 */
export class CompressedResponse {
  readonly zipped: Buffer<ArrayBuffer>;
  constructor(zipped: Buffer<ArrayBuffer>) {
    this.zipped = zipped;
  }

  async plain(): Promise<Buffer<ArrayBuffer>> {
    return (await promisify(gunzip)(this.zipped)) as Buffer<ArrayBuffer>;
  }
}

const responseCache = createLoadingCache<string, CompressedResponse>(
  {
    entries: 1_000,
    weight: { max: MAX_CACHED_INTROSPECTION_BYTES, measure: ({ zipped }) => zipped.length },
  },
  true,
);

let schemaCount = 0;
const getSchemaNumber = memoizePerObject((_schema: GraphQLSchema): number => ++schemaCount);

/** Returns true if the operation only queries the schema and does not depend on the request. */
export const isIntrospection = ({
  operation,
  selectionSet,
  variableDefinitions,
}: OperationDefinitionNode): boolean =>
  operation === 'query' &&
  !variableDefinitions?.length &&
  selectionSet.selections.every((node) => node.kind === Kind.FIELD && node.name.value === '__schema');

export async function runIntrospection(
  schema: GraphQLSchema,
  { document }: CachedDocument,
  operation: OperationDefinitionNode,
): Promise<CompressedResponse> {
  const operationName = operation.name?.value ?? null;
  const source = createHash('sha256').update(document.loc!.source.body).digest('base64');
  const response = await responseCache.get(
    `${getSchemaNumber(schema)} ${operationName} ${source}`,
    async () => {
      const result = (await execute({ schema, document, operationName })) as ExecutionResult;
      const zipped = (await promisify(gzip)(JSON.stringify(result))) as Buffer<ArrayBuffer>;
      return { value: new CompressedResponse(zipped) };
    },
  );
  return response!;
}
