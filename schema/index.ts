import './base/audit.ts';
import './base/companies.ts';
import './base/countries.ts';
import './base/currencies.ts';
import './base/groups.ts';
import './base/ir/access.ts';
import './base/ir/attachment.ts';
import './base/ir/data.ts';
import './base/ir/field.ts';
import './base/ir/field-options.ts';
import './base/ir/model.ts';
import './base/ir/model-names.ts';
import './base/ir/module.ts';
import './base/ir/parameter.ts';
import './base/ir/rule.ts';
import './base/ir/sequence.ts';
import './base/keys.ts';
import './base/lang.ts';
import './base/partner-addresses.ts';
import './base/partner-categories.ts';
import './base/partner-industries.ts';
import './base/partners.ts';
import './base/session.ts';
import './base/session-info.ts';
import './base/user-create.ts';
import './base/user-keys.ts';
import './base/user-self.ts';
import './base/users.ts';
import './base/workspace.ts';
import './data.ts';
import './data-access.ts';
import './data-group.ts';
import './data-new.ts';
import './data-state.ts';
import './data-table.ts';
import './data-web.ts';
import './doc.ts';
import './send/domain-verify.ts';
import './send/domains.ts';
import './send/email-send.ts';
import './send/emails.ts';
import './send/outbox.ts';
import './base/purge.ts';
import './send/sending-domains.ts';
import './send/suppressions.ts';
import { specifiedDirectives } from 'graphql';
import { builder } from '../src/builder.ts';
import { buildRegistry, type Datamodel } from '../src/engine/model.ts';
import { policyDirectives } from '../src/engine/policy.ts';
import type { Product } from '../src/engine/product.ts';
import { equip } from './base/found.ts';
import { addGraph } from './graph.ts';
import { schemaOf } from './graph-custom.ts';

/** The product: every noun and verb, joined with the shapes of the Prisma schema. Once a process. */
export function buildProduct(datamodel: Datamodel): Product {
  const registry = buildRegistry(datamodel);
  addGraph(registry);
  const schema = builder.toSchema({
    directives: [...specifiedDirectives, ...policyDirectives],
    sortSchema: false,
  });
  return { registry, schema, equip, schemaOf: (own) => schemaOf(schema, registry, own) };
}
