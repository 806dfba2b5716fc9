import type { GraphQLSchema } from 'graphql';
import { canAccessModel } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { AccessKind } from '../../../src/engine/model/access-kind.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { canCall } from '../../../src/engine/operation/policy.ts';
import { errors } from '../../../src/errors.ts';
import { findNearest } from '../../../src/find-nearest.ts';
import type { FieldDef, FieldRole } from '../../graph/plan/definition.ts';
import { KeyScope } from '../keys/key-resource.ts';

export const MAX_CHECKED_OPERATIONS = 200;

const CallerKind = builder.enumType('CallerKind', {
  description: 'Kind of caller.',
  values: {
    USER: { value: 'user', description: 'A user, with a key or a session.' },
    WORKSPACE: { value: 'workspace', description: 'The workspace itself, with its own key.' },
  },
});

export const Viewer = builder.objectRef<Principal>('Viewer').implement({
  description: 'The authenticated caller.',
  fields: (t) => ({
    login: t.exposeString('login', { description: 'Login name.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    kind: t.field({
      type: CallerKind,
      description: 'Kind of caller: a user or the workspace.',
      resolve: ({ kind }) => kind,
    }),
    userId: t.exposeID('userId', { nullable: true, description: 'User id. Null for a workspace key.' }),
    groups: t.stringList({
      description: "External ids of the user's groups.",
      resolve: ({ groups }) => [...groups].sort(),
    }),
    scopes: t.field({
      type: [KeyScope],
      nullable: true,
      description: 'Scopes that the key is limited to. Null if the key is not limited.',
      resolve: ({ scopes }) => scopes && ([...scopes] as never),
    }),
    can: t.stringList({
      description:
        "The given operations that the caller's role, scopes, features and access rights to models allow. Use " +
        "`accessCheck` to check a record's rules.",
      args: {
        operations: t.arg.stringList({
          required: true,
          description:
            `Names of up to ${MAX_CHECKED_OPERATIONS} queries, mutations and subscriptions. ` +
            'An unknown name is an error.',
        }),
      },
      resolve: (_caller, { operations }, ctx, { schema }) => filterAllowedOperations(ctx, schema, operations),
    }),
  }),
});

function filterAllowedOperations(ctx: Ctx, schema: GraphQLSchema, operations: string[]): string[] {
  if (operations.length > MAX_CHECKED_OPERATIONS)
    throw errors.badRequest(`At most ${MAX_CHECKED_OPERATIONS} operations can be checked at a time.`);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = Object.assign({}, ...roots.map((root) => root?.getFields())) as Record<string, RootField>;
  return operations.filter((name) => {
    if (!Object.hasOwn(fields, name)) throw createUnknownOperationError(name, Object.keys(fields));
    const { policy, def } = fields[name]!.extensions;
    return policy !== undefined && canCall(ctx, policy) && hasRequiredAccess(ctx, def);
  });
}

const createUnknownOperationError = (name: string, names: string[]): Error => {
  const suggestion = findNearest(name.slice(0, 80), names, 3);
  return errors.wrongArgument(
    'operations',
    `unknown operation ${name.slice(0, 80)}${suggestion ? `. Did you mean ${suggestion}?` : ''}`,
  );
};

interface RootField {
  extensions: { policy?: Policy; def?: FieldDef };
}

/** Returns true if the caller has the access right that the operation requires, if any. */
function hasRequiredAccess(ctx: Ctx, { role, model }: Partial<FieldDef> = {}): boolean {
  const neededKind = role && ACCESS_BY_ROLE[role];
  return !neededKind || !model || canAccessModel(ctx, getModel(ctx, model), neededKind);
}

const ACCESS_BY_ROLE: Partial<Record<FieldRole, AccessKind>> = {
  readOne: 'read',
  readMany: 'read',
  readGroups: 'read',
  changed: 'read',
  createOne: 'create',
  createMany: 'create',
  updateOne: 'write',
  updateMany: 'write',
  deleteOne: 'unlink',
  deleteMany: 'unlink',
};

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Returns the authenticated caller and its rights.',
    policy: { auth: ['USER', 'TEAM'], scope: 'read' },
    resolve: (_parent, _args, ctx) => ctx.principal!,
  }),
);
