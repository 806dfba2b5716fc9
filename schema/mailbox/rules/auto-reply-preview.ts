import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { catchMailError } from '../kit/mail-error.ts';
import { MAIL_READ_POLICY } from '../kit/policies.ts';
import { OUTCOME_SHAPE, returnShape } from '../kit/response.ts';
import { requireFeature } from '../settings/features.ts';
import {
  AutoReplyInput,
  applyAutoReplyChanges,
  loadAutoReply,
  NULLABLE_AUTO_REPLY_SHAPE,
  toAutoReplyView,
} from './auto-reply.ts';

export const mailAutoReplyPreview = defineOperation('mailAutoReplyPreview', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Checks changes to an auto-reply as `mailAutoReplySave` does, and returns a preview.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    data: arg({ type: AutoReplyInput, required: true, description: 'Changes to preview.' }),
  }),
  ...returnShape('MailAutoReplyPreview', 'Preview of an auto-reply.', {
    ...OUTCOME_SHAPE,
    ...NULLABLE_AUTO_REPLY_SHAPE,
  }),
  run: async (ctx, { accountId, data }) => {
    const account = await getMemberMailbox(ctx, accountId);
    return catchMailError(async () => {
      await requireFeature(ctx, account.company_id, 'mail.rules');
      return toAutoReplyView(ctx, account, applyAutoReplyChanges(await loadAutoReply(ctx, accountId), data));
    });
  },
});
