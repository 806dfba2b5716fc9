import type { ArgBuilder, InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { builder } from './builder.ts';
import type { Policy } from './policy.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** What a verb is made of. `Args` are Pothos arguments; a verb that acts on records has one called `ids`. */
interface VerbSpec<Args extends InputFieldMap> {
  kind: 'query' | 'mutation';
  /** `model.name/method`; the model `*` means every model, and then the verb has an argument `model`. */
  address?: `${string}/${string}`;
  policy: Policy;
  description: string;
  args: (arg: ArgBuilder<Types>) => Args;
  /** GraphQL type of the result; JSON when the shape is the caller's choice. */
  type?: Parameters<typeof builder.objectRef>[0] | object;
  /** Selection set of the prepared operation when the result is an object, such as `{ emailId }`. */
  select?: string;
  nullable?: boolean;
  /** Of an address of every model: only those with this field have the method. */
  needs?: string;
  /** Without records there is nothing to do, and a call with none is refused. */
  onRecords?: boolean;
  /** Names that older clients give arguments by, each with the name it has now; told to nobody. */
  aliases?: Record<string, string>;
  run(ctx: Ctx, args: InputShapeFromFields<Args>): unknown;
}

/** A declared verb, as call.ts and the doors look it up. */
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

/** Declares one root field. With an address it is callable from the JSON API, classic RPC and MCP as well. */
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
