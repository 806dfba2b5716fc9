import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLFieldResolver,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { AppError, errors } from '../../errors.ts';
import { assertModelAccess } from '../access/access.ts';
import { getModel } from '../access/create-statement.ts';
import { runAudited } from '../ctx/audit.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { AuthKind, Policy } from '../model/policy.ts';
import type { Guest, Principal } from '../model/principal.ts';
import { getRole } from '../model/roles.ts';

export function evaluatePolicy(
  policy: Policy,
  { principal, guest, workspace }: PolicyCaller,
): AppError | null {
  if (!principal && !(guest && admitsGuest(policy, guest))) return errors.noCredential();
  return (
    (principal && findPrincipalError(policy, principal)) ??
    (policy.feature && !workspace.features.has(policy.feature) ? errors.featureOff(policy.feature) : null)
  );
}

type PolicyCaller = Pick<Ctx, 'principal' | 'guest'> & { workspace: { features: ReadonlySet<string> } };

const admitsGuest = ({ auth, link }: Policy, guest: Guest): boolean =>
  auth.includes(guest.kind) && (guest.kind !== 'LINK' || guest.link === link);

function findPrincipalError(policy: Policy, principal: Principal): AppError | null {
  if (!policy.auth.some((auth) => matchesAuth(auth, principal)))
    return errors.notAllowed(
      `This requires ${policy.auth.map(describeAuth).join(' or ')}.${describeRemedy(policy, principal)}`,
    );
  if (principal.scopes && !principal.scopes.some((scope) => scope === policy.scope || scope === 'write')) {
    return errors.scopeNeeded(policy.scope);
  }
  return null;
}

export const canCall = (ctx: Ctx, policy: Policy): boolean => findCallError(ctx, policy) === null;

const findCallError = (ctx: Ctx, policy: Policy): AppError | null =>
  evaluatePolicy(policy, ctx) ?? findAccessError(ctx, policy);

function findAccessError(ctx: Ctx, { access }: Policy): AppError | null {
  if (!access) return null;
  const [model, right] = access;
  try {
    assertModelAccess(ctx, getModel(ctx, model), right);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** @throws AppError if the caller may not use an operation with this policy */
export function assertCanCall(ctx: Ctx, policy: Policy): void {
  const error = findCallError(ctx, policy);
  if (error) throw error;
}

/** A key never matches ANYONE, LINK or SIGNED, which are kinds of guests. */
function matchesAuth(auth: AuthKind, { kind, groups }: Principal): boolean {
  switch (auth) {
    case 'USER':
      return kind === 'user';
    case 'ADMIN':
      return kind === 'user' && groups.has(getRole('administrators'));
    case 'TEAM':
      return kind === 'workspace';
    default:
      return false;
  }
}

const describeAuth = (auth: AuthKind): string => AUTH_DESCRIPTIONS[auth];

/** Explains how the caller can get the missing permission, unless the permission's name makes that obvious. */
function describeRemedy({ auth }: Policy, { kind }: Principal): string {
  const isForAdmins = auth.includes('ADMIN');
  if (kind === 'user')
    return isForAdmins ? ' An administrator of the workspace can give it to your user.' : '';
  if (isForAdmins) return ' A key of the workspace has no role: use the key of a user who has it.';
  return auth.includes('USER') ? " This key is the workspace's own: use one that belongs to a user." : '';
}

const AUTH_DESCRIPTIONS: Record<AuthKind, string> = {
  ANYONE: 'a request without a key or session',
  USER: "a user's key",
  ADMIN: 'the Administrator role',
  TEAM: "the workspace's own key",
  LINK: 'a signed link',
  SIGNED: 'a signed message',
};

const text = { type: GraphQLString };
const locations = [DirectiveLocation.FIELD_DEFINITION];

export const policyDirectives = [
  new GraphQLDirective({
    name: 'auth',
    locations,
    description: 'Kinds of callers that may use the field. For LINK, `link` is the kind of signed link.',
    args: {
      requires: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))) },
      link: text,
    },
  }),
  new GraphQLDirective({
    name: 'scope',
    locations,
    description: 'The scope that a restricted key requires.',
    args: { name: text },
  }),
  new GraphQLDirective({
    name: 'feature',
    locations,
    description: 'The workspace feature that must be enabled.',
    args: { key: text },
  }),
  new GraphQLDirective({
    name: 'audit',
    locations,
    description: 'The security event written to the audit trail.',
    args: { event: text },
  }),
];

