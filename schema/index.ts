import './base/audit.ts';
import './base/companies.ts';
import './base/groups.ts';
import './base/keys.ts';
import './base/partners.ts';
import './base/session.ts';
import './base/users.ts';
import './base/workspace.ts';
import './data.ts';
import './data-access.ts';
import './data-new.ts';
import './send/domain-verify.ts';
import './send/domains.ts';
import './send/email-send.ts';
import './send/emails.ts';
import './send/outbox.ts';
import './base/purge.ts';
import './send/sending-domains.ts';
import './send/suppressions.ts';
import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import { builder } from '../src/builder.ts';
import { buildRegistry, type Datamodel, type Registry } from '../src/engine/model.ts';
import { policyDirectives } from '../src/engine/policy.ts';
import { addGraph } from './graph.ts';

/** The product: every noun and verb, joined with the shapes of the Prisma schema. Once a process. */
export function buildProduct(datamodel: Datamodel): { registry: Registry; schema: GraphQLSchema } {
  const registry = buildRegistry(datamodel);
  addGraph(registry);
  const schema = builder.toSchema({
    directives: [...specifiedDirectives, ...policyDirectives],
    sortSchema: false,
  });
  return { registry, schema };
}
