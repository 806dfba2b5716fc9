import { verb } from '../../../src/engine/verb/verb.ts';
import { accountOf } from '../accounts/member-of.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailReads } from '../kit/policies.ts';
import { answering } from '../kit/refusal.ts';
import { wantFeature } from '../settings/features.ts';
import { AutoReplyData, changedAutoReply, keptAutoReply, OR_REFUSED, shownAutoReply } from './auto-reply.ts';

export const mailAutoReplyPreviewVerb = verb('mailAutoReplyPreview', {
  kind: 'query',
  effects: ['reads'],
  policy: mailReads,
  description: 'Checks changes to an auto reply as `mailAutoReplySave` does and shows it as it would be.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    data: arg({ type: AutoReplyData, required: true, description: 'What would be changed.' }),
  }),
  ...answersShape('MailAutoReplyPreview', 'An auto reply as it would be.', { ...OUTCOME, ...OR_REFUSED }),
  run: async (ctx, { accountId, data }) => {
    const account = await accountOf(ctx, accountId);
    return answering(async () => {
      await wantFeature(ctx, account.company_id, 'mail.rules');
      return shownAutoReply(ctx, account, changedAutoReply(await keptAutoReply(ctx, accountId), data));
    });
  },
});
