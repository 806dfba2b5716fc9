import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import type { MemberMailbox } from '../accounts/member-access.ts';
import { MailError } from '../kit/operation.ts';
import { type Feature, requireFeature } from './features.ts';

export const MAIL_POLICIES = { import_who: 'everyone', shared_create_who: 'administrators' } as const;

export type MailPolicy = keyof typeof MAIL_POLICIES;

export const POLICY_VALUES = ['administrators', 'everyone'] as const;

export async function getMailPolicy(ctx: Ctx, key: MailPolicy): Promise<string> {
  const [row] = await ctx.db.rows<{ value: string }>(
    sql`select value from svc_mail_policy where workspace_id = ${ctx.workspace.id} and key = ${key}`,
  );
  return row?.value ?? MAIL_POLICIES[key];
}

export const isMailAdmin = ({ principal }: Ctx): boolean => principal?.groups.has(ADMIN_GROUP) ?? false;

/** Local parts that only administrators can assign: the names in RFC 2142, and others that look official. */
const ALWAYS_RESERVED_ADDRESSES = new Set(
  `abuse admin administrator daemon ftp hostmaster mailer-daemon news no-reply noc noreply postmaster root security
  support usenet uucp webmaster www`.split(/\s+/),
);

export const isAddressAlwaysReserved = (local: string): boolean => ALWAYS_RESERVED_ADDRESSES.has(local);

export async function isReserved(ctx: Ctx, local: string): Promise<boolean> {
  if (isAddressAlwaysReserved(local)) return true;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_reserved where workspace_id = ${ctx.workspace.id} and local = ${local}`,
  );
  return rows.length > 0;
}

export async function loadReservedAddresses(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.rows<{ local: string }>(
    sql`select local from svc_mail_reserved where workspace_id = ${ctx.workspace.id}`,
  );
  return [...new Set([...ALWAYS_RESERVED_ADDRESSES, ...rows.map(({ local }) => local)])].sort();
}

/** @throws MailError if the feature is off, or the policy `import_who` restricts imports to administrators */
export async function checkCanImport(ctx: Ctx, account: MemberMailbox, feature: Feature): Promise<void> {
  await requireFeature(ctx, account.company_id, feature);
  if (!isMailAdmin(ctx) && (await getMailPolicy(ctx, 'import_who')) !== 'everyone')
    throw new MailError('Only administrators may import mail into this workspace (import_who).');
}
