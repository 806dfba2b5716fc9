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
import { createCache, memoizePerObject } from '../../src/cache.ts';
import { limits } from '../../src/limits.ts';
import type { KnownDocument } from './documents.ts';

/** An answer as text that is kept zipped: the whole schema is over 2 MB, and 20 times smaller so. */
export class ZippedAnswer {
  readonly zipped: Buffer<ArrayBuffer>;
  constructor(zipped: Buffer<ArrayBuffer>) {
    this.zipped = zipped;
  }

  async plain(): Promise<Buffer<ArrayBuffer>> {
    return (await promisify(gunzip)(this.zipped)) as Buffer<ArrayBuffer>;
  }
}

const kept = createCache<string, ZippedAnswer>({
  entries: 1_000,
  weight: { most: limits.graphql.introspectionBytes, of: ({ zipped }) => zipped.length },
});
/** Equal questions at one time are one. */
const asked = createCache<string, Promise<ZippedAnswer>>({ entries: limits.graphql.documents });

let schemas = 0;
const numberOf = memoizePerObject((_schema: GraphQLSchema): number => ++schemas);

/** Whether the operation asks for the schema itself and nothing that depends on the request. */
export const isIntrospection = ({
  operation,
  selectionSet,
  variableDefinitions,
}: OperationDefinitionNode): boolean =>
  operation === 'query' &&
  !variableDefinitions?.length &&
  selectionSet.selections.every((node) => node.kind === Kind.FIELD && node.name.value === '__schema');

/** The answer to introspection, executed once for a schema and a document. */
export function introspect(
  schema: GraphQLSchema,
  { document }: KnownDocument,
  operation: OperationDefinitionNode,
): Promise<ZippedAnswer> {
  const name = operation.name?.value ?? null;
  const source = createHash('sha256').update(document.loc!.source.body).digest('base64');
  const key = `${numberOf(schema)} ${name} ${source}`;
  const known = kept.get(key);
  if (known) return Promise.resolve(known);
  const running = asked.get(key);
  if (running) return running;
  const answer = make(schema, document, name, key).finally(() => asked.delete(key));
  asked.set(key, answer);
  return answer;
}

async function make(
  schema: GraphQLSchema,
  document: KnownDocument['document'],
  operationName: string | null,
  key: string,
): Promise<ZippedAnswer> {
  const result = (await execute({ schema, document, operationName })) as ExecutionResult;
  const answer = new ZippedAnswer((await promisify(gzip)(JSON.stringify(result))) as Buffer<ArrayBuffer>);
  kept.set(key, answer);
  return answer;
}
