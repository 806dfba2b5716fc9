import type { ArgBuilder, InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { GraphQLArgument, GraphQLField, GraphQLSchema } from 'graphql';
import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { builder } from './builder.ts';
import type { Policy } from './policy.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** Declaration of a verb. `Args` are Pothos arguments; a verb that acts on records has one named `ids`. */
interface VerbSpec<Args extends InputFieldMap> {
  kind: 'query' | 'mutation';
  /** `model.name/method`; with the model `*` every model has the method and the verb takes an argument `model`. */
  address?: `${string}/${string}`;
  policy: Policy;
  description: string;
  args: (arg: ArgBuilder<Types>) => Args;
  /** GraphQL type of the result; JSON if the caller chooses the shape. */
  type?: Parameters<typeof builder.objectRef>[0] | object;
  /** Selection set of the prepared operation if the result is an object, such as `{ emailId }`. */
  select?: string;
  nullable?: boolean;
  /** For the model `*`: only models with this field have the method. */
  needs?: string;
  /** A call without ids is an error. */
  onRecords?: boolean;
  /** Argument names of older clients and the current name of each; undocumented. */
  aliases?: Record<string, string>;
  run(ctx: Ctx, args: InputShapeFromFields<Args>): unknown;
}

/** A declared verb, as call.ts and the doors find it. */
export interface Verb {
  name: string;
  kind: 'query' | 'mutation';
  model: string | null;
  method: string | null;
  policy: Policy;
  description: string;
  select: string;
  needs?: string | null;
  aliases: Record<string, string>;
}

export const verbs = new Map<string, Verb>();

/** Declares a root field. With an address it can also be called from the JSON API, classic RPC and MCP. */
export function verb<Args extends InputFieldMap>(name: string, spec: VerbSpec<Args>): void {
  const [model = null, method = null] = spec.address?.split('/') ?? [];
  verbs.set(name, {
    name,
    kind: spec.kind,
    model,
    method,
    policy: spec.policy,
    description: spec.description,
    select: spec.select ?? '',
    needs: spec.needs ?? null,
    aliases: spec.aliases ?? {},
  });
  const field = (t: PothosSchemaTypes.RootFieldBuilder<Types, unknown>) =>
    t.field({
      // Verbs of a generic type meet Pothos' precise one here: the result's type is checked when the schema is built.
      type: (spec.type ?? 'JSON') as 'JSON',
      nullable: spec.nullable ?? false,
      description: spec.description,
      policy: spec.policy,
      args: spec.args(t.arg),
      // Pothos has checked the arguments against `spec.args`, which `Args` is the type of.
      resolve: (_parent: unknown, args: unknown, ctx: Ctx) => {
        if (spec.onRecords && (args as { ids: number[] }).ids.length === 0)
          throw errors.badValue(`Expected at least one record for ${method} (ids).`);
        return spec.run(ctx, args as InputShapeFromFields<Args>) as never;
      },
    } as never);
  // Both take the same field; only the name of its parent differs in their types.
  if (spec.kind === 'query') builder.queryField(name, field as never);
  else builder.mutationField(name, field as never);
}

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
