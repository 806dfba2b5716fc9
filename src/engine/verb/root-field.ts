import type { GraphQLArgument, GraphQLField, GraphQLSchema } from 'graphql';
import type { Verb } from './verb.ts';

/** The field of the schema that a verb has become. */
export type RootField = GraphQLField<unknown, unknown>;

export function rootField(schema: GraphQLSchema, { kind, name }: Verb): RootField {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return root!.getFields()[name]!;
}

type Method = Pick<RootField, 'args'>;

/** Whether the method acts on given records. */
export const takesIds = ({ args }: Method): boolean => args.some((arg) => arg.name === 'ids');

/**
 * What a caller gives the method, in positional order: the address says `model`, and `ids` are what it is called on.
 */
export const parametersOf = ({ args }: Method): GraphQLArgument[] =>
  args.filter((arg) => arg.name !== 'model' && arg.name !== 'ids');