export function buildPolicyDirectives(policy: Policy): Record<string, object> {
  return {
    auth: { requires: policy.auth, ...(policy.link && { link: policy.link }) },
    scope: { name: policy.scope },
    ...(policy.feature && { feature: { key: policy.feature } }),
    ...(policy.audit && { audit: { event: policy.audit } }),
  };
}

const ROOT_TYPES = new Set(['Query', 'Mutation', 'Subscription']);

/**
 * Wraps a root field's resolver with its policy check and, if the policy names an event, an audit entry. Clears loaded
 * data before a mutation, because an earlier mutation in the same document may have changed it.
 */
export function guardResolver(
  policy: Policy,
  resolver: GraphQLFieldResolver<unknown, Ctx>,
): GraphQLFieldResolver<unknown, Ctx> {
  return (parent, args, ctx, info) => {
    // Calls in this process have no document.
    if (info?.operation.operation === 'mutation') ctx.loaded.clear();
    const error = findCallError(ctx, policy);
    // Anonymous callers have no workspace, and therefore no audit trail.
    if (!policy.audit || !(ctx.principal || ctx.guest)) {
      if (error) throw error;
      return resolver(parent, args, ctx, info);
    }
    const run = async (inner: Ctx) => {
      if (error) throw error;
      return resolver(parent, args, inner, info);
    };
    const { guest } = ctx;
    const recordedArgs = guest?.kind === 'LINK' ? { ...args, subject: guest.subject } : args;
    return resolveDeferred(
      ctx,
      runAudited(ctx, policy.audit, recordedArgs, run, !policy.waits || error !== null),
    );
  };
}

/** A response that is read after the audited transaction has committed. */
class DeferredResult {
  readonly make: (ctx: Ctx) => unknown;
  constructor(make: (ctx: Ctx) => unknown) {
    this.make = make;
  }
}

/** Defers a response until the ctx's transaction has committed, because it uses another connection. */
export const deferUntilCommit = (ctx: Ctx, make: (ctx: Ctx) => unknown): unknown =>
  ctx.db === ctx.requestDb ? make(ctx) : new DeferredResult(make);

async function resolveDeferred(ctx: Ctx, pendingResult: Promise<unknown>): Promise<unknown> {
  const result = await pendingResult;
  return result instanceof DeferredResult ? result.make(ctx) : result;
}

/** A LINK policy requires a kind of link. A signed message has no workspace, and therefore no audit trail (ADR 11). */
function assertPolicy(field: string, { auth, link, audit }: Policy): void {
  if (auth.includes('LINK') !== (link !== undefined))
    throw new Error(`${field}: LINK must be combined with a kind of link, and other policies must not`);
  if (auth.includes('SIGNED') && audit)
    throw new Error(
      `${field}: audit cannot be combined with SIGNED, because a signed message has no workspace`,
    );
}

/** Applies policies to root fields when the schema is built. A root field without a policy fails the build. */
class PolicyPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (!ROOT_TYPES.has(config.parentType)) return config;
    const policy = config.pothosOptions.policy;
    if (!policy) throw new Error(`${config.parentType}.${config.name} declares no policy`);
    assertPolicy(`${config.parentType}.${config.name}`, policy);
    return {
      ...config,
      extensions: { ...config.extensions, policy, directives: buildPolicyDirectives(policy) },
    };
  }

  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    // GraphQL extensions are untyped. `onOutputFieldConfig` has set this one.
    const policy = config.extensions?.policy as Policy | undefined;
    if (!policy) return resolver;
    // Plugins are generic over the schema's context, which is a Ctx here (see builder.ts).
    if (config.kind === 'Subscription')
      return guardResolver({ ...policy, audit: undefined }, resolver as never) as never;
    return guardResolver(policy, resolver as never) as never;
  }

  /** Checks and audits a subscription when it starts. The resolver repeats the check for each event. */
  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    const policy = config.extensions?.policy as Policy | undefined;
    return policy && subscribe ? (guardResolver(policy, subscribe as never) as never) : subscribe;
  }
}

SchemaBuilder.registerPlugin('policy', PolicyPlugin);

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      policy: PolicyPlugin<Types>;
    }
    export interface FieldOptions {
      policy?: Policy;
    }
  }
}
