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
import { recordRef } from './record-ref.ts';
import type { Verb } from './verb.ts';

/** Reads records with what the document selects of them, in the order of the ids; those out of reach are left out. */
type ReadRecords = (ctx: Ctx, model: string, ids: number[], info: GraphQLResolveInfo) => Promise<object[]>;

let readRecords: ReadRecords | undefined;

/** The record graph reads the records that verbs answer with. */
export function readRecordsBy(reader: ReadRecords): void {
  readRecords = reader;
}

const number = new GraphQLNonNull(GraphQLInt);

/** Types of the values that doors get of verbs whose answer is another: true, null, an id, ids. */
export const doorValue = {
  true: new GraphQLNonNull(GraphQLBoolean),
  null: GraphQLBoolean,
  id: number,
  ids: new GraphQLNonNull(new GraphQLList(number)),
  json: new GraphQLNonNull(GraphQLJson),
} as const;

/** The model whose records the value of a verb stands for, where it is their ids; null for any other value. */
export const recordsModelOf = (verb: Pick<Verb, 'returns' | 'records'>, model: string): string | null =>
  verb.returns === doorValue.ids || verb.returns === doorValue.id ? (verb.records ?? model) : null;

/**
 * Part of a verb's declaration: GraphQL clients get records as they are afterwards, those of `ids` unless `idsOf` takes
 * them from the value of `run`.
 */
export const answersRecords = <Value>(
  model: string,
  returns: GraphQLOutputType,
  idsOf?: (value: Value) => number[],
) => ({
  type: [recordRef(model)] as object,
  returns,
  records: model,
  answer: (ctx: Ctx, value: Value, args: object, info: GraphQLResolveInfo): unknown =>
    readRecords!(ctx, model, idsOf ? idsOf(value) : (args as { ids: number[] }).ids, info),
});

/** As `answersRecords`, of the one record that the value of `run` leads to; null when it is out of reach. */
export const answersRecord = <Value>(
  model: string,
  returns: GraphQLOutputType,
  idOf: (value: Value, ctx: Ctx) => number | null,
) => ({
  type: recordRef(model) as object,
  nullable: true,
  returns,
  records: model,
  answer: async (ctx: Ctx, value: Value, _args: object, info: GraphQLResolveInfo): Promise<unknown> => {
    const id = idOf(value, ctx);
    return id === null ? null : ((await readRecords!(ctx, model, [id], info))[0] ?? null);
  },
});
