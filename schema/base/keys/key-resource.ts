import { builder } from '../../../src/engine/operation/builder.ts';
import { domainResource, SendingDomain } from '../../email/domains/domain-shape.ts';
import { buildGraphFields } from '../../email/kit/shape.ts';
import { getSettingsLoader } from '../../settings/read-resource.ts';
import { buildRecordRelation } from '../../settings/record-relation.ts';
import { addResourceRoots } from '../../settings/resource.ts';
import { createResource } from '../../settings/resources.ts';
import { AGENT_BOUNDS, AgentToolGroup } from '../agent-bounds.ts';

export const KeyPermission = builder.enumType('KeyPermission', {
  description: 'Permission of an API key.',
  values: {
    FULL: { description: 'Do everything that the owner of the key may do.' },
    READ: { description: 'Only read data.' },
    SENDING: { description: 'Only send emails.' },
  },
});

export const KeyScope = builder.enumType('KeyScope', {
  description: 'A scope of a limited API key.',
  values: {
    READ: { value: 'read', description: 'Read data.' },
    WRITE: { value: 'write', description: 'Read and change data.' },
    SEND: { value: 'send', description: 'Send emails.' },
  },
});

export const ApiKey = builder.prismaObject('SvcApiKey', {
  name: 'ApiKey',
  description: 'An API key. Its value is only returned when it is created.',
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, {
      id: { type: 'ID', description: 'Unique identifier.' },
      name: { type: 'String', description: 'Name given when the key was created.' },
      prefix: { type: 'String', description: 'First characters of the key, to identify it.' },
      userId: { type: 'ID', nullable: true, description: 'Owner; null for a workspace key.' },
      domainId: {
        type: 'ID',
        nullable: true,
        description:
          'Sending domain that the key is bound to. Null if the key is not bound to a domain. Deleting the ' +
          'domain revokes the key.',
      },
      createdAt: { type: 'DateTime', column: 'create_date', description: 'When the key was created.' },
      expiresAt: {
        type: 'DateTime',
        nullable: true,
        description: 'When the key expires. Null if it never expires.',
      },
      revokedAt: { type: 'DateTime', nullable: true, description: 'When the key was revoked.' },
      callsPerDay: { type: 'Int', nullable: true, description: AGENT_BOUNDS.callsPerDay },
      sendsPerDay: { type: 'Int', nullable: true, description: AGENT_BOUNDS.sendsPerDay },
      changesPerDay: { type: 'Int', nullable: true, description: AGENT_BOUNDS.changesPerDay },
    }),
    toolGroups: t.field({
      type: [AgentToolGroup.ref as never],
      description: AGENT_BOUNDS.toolGroups,
      select: { tool_groups: true },
      resolve: ({ tool_groups }) => tool_groups as never,
    }),
    scopes: t.field({
      type: [KeyScope],
      description: 'Scopes that the key is limited to. Empty if the key is not limited.',
      select: { scopes: true },
      resolve: ({ scopes }) => scopes as never,
    }),
    permission: t.field({
      type: KeyPermission,
      nullable: true,
      description: 'Permission of the key. Null if its scopes match no permission.',
      select: { scopes: true },
      resolve: ({ scopes }) => PERMISSIONS[scopes.join()] ?? null,
    }),
    user: buildRecordRelation(
      t,
      { model: 'svc.api.key', column: 'user_id', target: 'res.users' },
      'Owner; null for a workspace key, or if you cannot read the user.',
    ),
    domain: t.field({
      type: SendingDomain,
      nullable: true,
      description:
        'Sending domain that the key is bound to. Null if the key is not bound to a domain or you cannot read ' +
        'the domain.',
      select: { domain_id: true },
      resolve: ({ domain_id }, _args, ctx, info) =>
        (domain_id === null ? null : getSettingsLoader(ctx, domainResource, info).load(domain_id)) as never,
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      description: 'When the key was last used, accurate to the minute.',
      nullable: true,
      select: { Use: true },
      resolve: (key) => key.Use?.used_at ?? null,
    }),
  }),
});

const PERMISSIONS: Record<string, 'FULL' | 'READ' | 'SENDING'> = {
  '': 'FULL',
  read: 'READ',
  send: 'SENDING',
};

/** Record rules limit users other than administrators to their own keys. */
export const keyResource = createResource('svc.api.key', {
  type: 'ApiKey',
  policy: { auth: ['USER'], scope: 'read' },
});

addResourceRoots(keyResource, ApiKey, { many: 'apiKeys', one: 'apiKey' });
