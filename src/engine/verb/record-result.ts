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
import { getRecordRef } from './record-ref.ts';
import type { Verb } from './verb.ts';

/** Reads records with what the document selects of them, in the order of the ids; those out of reach are left out. */
type ReadRecords = (ctx: Ctx, model: string, ids: number[], info: GraphQLResolveInfo) => Promise<object[]>;

let recordReader: ReadRecords | undefined;

/** The record graph reads the records that verbs answer with. */
export function setRecordReader(reader: ReadRecords): void {
  recordReader = reader;
}

const nonNullInt = new GraphQLNonNull(GraphQLInt);

/** Types of the values that doors get of verbs whose answer is another: true, null, an id, ids. */
export const facadeResult = {
  true: new GraphQLNonNull(GraphQLBoolean),
  null: GraphQLBoolean,
  id: nonNullInt,
  ids: new GraphQLNonNull(new GraphQLList(nonNullInt)),
  json: new GraphQLNonNull(GraphQLJson),
} as const;

/** The model whose records the value of a verb stands for, where it is their ids; null for any other value. */
export const getRecordsModel = (verb: Pick<Verb, 'returns' | 'records'>, model: string): string | null =>
  verb.returns === facadeResult.ids || verb.returns === facadeResult.id ? (verb.records ?? model) : null;

/**
 * Part of a verb's declaration: GraphQL clients get records as they are afterwards, those of `ids` unless `idsOf` takes
 * them from the value of `run`.
 */
export const returnRecords = <Value>(
  model: string,
  returns: GraphQLOutputType,
  idsOf?: (value: Value) => number[],
) => ({
  type: [getRecordRef(model)] as object,
  returns,
  records: model,
  answer: (ctx: Ctx, value: Value, args: object, info: GraphQLResolveInfo): unknown =>
    recordReader!(ctx, model, idsOf ? idsOf(value) : (args as { ids: number[] }).ids, info),
});

/** As `answersRecords`, of the one record that the value of `run` leads to; null when it is out of reach. */
export const returnRecord = <Value>(
  model: string,
  returns: GraphQLOutputType,
  idOf: (value: Value, ctx: Ctx) => number | null,
) => ({
  type: getRecordRef(model) as object,
  nullable: true,
  returns,
  records: model,
  answer: async (ctx: Ctx, value: Value, _args: object, info: GraphQLResolveInfo): Promise<unknown> => {
    const id = idOf(value, ctx);
    return id === null ? null : ((await recordReader!(ctx, model, [id], info))[0] ?? null);
  },
});
