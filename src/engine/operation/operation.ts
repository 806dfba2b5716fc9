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
 * Declaration of an operation. `Args` are Pothos arguments. An operation on records has one named `ids`. Argument names
 * are camelCase. Facades that call it by address use the same names in snake_case (`valsList` is `vals_list`). A record
 * id is `arg.recordId()`, several are `arg.recordIds()`: `ID` in GraphQL, a number for `run` and in other facades.
 */
interface OperationSpec<Args extends InputFieldMap, Value> {
  kind: 'query' | 'mutation';
  /** `model.name/method`. With the model `*`, every model has the method and the operation has an argument `model`. */
  address?: `${string}/${string}`;
  /** Everything the operation can do with any arguments. */
  effects: OperationEffects;
  /**
   * The operation's MCP tool, which shows a preview. To change data, agents must use this tool instead of the address.
   */
  tool?: string;
  /** Agents cannot call it by its address. */
  closedToAgents?: boolean;
  /** The model of an operation without an address. The operation is missing in workspaces without the model's app. */
  about?: string;
  policy: Policy;
  description: string;
  /** For GraphQL clients: what to use instead. */
  deprecated?: string;
  args: (arg: ArgBuilder<BuilderTypes>) => Args;
  /** GraphQL type of the result. JSON if the caller chooses the shape. */
  type?: Parameters<typeof builder.objectRef>[0] | object;
  /** Type of the value for facades, if it differs. The facades' own documentation shows it. */
  returns?: GraphQLOutputType;
  nullable?: boolean;
  /** For the model `*`: only models with this field have the method. */
  needs?: string;
  /** A call without ids is an error. */
  onRecords?: boolean;
  /** Model of the records whose ids are returned, if it differs from the model of the address. */
  records?: string;
  /** Deprecated argument names and their current names, both as facades spell them. Not documented. */
  aliases?: Record<string, string>;
  /** Returns the value for facades in this process, in the format that their clients expect. */
  run(ctx: Ctx, args: InputShapeFromFields<Args>): Value | Promise<Value>;
  /**
   * Returns the response for GraphQL clients, based on the value of `run`, such as the changed records. Must be
   * declared after `run`, from which its types are inferred.
   */
  answer?(
    ctx: Ctx,
    value: NoInfer<Value>,
    args: InputShapeFromFields<Args>,
    info: GraphQLResolveInfo,
  ): unknown;
  /** Returns the response of a query for GraphQL clients, if it needs nothing that `run` would read. */
  read?(ctx: Ctx, args: InputShapeFromFields<Args>, info: GraphQLResolveInfo): unknown;
}

export interface Operation {
  name: string;
  kind: 'query' | 'mutation';
  model: string | null;
  method: string | null;
  /** The workspace must have this model. */
  about?: string | null;
  policy: Policy;
  description: string;
  /** Type of the value of `run`, if it differs from the field's type. */
  returns: GraphQLOutputType | null;
  needs?: string | null;
  aliases: Record<string, string>;
  effects: OperationEffects;
  tool?: string;
  closedToAgents?: boolean;
  records?: string;
  /** `run` with the operation's policy check. */
  run(args: Record<string, unknown>, ctx: Ctx): unknown;
}

export const operations = new Map<string, Operation>();

/** Calls from facades in this process have no document. */
const NO_RESOLVE_INFO = undefined as unknown as GraphQLResolveInfo;

/** Carries the types of a declaration: the arguments of `run` and its value. */
interface DeclaredOperation<Args, Value> {
  name: string;
  /** Only for types. Never set at run time. */
  types?: { args: Args; value: Value };
}

/** All operations by name, with the types of their arguments and values. Filled in by boot/operations.ts. */
// biome-ignore lint/suspicious/noEmptyInterface: declarations are merged into it
export interface Operations {}

/** An entry of `Operations` from the result of `defineOperation`. */
export type OperationOf<D extends { types?: { args: unknown; value: unknown } }> = NonNullable<D['types']>;

/** An entry of `Operations` for a declaration that is not exported. Only its name is checked. */
export interface UntypedOperation {
  // biome-ignore lint/suspicious/noExplicitAny: nothing is known of it
  args: any;
  // biome-ignore lint/suspicious/noExplicitAny: nothing is known of it
  value: any;
}

