import './modules.ts';
import './base/roles.ts';
import './base/error-code.ts';
import './base/workspace/audit.ts';
import './base/workspace/audit-seal.ts';
import './base/partners/companies.ts';
import './base/partners/countries.ts';
import './base/partners/currencies.ts';
import './base/users/groups.ts';
import './base/ir/access.ts';
import './base/ir/attachment.ts';
import './base/ir/cron.ts';
import './base/ir/data.ts';
import './base/ir/field/field.ts';
import './base/ir/field/field-options.ts';
import './base/ir/file.ts';
import './base/ir/model.ts';
import './base/ir/model-names.ts';
import './base/ir/module.ts';
import './base/ir/menu.ts';
import './base/ir/parameter.ts';
import './base/ir/rule.ts';
import './base/ir/sequence.ts';
import './base/users/keys.ts';
import './base/partners/lang.ts';
import './base/partners/lang-install.ts';
import './base/partners/bank-accounts.ts';
import './base/mail/activity.ts';
import './base/mail/activity-done.ts';
import './base/mail/activity-type.ts';
import './base/mail/followers.ts';
import './base/mail/message.ts';
import './base/mail/mixins.ts';
import './base/mail/post.ts';
import './base/mail/schedule.ts';
import './base/mail/subtype.ts';
import './base/partners/partner-addresses.ts';
import './base/partners/partner-categories.ts';
import './base/partners/partner-industries.ts';
import './base/partners/partner-name-create.ts';
import './base/partners/partners.ts';
import './base/users/session.ts';
import './base/users/session-info.ts';
import './base/users/user-create.ts';
import './base/users/user-keys.ts';
import './base/users/key-wizard.ts';
import './base/users/user-self.ts';
import './base/users/users.ts';
import './base/workspace/workspace.ts';
import './data/argument-texts.ts';
import './data/records.ts';
import './data/access.ts';
import './data/group.ts';
import './data/new.ts';
import './data/state.ts';
import './data/table.ts';
import './data/translations.ts';
import './data/web.ts';
import './data/web-group.ts';
import './data/views.ts';
import './data/doc.ts';
import './data/explain-access.ts';
import './send/emails/analytics.ts';
import './send/campaigns/campaign-create.ts';
import './send/campaigns/campaigns.ts';
import './send/campaigns/outcomes.ts';
import './send/campaigns/run.ts';
import './send/campaigns/schedule.ts';
import './send/contacts/books.ts';
import './send/contacts/confirm.ts';
import './send/contacts/contact-change.ts';
import './send/contacts/contacts.ts';
import './send/contacts/export.ts';
import './send/contacts/import.ts';
import './send/contacts/unsubscribe.ts';
import './send/domains/domain-change.ts';
import './send/domains/domain-verify.ts';
import './send/domains/domains.ts';
import './send/emails/email-attachments.ts';
import './send/emails/email-bodies.ts';
import './send/emails/email-list.ts';
import './send/queue/email-schedule.ts';
import './send/accept/email-send.ts';
import './send/emails/emails.ts';
import './send/emails/outbox.ts';
import './base/workspace/purge.ts';
import './send/domains/sending-domains.ts';
import './send/provider/reconcile.ts';
import './send/provider/sns.ts';
import './send/state/expire.ts';
import './send/state/queued.ts';
import './send/state/queues.ts';
import './send/suppressions/suppression-list.ts';
import './send/suppressions/suppressions.ts';
import './send/templates/template-verbs.ts';
import './send/templates/templates.ts';
import './send/queue/send-again.ts';
import './send/queue/unknown.ts';
import './send/webhooks/calls.ts';
import './send/webhooks/claim.ts';
import './send/webhooks/event-calls.ts';
import './send/webhooks/figures.ts';
import './send/webhooks/purge.ts';
import './send/webhooks/webhooks.ts';
import { specifiedDirectives } from 'graphql';
import type { Product } from '../src/engine/ctx/product.ts';
import type { Datamodel } from '../src/engine/model/datamodel.ts';
import { buildRegistry } from '../src/engine/model/registry.ts';
import { builder } from '../src/engine/verb/builder.ts';
import { policyDirectives } from '../src/engine/verb/policy.ts';
import { readRecordsBy } from '../src/engine/verb/record-answer.ts';
import { completeShapes } from '../src/engine/verb/record-shape.ts';
import { verbs } from '../src/engine/verb/verb.ts';
import { loadCatalog } from './base/ir/catalog-load.ts';
import { everyGroup } from './base/users/groups.ts';
import { identitySource } from './base/users/identity-load.ts';
import { equipment } from './base/workspace/equipment.ts';
import { checkDeclarations } from './check-declarations.ts';
import { createSchemas } from './graph/build/overlay.ts';
import { joinedSchema, partsOf } from './graph/build/schema.ts';
import { readRecords } from './graph/read/rows.ts';
import { answerText } from './graph/text/answer.ts';
import { answerChange } from './graph/write/direct.ts';

let product: Product | undefined;

/** The product: every noun and verb, joined with the shapes of the Prisma schema. Built once a process. */
export function buildProduct(datamodel: Datamodel): Product {
  product ??= build(datamodel);
  return product;
}

function build(datamodel: Datamodel): Product {
  const registry = buildRegistry(datamodel);
  completeShapes(registry);
  checkDeclarations(registry, verbs.values(), new Set(everyGroup().map((group) => group.id)));
  readRecordsBy(readRecords);
  const built = builder.toSchema({
    directives: [...specifiedDirectives, ...policyDirectives],
    sortSchema: false,
  });
  const parts = partsOf(registry, built);
  const schema = joinedSchema(parts);
  return {
    registry,
    schema,
    schemaOf: createSchemas(parts, schema),
    answerText,
    answerChange,
    loadCatalog,
    identitySource,
    equipment,
  };
}
