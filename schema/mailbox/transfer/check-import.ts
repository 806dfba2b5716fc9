import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { MemberMailbox } from '../accounts/member-access.ts';
import { MailError } from '../kit/mail-error.ts';
import { type Feature, requireFeature } from '../settings/features.ts';
import { getMailPolicy, isMailAdmin } from '../settings/policy.ts';

/** @throws MailError if the feature is off, or the policy `import_who` restricts imports to administrators */
export async function checkCanImport(ctx: Ctx, account: MemberMailbox, feature: Feature): Promise<void> {
  await requireFeature(ctx, account.company_id, feature);
  if (!isMailAdmin(ctx) && (await getMailPolicy(ctx, 'import_who')) !== 'everyone')
    throw new MailError('Only administrators may import mail into this workspace (import_who).');
}
