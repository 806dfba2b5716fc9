import type { ArgBuilder, InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql';
import { errors } from '../../errors.ts';
import { tracing } from '../../trace.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { toSnakeCase } from '../model/datamodel.ts';
import { hasOnlyReads, type OperationEffects } from '../model/effects.ts';
import type { Policy } from '../model/policy.ts';
import { RawJson } from '../value/raw-json.ts';
import { builder } from './builder.ts';
import { guardResolver } from './policy.ts';

type BuilderTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/**
 * Declaration of a verb. `Args` are Pothos arguments; a verb that acts on records has one named `ids`. The names of
 * arguments are camelCase; at an address the other doors call them by the same name in snake_case (`valsList` is
 * `vals_list`). An id of a record is `arg.recordId()`, several are `arg.recordIds()`: `ID` in GraphQL, a number for
 * `run` and at the other doors.
 */
interface VerbSpec<Args extends InputFieldMap, Value> {
  kind: 'query' | 'mutation';
  /** `model.name/method`; with the model `*` every model has the method and the verb takes an argument `model`. */
  address?: `${string}/${string}`;
  /** Everything it does, whatever its arguments (see effects.ts). */
  effects: OperationEffects;
  /** The MCP tool for it. Agents change data with that tool, which has the preview, and not by the address. */
  tool?: string;
  /** Agents cannot call it by its address. */
  closedToAgents?: boolean;
  /** Without an address: the model it is about. A workspace that lacks its app does not have the verb. */
  about?: string;
  policy: Policy;
  description: string;
  /** For GraphQL clients: what to use instead. */
  deprecated?: string;
  args: (arg: ArgBuilder<BuilderTypes>) => Args;
  /** GraphQL type of the result; JSON if the caller chooses the shape. */
  type?: Parameters<typeof builder.objectRef>[0] | object;
  /** Type of the value that doors get, where it is another; their own documentation shows it. */
  returns?: GraphQLOutputType;
  nullable?: boolean;
  /** For the model `*`: only models with this field have the method. */
  needs?: string;
  /** A call without ids is an error. */
  onRecords?: boolean;
  /** Model of the records whose ids the value is, where it is not that of the address. */
  records?: string;
  /** Argument names of older clients and the current name of each, both as doors spell them; undocumented. */
  aliases?: Record<string, string>;
  /** What the doors in this process get: the value in the form of their clients. */
  run(ctx: Ctx, args: InputShapeFromFields<Args>): Value | Promise<Value>;
  /**
   * What a GraphQL client gets instead, from the value of `run`: such as the records that were changed. It stands
   * after `run`, which its types follow from.
   */
  answer?(
    ctx: Ctx,
    value: NoInfer<Value>,
    args: InputShapeFromFields<Args>,
    info: GraphQLResolveInfo,
  ): unknown;
  /** What a GraphQL client of a query gets, where nothing of what `run` reads is needed for it. */
  read?(ctx: Ctx, args: InputShapeFromFields<Args>, info: GraphQLResolveInfo): unknown;
}

/** A declared verb, as call.ts and the doors find it. */
export interface Verb {
  name: string;
  kind: 'query' | 'mutation';
  model: string | null;
  method: string | null;
  /** Model that the workspace must have. */
  about?: string | null;
  policy: Policy;
  description: string;
  /** Type of the value that `run` gives, where the field's is another. */
  returns: GraphQLOutputType | null;
  needs?: string | null;
  aliases: Record<string, string>;
  effects: OperationEffects;
  tool?: string;
  closedToAgents?: boolean;
  records?: string;
  /** `run` under the policy of the verb. */
  run(args: Record<string, unknown>, ctx: Ctx): unknown;
}

export const verbs = new Map<string, Verb>();

/** No document is looked at where a door in this process calls. */
const NO_RESOLVE_INFO = undefined as unknown as GraphQLResolveInfo;

/** What a declaration is known by to the compiler: the arguments that `run` takes and the value it gives. */
interface DeclaredOperation<Args, Value> {
  name: string;
  /** Types alone; there is nothing in it. */
  types?: { args: Args; value: Value };
}

/** Every verb by name with the types of its arguments and of its value; boot/verbs.ts fills it in. */
// biome-ignore lint/suspicious/noEmptyInterface: declarations are merged into it
export interface Verbs {}

/** An entry of `Verbs`, from what `verb` gives. */
export type VerbOf<D extends { types?: { args: unknown; value: unknown } }> = NonNullable<D['types']>;

/** An entry of `Verbs` for a declaration that is not exported: only its name is checked. */
export interface UntypedVerb {
  // biome-ignore lint/suspicious/noExplicitAny: nothing is known of it
  args: any;
  // biome-ignore lint/suspicious/noExplicitAny: nothing is known of it
  value: any;
}

/** A verb and the arguments to call it with. */
export type VerbCall = { [Name in keyof Verbs]: { verb: Name; variables: Verbs[Name]['args'] } }[keyof Verbs];

/** Declares a root field. With an address it can also be called from the JSON API, classic RPC and MCP. */
export function verb<Args extends InputFieldMap, Value>(
  name: string,
  spec: VerbSpec<Args, Value>,
): DeclaredOperation<InputShapeFromFields<Args>, Value> {
  const [model = null, method = null] = spec.address?.split('/') ?? [];
  const about = model ?? spec.about ?? null;
  assertEffects(name, spec);
  const run = (ctx: Ctx, args: InputShapeFromFields<Args>) => {
    rejectAbsentModel(ctx, about);
    if (spec.onRecords && (args as { ids: unknown[] }).ids.length === 0)
      throw errors.badValue(`Expected at least one record for ${method} (ids).`);
    return tracing.now
      ? tracing.now.runSpan({ name: `verb ${name}`, attributes: buildTraceAttributes(ctx) }, () =>
          spec.run(ctx, args),
        )
      : spec.run(ctx, args);
  };
  // The arguments have been checked against `spec.args`, which `Args` is the type of.
  const guardedRun = guardResolver(spec.policy, (_parent, args, ctx) => run(ctx, args as never));
  verbs.set(name, {
    name,
    kind: spec.kind,
    model,
    method,
    about,
    policy: spec.policy,
    description: spec.description,
    returns: spec.returns ?? null,
    needs: spec.needs ?? null,
    aliases: spec.aliases ?? {},
    effects: spec.effects,
    tool: spec.tool,
    closedToAgents: spec.closedToAgents,
    records: spec.records,
    run: (args, ctx) => guardedRun(undefined, args, ctx, NO_RESOLVE_INFO),
  });
  const field = (t: PothosSchemaTypes.RootFieldBuilder<BuilderTypes, unknown>) =>
    t.field({
      // Verbs of a generic type meet Pothos' precise one here: the result's type is checked when the schema is built.
      type: (spec.type ?? 'JSON') as 'JSON',
      nullable: spec.nullable ?? false,
      description: spec.description,
      deprecationReason: spec.deprecated,
      policy: spec.policy,
      args: spec.args(t.arg),
      resolve: async (_parent: unknown, args: unknown, ctx: Ctx, info: GraphQLResolveInfo) => {
        const given = args as InputShapeFromFields<Args>;
        if (spec.read) return spec.read(ctx, given, info);
        const value = await run(ctx, given);
        if (spec.answer) return spec.answer(ctx, value, given, info);
        return value instanceof RawJson && spec.type ? value.value() : value;
      },
    } as never);
  // Both take the same field; only the name of its parent differs in their types.
  if (spec.kind === 'query') builder.queryField(name, field as never);
  else builder.mutationField(name, field as never);
  return { name };
}

/** Apps may be plain JavaScript. @throws Error for effects that are missing or are those of the other kind */
function assertEffects(
  name: string,
  { kind, effects }: { kind: Verb['kind']; effects: OperationEffects },
): void {
  if (!effects?.length || hasOnlyReads(effects) !== (kind === 'query'))
    throw new Error(`${name}: a ${kind} has the effects [${effects ?? ''}]`);
}

/** A workspace that does not have the app of a model has none of its verbs. @throws NOT_FOUND_MODEL */
function rejectAbsentModel({ catalog, runtime }: Ctx, model: string | null): void {
  if (model && runtime.registry.has(model) && !catalog.registry.has(model)) throw errors.unknownModel(model);
}

/** What a trace says of a call. */
const buildTraceAttributes = ({ workspace, channel }: Ctx) => ({
  'atrium.workspace': workspace.slug,
  'atrium.channel': channel,
});

/** The field of the schema that a verb has become. */
export type RootField = GraphQLField<unknown, unknown>;

export function getRootField(schema: GraphQLSchema, { kind, name }: Verb): RootField {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return root!.getFields()[name]!;
}

type MethodField = Pick<RootField, 'args'>;

/** An argument under the name that doors give it. */
export interface Parameter {
  name: string;
  arg: GraphQLArgument;
}

/** Whether the method acts on given records: its first argument is then `ids`. Elsewhere `ids` is one like others. */
export const takesIds = ({ args }: MethodField): boolean =>
  args.find(({ name }) => name !== 'model')?.name === 'ids';

/** Whether the argument is the model that the address names, at a method that every model has. */
export const isAddressModel = ({ model }: Pick<Verb, 'model'>, { name }: GraphQLArgument): boolean =>
  name === 'model' && model === '*';

/**
 * What a caller gives the method, in positional order: the address says the model, and `ids` are what it is called on.
 */
export const listParameters = (verb: Verb, method: MethodField): Parameter[] =>
  method.args
    .filter((arg) => !isAddressModel(verb, arg) && !(arg.name === 'ids' && takesIds(method)))
    .map((arg) => ({ name: toSnakeCase(arg.name), arg }));
