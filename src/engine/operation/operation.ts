import type { ArgBuilder, InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql';
import { type AppError, errors } from '../../errors.ts';
import { tracing } from '../../trace.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { toSnakeCase } from '../model/datamodel.ts';
import { hasOnlyReads, type OperationEffects } from '../model/effects.ts';
import type { FieldConditions } from '../model/model.ts';
import type { Policy } from '../model/policy.ts';
import { RawJson } from '../value/raw-json.ts';
import { builder } from './builder.ts';
import { guardResolver } from './policy.ts';

type BuilderTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** Button that runs an operation from the form of a record. */
interface FormAction<ArgumentName extends string = string> {
  /** Verb, translated in `schema/i18n`. */
  label: string;
  /** Records that the action is offered for. All records by default. */
  offeredFor?: FieldConditions;
  /** True for the usual next step, whose button comes first. */
  isPrimary?: boolean;
  /** Question to confirm, translated in `schema/i18n`. Required if the operation deletes or sends. */
  question?: string;
  /** Optional arguments that a dialog asks for, such as the reason of a loss. */
  asks?: Partial<Record<ArgumentName, AskedArgument>>;
}

interface AskedArgument {
  /** Noun, translated in `schema/i18n`. */
  label: string;
  /** Model of the record to choose. Without one, the argument is a text. */
  relation?: string;
}

/**
 * Declaration of an operation. `Args` are Pothos arguments in camelCase. Facades that call the operation by address use
 * the same names in snake_case (`valsList` is `vals_list`). An operation on records has an argument `ids`. Record ids
 * are declared with `arg.recordId()` or `arg.recordIds()`: `ID` in GraphQL, a number for `run` and in other facades.
 */
interface OperationSpec<Args extends InputFieldMap, Value> {
  /** `model.name/method`. With the model `*`, every model has the method, and the operation has an argument `model`. */
  address?: `${string}/${string}`;
  /** All effects that the operation can have, regardless of its arguments. If it only reads, it is a query. */
  effects: OperationEffects;
  /** MCP tool that previews the operation. Agents must use this tool instead of the address to change data. */
  tool?: string;
  /** MCP tools that can have the same effects. Connections without one of them cannot call the operation. */
  standsFor?: readonly string[];
  closedToAgents?: boolean;
  /** Model of an operation without an address. Workspaces without the model's app do not have the operation. */
  about?: string;
  policy: Policy;
  description: string;
  deprecated?: string;
  args: (arg: ArgBuilder<BuilderTypes>) => Args;
  /** GraphQL type of the result. JSON if the caller chooses the shape. */
  type?: Parameters<typeof builder.objectRef>[0] | object;
  /** Type of the value that facades receive and document, if it differs from `type`. */
  returns?: GraphQLOutputType;
  nullable?: boolean;
  /** Limits a method of the model `*` to models with this field. */
  needs?: string;
  /** True if a call without ids is an error. */
  onRecords?: boolean;
  /** Offers the operation in forms, which pass the record's id as `ids` and only the arguments that they ask for. */
  formAction?: FormAction<NoInfer<keyof Args & string>>;
  /** Model of the returned ids, if it differs from the model of the address. */
  records?: string;
  /** Deprecated argument names and their replacements, as facades spell them. Not documented. */
  aliases?: Record<string, string>;
  /** Returns the value for facades in this process, in the format that their clients expect. */
  run(ctx: Ctx, args: InputShapeFromFields<Args>): Value | Promise<Value>;
  /**
   * Returns the response for GraphQL clients, such as the changed records, from the value of `run`. Must be declared
   * after `run`, from which TypeScript infers its types.
   */
  answer?(
    ctx: Ctx,
    value: NoInfer<Value>,
    args: InputShapeFromFields<Args>,
    info: GraphQLResolveInfo,
  ): unknown;
  /** Returns a query's response for GraphQL clients, if it does not need the value of `run`. */
  read?(ctx: Ctx, args: InputShapeFromFields<Args>, info: GraphQLResolveInfo): unknown;
  /** Returns the result of a call by address with an invalid argument value. By default, the call fails. */
  reject?(error: AppError): unknown;
}

type KeptParts =
  | 'policy'
  | 'description'
  | 'needs'
  | 'effects'
  | 'tool'
  | 'standsFor'
  | 'closedToAgents'
  | 'records'
  | 'onRecords'
  | 'formAction'
  | 'reject';

export interface Operation extends Pick<OperationSpec<InputFieldMap, unknown>, KeptParts> {
  name: string;
  kind: 'query' | 'mutation';
  model: string | null;
  method: string | null;
  about?: string | null;
  /** Type of the value of `run`, if it differs from the field's type. */
  returns: GraphQLOutputType | null;
  aliases: Record<string, string>;
  /** Checks the operation's policy and runs it. */
  run(args: Record<string, unknown>, ctx: Ctx): unknown;
}

export const operations = new Map<string, Operation>();

/** Calls from facades in this process have no document. */
const NO_RESOLVE_INFO = undefined as unknown as GraphQLResolveInfo;

/** Carries the argument and value types of a declaration. */
interface DeclaredOperation<Args, Value> {
  name: string;
  /** Used only for types. Never set at run time. */
  types?: { args: Args; value: Value };
}

/** Argument and value types of all operations, by name. boot/operations.ts adds the entries. */
// biome-ignore lint/suspicious/noEmptyInterface: declarations are merged into it
export interface Operations {}

/** Entry of `Operations` for the result of `defineOperation`. */
export type OperationOf<D extends { types?: { args: unknown; value: unknown } }> = NonNullable<D['types']>;

/** Entry of `Operations` for a declaration that is not exported. Only its name is checked. */
export interface UntypedOperation {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's types are not exported
  args: any;
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's types are not exported
  value: any;
}

/** Maximum number of strings in a list argument. Operations compare or look up each string. */
export const MAX_LIST_STRINGS = 10_000;

/** @throws BAD_VALUE */
export function assertListSizes(args: Record<string, unknown>): void {
  for (const name in args) {
    const value = args[name];
    if (Array.isArray(value) && typeof value[0] === 'string' && value.length > MAX_LIST_STRINGS)
      throw errors.wrongArgument(toSnakeCase(name), `must have at most ${MAX_LIST_STRINGS} items`);
  }
}

/** Declares a root field. With an address, it can also be called from the JSON API, classic RPC and MCP. */
export function defineOperation<Args extends InputFieldMap, Value>(
  name: string,
  spec: OperationSpec<Args, Value>,
): DeclaredOperation<InputShapeFromFields<Args>, Value> {
  const [model = null, method = null] = spec.address?.split('/') ?? [];
  const about = model ?? spec.about ?? null;
  assertEffects(name, spec.effects);
  const kind = hasOnlyReads(spec.effects) ? 'query' : 'mutation';
  const run = (ctx: Ctx, args: InputShapeFromFields<Args>) => {
    rejectAbsentModel(ctx, about);
    assertListSizes(args as Record<string, unknown>);
    if (spec.onRecords && (args as { ids: unknown[] }).ids.length === 0)
      throw errors.badValue(`${method} requires at least one record (ids).`);
    return tracing.now
      ? tracing.now.runSpan({ name: `operation ${name}`, attributes: buildTraceAttributes(ctx) }, () =>
          spec.run(ctx, args),
        )
      : spec.run(ctx, args);
  };
  // The arguments have been validated against `spec.args`, so they have the type `Args`.
  const guardedRun = guardResolver(spec.policy, (_parent, args, ctx) => run(ctx, args as never));
  operations.set(name, {
    ...spec,
    name,
    kind,
    model,
    method,
    about,
    returns: spec.returns ?? null,
    aliases: spec.aliases ?? {},
    run: (args, ctx) => guardedRun(undefined, args, ctx, NO_RESOLVE_INFO),
  });
  const field = (t: PothosSchemaTypes.RootFieldBuilder<BuilderTypes, unknown>) =>
    t.field({
      // The generic type cannot match Pothos's precise type. The result type is checked when the schema is built.
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
  // Both methods accept the field. Their types differ only in the parent's name.
  if (kind === 'query') builder.queryField(name, field as never);
  else builder.mutationField(name, field as never);
  return { name };
}

/**
 * Checks effects at run time, because apps may be plain JavaScript.
 * @throws Error if the effects are missing
 */
function assertEffects(name: string, effects: OperationEffects): void {
  if (!effects?.length) throw new Error(`${name}: declares no effects`);
}

/**
 * Rejects operations of a model whose app the workspace does not have.
 * @throws NOT_FOUND_MODEL
 */
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

/** An argument, and the name that facades use for it. */
export interface Parameter {
  name: string;
  arg: GraphQLArgument;
}

/**
 * Returns true if the method's first argument is `ids`, the records that it acts on. In other methods, `ids` is an
 * ordinary argument.
 */
export const takesIds = ({ args }: MethodField): boolean =>
  args.find(({ name }) => name !== 'model')?.name === 'ids';

/** Returns true for the argument `model` of a method that every model has. The address contains its value. */
export const isAddressModel = ({ model }: Pick<Operation, 'model'>, { name }: GraphQLArgument): boolean =>
  name === 'model' && model === '*';

/**
 * Lists the arguments that a caller passes, in positional order. Excludes the model in the address, and the `ids` that
 * the method acts on.
 */
export const listParameters = (operation: Operation, method: MethodField): Parameter[] =>
  method.args
    .filter((arg) => !isAddressModel(operation, arg) && !(arg.name === 'ids' && takesIds(method)))
    .map((arg) => ({ name: toSnakeCase(arg.name), arg }));
