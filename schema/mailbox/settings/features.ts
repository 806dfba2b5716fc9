import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { MailError } from '../kit/operation.ts';

/** Mail features, with their defaults and their labels in error messages. */
export const MAIL_FEATURES = {
  'mail.search': { isOn: true, label: 'Search operators' },
  'mail.organize': { isOn: true, label: 'Organizing messages' },
  'mail.blocklist': { isOn: true, label: 'Blocking senders' },
  'mail.rules': { isOn: true, label: 'Rules and auto-reply' },
  'mail.import_export': { isOn: true, label: 'Import and export' },
  'mail.import_imap': { isOn: true, label: 'Import from another mail server' },
  'mail.composer2': { isOn: true, label: 'Cc, Bcc, attachments and rich text' },
  'mail.honest_send': { isOn: true, label: 'True send status' },
  'mail.delivery_meta': { isOn: true, label: 'Delivery status' },
  'mail.shared': { isOn: true, label: 'Shared mailboxes' },
  'mail.unified_inbox': { isOn: true, label: 'All inboxes' },
  'mail.threading': { isOn: true, label: 'Conversations' },
  'mail.inbound_attachments': { isOn: true, label: 'Keeping attachments' },
} as const;

export type Feature = keyof typeof MAIL_FEATURES;

/** Loads a company's features; the defaults if `companyId` is null. */
export async function loadFeatures(ctx: Ctx, companyId: number | null): Promise<Record<Feature, boolean>> {
  const rows = await ctx.db.rows<{ key: Feature; is_on: boolean }>(
    sql`select key, is_on from svc_mail_feature
     where workspace_id = ${ctx.workspace.id} and company_id = ${companyId}`,
  );
  const overrides = new Map(rows.map(({ key, is_on }) => [key, is_on]));
  return Object.fromEntries(
    Object.entries(MAIL_FEATURES).map(([key, { isOn }]) => [key, overrides.get(key as Feature) ?? isOn]),
  ) as Record<Feature, boolean>;
}

/** @throws NOT_FOUND for an unknown company */
export async function checkCompany(ctx: Ctx, id: number | null): Promise<void> {
  const companies = await ctx.db.rows(
    sql`select 1 from res_company where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (companies.length === 0) throw errors.notFound('Company');
}

const buildDisabledMessage = (feature: Feature): string =>
  `${MAIL_FEATURES[feature].label} is not enabled (${feature}).`;

/** For mutations. @throws MailError if the feature is off for the company */
export async function requireFeature(ctx: Ctx, companyId: number | null, feature: Feature): Promise<void> {
  if (!(await loadFeatures(ctx, companyId))[feature]) throw new MailError(buildDisabledMessage(feature));
}

/** For queries. @throws USER_ERROR if the feature is off for the company */
export async function requireFeatureToRead(
  ctx: Ctx,
  companyId: number | null,
  feature: Feature,
): Promise<void> {
  if (!(await loadFeatures(ctx, companyId))[feature]) throw errors.user(buildDisabledMessage(feature));
}
