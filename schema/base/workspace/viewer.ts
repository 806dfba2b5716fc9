import type { GraphQLSchema } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { mayCall } from '../../../src/engine/verb/policy.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { KeyScope } from '../users/key-noun.ts';

const CallerKind = builder.enumType('CallerKind', {
  description: 'Who a caller is.',
  values: {
    USER: { value: 'user', description: 'A user, by a key or a session.' },
    WORKSPACE: { value: 'workspace', description: 'The workspace itself, by its own key.' },
  },
});

/** Who calls, as clients see it. */
export const Viewer = builder.objectRef<Principal>('Viewer').implement({
  description: 'The authenticated caller.',
  fields: (t) => ({
    login: t.exposeString('login', { description: 'Login name.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    kind: t.field({
      type: CallerKind,
      description: 'Whether the caller is a user or the workspace.',
      resolve: ({ kind }) => kind,
    }),
    userId: t.exposeID('userId', { nullable: true, description: 'User id; null for a workspace key.' }),
    groups: t.stringList({
      description: 'External ids of the groups of the user.',
      resolve: ({ groups }) => [...groups].sort(),
    }),
    scopes: t.field({
      type: [KeyScope],
      nullable: true,
      description: 'Scopes the key is limited to; null if it is not limited.',
      resolve: ({ scopes }) => scopes && ([...scopes] as never),
    }),
    can: t.stringList({
      description:
        'Which of these operations the caller may call, by their policies: role, scope and feature. ' +
        'What it may do with records of a model is up to the rights on the model.',
      args: {
        operations: t.arg.stringList({
          required: true,
          description: `Names of queries, mutations and subscriptions, at most ${limits.call.askedOperations}.`,
        }),
      },
      resolve: (_caller, { operations }, ctx, { schema }) => allowed(ctx, schema, operations),
    }),
  }),
});

function allowed(ctx: Ctx, schema: GraphQLSchema, operations: string[]): string[] {
  if (operations.length > limits.call.askedOperations)
    throw errors.badRequest(`At most ${limits.call.askedOperations} operations can be asked about at once.`);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const policyOf = (name: string) =>
    roots.map((root) => root?.getFields()[name]?.extensions.policy as Policy | undefined).find(Boolean);
  return operations.filter((name) => {
    const policy = policyOf(name);
    return policy !== undefined && mayCall(ctx, policy);
  });
}

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Returns the authenticated caller and its rights.',
    policy: { auth: ['USER', 'TEAM'], scope: 'read' },
    resolve: (_parent, _args, ctx) => ctx.principal!,
  }),
);
