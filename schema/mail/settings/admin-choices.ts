import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { mailAdminReads } from '../kit/policies.ts';
import { FeatureState, featureStates } from './feature-states.ts';
import { featuresOf } from './features.ts';
import { isAlwaysReserved, MAIL_POLICIES, type MailPolicy, policyOf, reservedOf } from './policy.ts';

const PolicyState = defineTypedShape('MailPolicyState', 'Who may do something with mail in the workspace.', {
  key: { type: 'String', description: 'Key, as `mailPolicySet` takes it.' },
  value: { type: 'String', description: '`administrators` or `everyone`.' },
});

const ReservedAddress = defineTypedShape('MailReservedAddress', 'First part of addresses that is reserved.', {
  local: { type: 'String', description: 'What stands before the `@`.' },
  isAlways: { type: 'Boolean', description: 'Whether it cannot be given free.' },
});

const AdminChoices = defineTypedShape('MailAdminChoices', 'What administrators have chosen about mail.', {
  features: { type: [FeatureState], description: 'Features, and whether each is on in the company.' },
  policies: { type: [PolicyState], description: 'Who may do what, in the whole workspace.' },
  reserved: {
    type: [ReservedAddress],
    description: 'First parts of addresses that only administrators take, in the order of the alphabet.',
  },
});

export const mailAdminChoicesVerb = verb('mailAdminChoices', {
  kind: 'query',
  effects: ['reads'],
  policy: mailAdminReads,
  description:
    'What administrators have chosen about mail: features of a company, policies, reserved addresses.',
  args: (arg) => ({
    companyId: arg.recordId({ description: 'Company of the features; yours by default.' }),
  }),
  type: AdminChoices.ref as object,
  run: (ctx, { companyId }) => choicesOf(ctx, companyId ?? ctx.principal!.companyId),
});

/** @throws NOT_FOUND for an unknown company */
async function choicesOf(ctx: Ctx, companyId: number | null) {
  const companies = await ctx.db.rows(
    sql`select 1 from res_company where workspace_id = ${ctx.workspace.id} and id = ${companyId}`,
  );
  if (companies.length === 0) throw errors.notFound('Company');
  const policies = [];
  for (const key of Object.keys(MAIL_POLICIES) as MailPolicy[])
    policies.push({ key, value: await policyOf(ctx, key) });
  const reserved = await reservedOf(ctx);
  return {
    features: featureStates(await featuresOf(ctx, companyId)),
    policies,
    reserved: reserved.map((local) => ({ local, isAlways: isAlwaysReserved(local) })),
  };
}
