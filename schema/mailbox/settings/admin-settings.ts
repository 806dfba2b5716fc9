import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { MAIL_ADMIN_READ_POLICY } from '../kit/operation.ts';
import { FeatureStateShape, toFeatureStates } from './feature-states.ts';
import { checkCompany, loadFeatures } from './features.ts';
import {
  getMailPolicy,
  isAddressAlwaysReserved,
  loadReservedAddresses,
  MAIL_POLICIES,
  type MailPolicy,
} from './policy.ts';

const PolicyStateShape = defineTypedShape(
  'MailPolicyState',
  'A policy that defines who may perform a mail action in the workspace.',
  {
    key: { type: 'String', description: 'Key of the policy, as in `mailPolicySet`.' },
    value: { type: 'String', description: '`administrators` or `everyone`.' },
  },
);

const ReservedAddressShape = defineTypedShape('MailReservedAddress', 'A reserved local part of an address.', {
  local: { type: 'String', description: 'Part before the `@`.' },
  isAlways: { type: 'Boolean', description: 'True if the local part cannot be released.' },
});

const AdminSettingsShape = defineTypedShape('MailAdminChoices', 'Mail settings for administrators.', {
  features: {
    type: [FeatureStateShape],
    description: 'Mail features, and whether each is on in the company.',
  },
  policies: {
    type: [PolicyStateShape],
    description: 'Policies of the workspace, which define who may perform mail actions.',
  },
  reserved: {
    type: [ReservedAddressShape],
    description: 'Local parts of addresses that only administrators may assign, in alphabetical order.',
  },
});

export const mailAdminChoices = defineOperation('mailAdminChoices', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_ADMIN_READ_POLICY,
  description:
    "Returns the mail settings for administrators: a company's features, and the policies and " +
    'reserved addresses of the workspace.',
  args: (arg) => ({
    companyId: arg.recordId({ description: 'Company whose features are returned. Defaults to your own.' }),
  }),
  type: AdminSettingsShape.ref as object,
  run: (ctx, { companyId }) => loadAdminSettings(ctx, companyId ?? ctx.principal!.companyId),
});

/** @throws NOT_FOUND for an unknown company */
async function loadAdminSettings(ctx: Ctx, companyId: number | null) {
  await checkCompany(ctx, companyId);
  const policies = [];
  for (const key of Object.keys(MAIL_POLICIES) as MailPolicy[])
    policies.push({ key, value: await getMailPolicy(ctx, key) });
  const reserved = await loadReservedAddresses(ctx);
  return {
    features: toFeatureStates(await loadFeatures(ctx, companyId)),
    policies,
    reserved: reserved.map((local) => ({ local, isAlways: isAddressAlwaysReserved(local) })),
  };
}
