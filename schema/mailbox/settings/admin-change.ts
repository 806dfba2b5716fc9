import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { MAIL_ADMIN_WRITE_POLICY } from '../kit/operation.ts';
import { FeatureStateShape, toFeatureStates } from './feature-states.ts';
import { checkCompany, loadFeatures, MAIL_FEATURES } from './features.ts';
import { loadReservedAddresses, MAIL_POLICIES, POLICY_VALUES } from './policy.ts';

// Settings for mail administrators. They are available only in GraphQL and operator commands, so that agents cannot
// change them.

const MAX_RESERVED_LOCAL_PARTS = 1_000;

export const mailFeatureSet = defineOperation('mailFeatureSet', {
  kind: 'mutation',
  effects: ['writes', 'grants'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.feature' },
  description: 'Turns a mail feature on or off for a company, and returns all mail features of the company.',
  args: (arg) => ({
    key: arg.string({ required: true, description: 'Key, such as `mail.search`.' }),
    isOn: arg.boolean({ required: true, description: 'True to turn the feature on.' }),
    companyId: arg.recordId({ description: 'Company. Defaults to your own.' }),
  }),
  type: [FeatureStateShape.ref] as object,
  run: async (ctx, { key, isOn, companyId }) =>
    toFeatureStates(await setMailFeature(ctx, companyId ?? ctx.principal!.companyId, key, isOn)),
});

/** @throws BAD_VALUE for an unknown feature, NOT_FOUND for an unknown company */
export async function setMailFeature(ctx: Ctx, companyId: number | null, key: string, isOn: boolean) {
  if (!Object.hasOwn(MAIL_FEATURES, key))
    throw errors.badValue(`key: must be one of ${Object.keys(MAIL_FEATURES).join(', ')}`);
  await checkCompany(ctx, companyId);
  const id = await allocateId(ctx, 'svc_mail_feature');
  await ctx.db.rows(
    sql`insert into svc_mail_feature (workspace_id, id, company_id, key, is_on)
     values (${ctx.workspace.id}, ${id}, ${companyId}, ${key}, ${isOn})
     on conflict (workspace_id, company_id, key) do update set is_on = excluded.is_on`,
  );
  return loadFeatures(ctx, companyId);
}

export const mailPolicySet = defineOperation('mailPolicySet', {
  kind: 'mutation',
  effects: ['writes', 'grants'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.policy' },
  description:
    'Sets a mail policy of the workspace, which defines who may perform a mail action. Returns the ' +
    'new value.',
  args: (arg) => ({
    key: arg.string({ required: true, description: `One of ${Object.keys(MAIL_POLICIES).join(', ')}.` }),
    value: arg.string({ required: true, description: `One of ${POLICY_VALUES.join(', ')}.` }),
  }),
  type: 'String',
  run: (ctx, { key, value }) => setMailPolicy(ctx, key, value),
});

export async function setMailPolicy(ctx: Ctx, key: string, value: string): Promise<string> {
  if (!Object.hasOwn(MAIL_POLICIES, key))
    throw errors.badValue(`key: must be one of ${Object.keys(MAIL_POLICIES).join(', ')}`);
  if (!(POLICY_VALUES as readonly string[]).includes(value))
    throw errors.badValue(`value: must be one of ${POLICY_VALUES.join(', ')}`);
  await ctx.db.rows(
    sql`insert into svc_mail_policy (workspace_id, key, value) values (${ctx.workspace.id}, ${key}, ${value})
     on conflict (workspace_id, key) do update set value = excluded.value`,
  );
  return value;
}

export const mailAddressReserve = defineOperation('mailAddressReserve', {
  kind: 'mutation',
  effects: ['writes'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.reserve' },
  description:
    'Reserves the local part of an address for administrators, or releases it, and returns all reserved local parts.',
  args: (arg) => ({
    local: arg.string({ required: true, description: 'Part before the `@`.' }),
    isReserved: arg.boolean({ defaultValue: true, description: 'False to release the local part.' }),
  }),
  type: ['String'],
  run: (ctx, { local, isReserved }) => setReservedAddress(ctx, local, isReserved ?? true),
});

/** @throws BAD_VALUE if the local part is invalid, or if too many local parts are reserved */
export async function setReservedAddress(
  ctx: Ctx,
  localPart: string,
  isReserved: boolean,
): Promise<string[]> {
  const local = localPart.trim().toLowerCase();
  if (!/^[a-z0-9._-]{1,64}$/.test(local))
    throw errors.badValue(`local: must be a valid local part of an address`);
  const { id } = ctx.workspace;
  if (!isReserved) {
    await ctx.db.rows(sql`delete from svc_mail_reserved where workspace_id = ${id} and local = ${local}`);
    return loadReservedAddresses(ctx);
  }
  if ((await loadReservedAddresses(ctx)).length >= MAX_RESERVED_LOCAL_PARTS)
    throw errors.badValue(`local: at most ${MAX_RESERVED_LOCAL_PARTS} local parts can be reserved`);
  await ctx.db.rows(
    sql`insert into svc_mail_reserved (workspace_id, local) values (${id}, ${local})
     on conflict (workspace_id, local) do nothing`,
  );
  return loadReservedAddresses(ctx);
}
