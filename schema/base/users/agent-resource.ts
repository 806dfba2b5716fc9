import { builder } from '../../../src/engine/operation/builder.ts';
import { buildGraphFields } from '../../email/kit/shape.ts';
import { buildRecordRelation } from '../../settings/record-relation.ts';
import { addResourceRoots } from '../../settings/resource.ts';
import { createResource } from '../../settings/resources.ts';
import { KeyScope } from '../keys/key-resource.ts';

export const ConnectedAgent = builder.prismaObject('SvcConnectedAgent', {
  name: 'ConnectedAgent',
  description: 'A program that acts on behalf of a user who has consented to it.',
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, {
      id: { type: 'ID', description: 'Unique identifier.' },
      client: { type: 'String', column: 'client_name', description: 'Name that the program reports.' },
      clientId: {
        type: 'String',
        description: 'Client id of the program: from its registration, or the URL of its metadata document.',
      },
      redirectHost: { type: 'String', description: 'Host that the sign-in redirects to.' },
      userId: { type: 'ID', description: 'User that the agent acts for.' },
      createdAt: { type: 'DateTime', column: 'create_date', description: 'When the user consented.' },
      expiresAt: { type: 'DateTime', description: 'When the consent ends.' },
      revokedAt: { type: 'DateTime', nullable: true, description: 'When the consent was withdrawn.' },
    }),
    scopes: t.field({
      type: [KeyScope],
      description: 'Scopes that the user has consented to.',
      select: { scopes: true },
      resolve: ({ scopes }) => scopes as never,
    }),
    user: buildRecordRelation(
      t,
      { model: 'svc.connected.agent', column: 'user_id', target: 'res.users' },
      'User that the agent acts for; null if you cannot read the user.',
    ),
    lastUsedAt: t.field({
      type: 'DateTime',
      description:
        'When the agent made its last call, accurate to a few seconds. Null if it has made no calls.',
      nullable: true,
      select: { Use: true },
      resolve: (agent) => agent.Use?.used_at ?? null,
    }),
    calls: t.field({
      type: 'Int',
      description: 'Number of requests that the agent has made.',
      select: { Use: true },
      resolve: (agent) => Number(agent.Use?.calls ?? 0),
    }),
  }),
});

/** Record rules limit users other than administrators to their own agents. */
export const agentResource = createResource('svc.connected.agent', {
  type: 'ConnectedAgent',
  policy: { auth: ['USER'], scope: 'read' },
});

addResourceRoots(agentResource, ConnectedAgent, { many: 'connectedAgents', one: 'connectedAgent' });
