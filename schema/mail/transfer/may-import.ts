import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { MemberMailbox } from '../accounts/member-of.ts';
import { MailRefusal } from '../kit/refusal.ts';
import { type Feature, wantFeature } from '../settings/features.ts';
import { isMailAdmin, policyOf } from '../settings/policy.ts';

/** @throws MailRefusal when the feature is off, or the policy `import_who` leaves imports to administrators */
export async function checkImport(ctx: Ctx, account: MemberMailbox, feature: Feature): Promise<void> {
  await wantFeature(ctx, account.company_id, feature);
  if (!isMailAdmin(ctx) && (await policyOf(ctx, 'import_who')) !== 'everyone')
    throw new MailRefusal('Only administrators may import mail into this workspace (import_who).');
}
