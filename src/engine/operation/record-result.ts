import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Ctx } from '../ctx/ctx.ts';
import { GraphQLJson } from './builder.ts';
import type { Operation } from './operation.ts';
import { getRecordRef } from './record-ref.ts';

/** Reads the fields that the document selects, in the order of the ids. Omits inaccessible records. */
type RecordsReader = (ctx: Ctx, model: string, ids: number[], info: GraphQLResolveInfo) => Promise<object[]>;

let recordReader: RecordsReader | undefined;

export function setRecordReader(reader: RecordsReader): void {
  recordReader = reader;
}

const nonNullInt = new GraphQLNonNull(GraphQLInt);

/** Types of the values that facades receive, for operations with a different GraphQL response. */
export const facadeResult = {
  true: new GraphQLNonNull(GraphQLBoolean),
  null: GraphQLBoolean,
  id: nonNullInt,
  ids: new GraphQLNonNull(new GraphQLList(nonNullInt)),
  json: new GraphQLNonNull(GraphQLJson),
} as const;

/** Returns the model of the ids that an operation returns. Null if it returns anything else. */
export const getRecordsModel = (
  operation: Pick<Operation, 'returns' | 'records'>,
  model: string,
): string | null =>
  operation.returns === facadeResult.ids || operation.returns === facadeResult.id
    ? (operation.records ?? model)
    : null;

/**
 * Builds the part of a declaration that returns the changed records to GraphQL clients. The record ids are the argument
 * `ids`, or the result of `getIds`.
 */
export const returnRecords = <Value>(
  model: string,
  returns: GraphQLOutputType,
  getIds?: (value: Value) => number[],
) => ({
  type: [getRecordRef(model)] as object,
  returns,
  records: model,
  answer: (ctx: Ctx, value: Value, args: object, info: GraphQLResolveInfo): unknown =>
    recordReader!(ctx, model, getIds ? getIds(value) : (args as { ids: number[] }).ids, info),
});

/** Like `returnRecords`, but for a single record. Null if the record is not accessible. */
export const returnRecord = <Value>(
  model: string,
  returns: GraphQLOutputType,
  getId: (value: Value, ctx: Ctx) => number | null,
) => ({
  type: getRecordRef(model) as object,
  nullable: true,
  returns,
  records: model,
  answer: async (ctx: Ctx, value: Value, _args: object, info: GraphQLResolveInfo): Promise<unknown> => {
    const id = getId(value, ctx);
    return id === null ? null : ((await recordReader!(ctx, model, [id], info))[0] ?? null);
  },
});
