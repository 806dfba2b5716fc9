import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLFieldResolver,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { type AppError, errors } from '../../errors.ts';
import { audited } from '../ctx/audit.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Principal } from '../model/principal.ts';
import { roleOf } from '../model/roles.ts';

/** Who may call: a user, an administrator, the workspace itself (a team key). */
type Auth = 'USER' | 'ADMIN' | 'TEAM';

/** Policy of one root field; printed on it as `@auth @scope @feature @audit`. */
export interface Policy {
  /** Any one of them suffices. */
  auth: Auth[];
  /** `send` is a part of `write`: a key for sending may do that and nothing else. */
  scope: 'read' | 'write' | 'send';
  feature?: string;
  /** Name of the security event to write, when the verb is one. */
  audit?: string;
  /** It waits for a provider, so no transaction is around it and its line in the audit trail. */
  waits?: boolean;
}

/** Why the principal may not call a verb with this policy; null when it may. Pure. */
function decide(policy: Policy, principal: Principal | null, features: ReadonlySet<string>): AppError | null {
  if (!principal) return errors.noCredential();
  if (!policy.auth.some((auth) => holds(auth, principal)))
    return errors.notAllowed(`This needs ${policy.auth.map(describe).join(' or ')}.`);
  if (principal.scopes && !principal.scopes.some((scope) => scope === policy.scope || scope === 'write')) {
    return errors.notAllowed(`This needs the scope ${policy.scope}, which the key does not have.`);
  }
  if (policy.feature && !features.has(policy.feature)) return errors.featureOff(policy.feature);
  return null;
}

/** Whether the ctx's principal may call a verb with this policy. */
export const mayCall = ({ principal, workspace }: Ctx, policy: Policy): boolean =>
  decide(policy, principal, workspace.features) === null;

function holds(auth: Auth, principal: Principal): boolean {
  if (auth === 'TEAM') return principal.kind === 'workspace';
  if (principal.kind !== 'user') return false;
  return auth === 'USER' || principal.groups.has(roleOf('administrators'));
}

const describe = (auth: Auth): string =>
  ({ USER: "a user's key", ADMIN: 'the Administrator role', TEAM: "the workspace's own key" })[auth];

const text = { type: GraphQLString };
const locations = [DirectiveLocation.FIELD_DEFINITION];

/** The directives of a policy, as the SDL shows them. */
export const policyDirectives = [
  new GraphQLDirective({
    name: 'auth',
    locations,
    description: 'Who may call the field; any one suffices.',
    args: { requires: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))) } },
  }),
  new GraphQLDirective({
    name: 'scope',
    locations,
    description: 'The scope a narrowed key needs.',
    args: { name: text },
  }),
  new GraphQLDirective({
    name: 'feature',
    locations,
    description: 'The feature of the workspace that must be on.',
    args: { key: text },
  }),
  new GraphQLDirective({
    name: 'audit',
    locations,
    description: 'The security event that is recorded.',
    args: { event: text },
  }),
];

/** The policy as the schema's text shows it. */
export function directivesOf(policy: Policy): Record<string, object> {
  return {
    auth: { requires: policy.auth },
    scope: { name: policy.scope },
    ...(policy.feature && { feature: { key: policy.feature } }),
    ...(policy.audit && { audit: { event: policy.audit } }),
  };
}

const ROOTS = new Set(['Query', 'Mutation']);

/** A resolver behind its policy, with the line in the audit trail that the policy asks for. */
export function guarded(
  policy: Policy,
  resolver: GraphQLFieldResolver<unknown, Ctx>,
): GraphQLFieldResolver<unknown, Ctx> {
  return (parent, args, ctx, info) => {
    const refusal = decide(policy, ctx.principal, ctx.workspace.features);
    // Nobody has no workspace whose trail could tell of it.
    if (!policy.audit || !ctx.principal) {
      if (refusal) throw refusal;
      return resolver(parent, args, ctx, info);
    }
    const run = async (inner: Ctx) => {
      if (refusal) throw refusal;
      return resolver(parent, args, inner, info);
    };
    return audited(ctx, policy.audit, args, run, !policy.waits);
  };
}

/** Puts the policy around every root field at schema build; a root field without one stops the build. */
class PolicyPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (config.kind === 'Subscription')
      throw new Error(`Subscription.${config.name}: policies do not reach subscriptions`);
    if (!ROOTS.has(config.parentType)) return config;
    const policy = config.pothosOptions.policy;
    if (!policy) throw new Error(`${config.parentType}.${config.name} declares no policy`);
    return { ...config, extensions: { ...config.extensions, policy, directives: directivesOf(policy) } };
  }

  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    // GraphQL's extensions are untyped; this one was put there above.
    const policy = config.extensions?.policy as Policy | undefined;
    if (!policy) return resolver;
    // A plugin is written for any schema's context; ours is a Ctx (see builder.ts).
    return guarded(policy, resolver as never) as never;
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