/** Declares a root field. With an address it can also be called from the JSON API, classic RPC and MCP. */
export function defineOperation<Args extends InputFieldMap, Value>(
  name: string,
  spec: OperationSpec<Args, Value>,
): DeclaredOperation<InputShapeFromFields<Args>, Value> {
  const [model = null, method = null] = spec.address?.split('/') ?? [];
  const about = model ?? spec.about ?? null;
  assertEffects(name, spec);
  const run = (ctx: Ctx, args: InputShapeFromFields<Args>) => {
    rejectAbsentModel(ctx, about);
    if (spec.onRecords && (args as { ids: unknown[] }).ids.length === 0)
      throw errors.badValue(`Expected at least one record for ${method} (ids).`);
    return tracing.now
      ? tracing.now.runSpan({ name: `operation ${name}`, attributes: buildTraceAttributes(ctx) }, () =>
          spec.run(ctx, args),
        )
      : spec.run(ctx, args);
  };
  // The arguments were validated against `spec.args`, so they have the type `Args`.
  const guardedRun = guardResolver(spec.policy, (_parent, args, ctx) => run(ctx, args as never));
  operations.set(name, {
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
      // The generic type cannot match Pothos' precise type here. The result's type is checked when the schema is built.
      type: (spec.type ?? 'JSON') as 'JSON',
      nullable: spec.nullable ?? false,
      description: spec.description,
      deprecationReason: spec.deprecated,
      policy: spec.policy,
      args: spec.args(t.arg),
      resolve: async (_parent: unknown, args: unknown, ctx: Ctx, info: GraphQLResolveInfo) => {
        const typedArgs = args as InputShapeFromFields<Args>;
        if (spec.read) return spec.read(ctx, typedArgs, info);
        const value = await run(ctx, typedArgs);
        if (spec.answer) return spec.answer(ctx, value, typedArgs, info);
        return value instanceof RawJson && spec.type ? value.value() : value;
      },
    } as never);
  // Both accept the same field. Their types differ only in the parent's name.
  if (spec.kind === 'query') builder.queryField(name, field as never);
  else builder.mutationField(name, field as never);
  return { name };
}

/**
 * Checks the effects at run time, because apps may be plain JavaScript.
 * @throws Error if effects are missing or do not match the kind
 */
function assertEffects(
  name: string,
  { kind, effects }: { kind: Operation['kind']; effects: OperationEffects },
): void {
  if (!effects?.length || hasOnlyReads(effects) !== (kind === 'query'))
    throw new Error(`${name}: a ${kind} has the effects [${effects ?? ''}]`);
}

/** A workspace without a model's app does not have the model's operations. @throws NOT_FOUND_MODEL */
function rejectAbsentModel({ catalog, runtime }: Ctx, model: string | null): void {
  if (model && runtime.registry.has(model) && !catalog.registry.has(model)) throw errors.unknownModel(model);
}

const buildTraceAttributes = ({ workspace, channel }: Ctx) => ({
  'atrium.workspace': workspace.slug,
  'atrium.channel': channel,
});

export type RootField = GraphQLField<unknown, unknown>;

export function getRootField(schema: GraphQLSchema, { kind, name }: Operation): RootField {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return root!.getFields()[name]!;
}

type MethodField = Pick<RootField, 'args'>;

/** An argument under the name that facades use. */
export interface Parameter {
  name: string;
  arg: GraphQLArgument;
}

/**
 * Returns true if the method acts on given records, so that its first argument is `ids`. In other methods, `ids` is an
 * ordinary argument.
 */
export const takesIds = ({ args }: MethodField): boolean =>
  args.find(({ name }) => name !== 'model')?.name === 'ids';

/** Returns true if the argument is the model from the address, for a method that every model has. */
export const isAddressModel = ({ model }: Pick<Operation, 'model'>, { name }: GraphQLArgument): boolean =>
  name === 'model' && model === '*';

/**
 * Lists the arguments that a caller passes, in positional order. Excludes the model, which the address contains, and
 * the `ids` that the method is called on.
 */
export const listParameters = (operation: Operation, method: MethodField): Parameter[] =>
  method.args
    .filter((arg) => !isAddressModel(operation, arg) && !(arg.name === 'ids' && takesIds(method)))
    .map((arg) => ({ name: toSnakeCase(arg.name), arg }));
