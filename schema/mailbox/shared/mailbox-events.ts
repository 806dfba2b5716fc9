import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { createMailAccessError, getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_WRITE_POLICY, returnOutcome } from '../kit/operation.ts';
import { isMailAdmin } from '../settings/policy.ts';

/** Data that the workspace's webhooks receive about a mailbox's messages. */
export type EventDetail = 'none' | 'ids' | 'subject';

const DetailEnum = builder.enumType('MailboxEventDetail', {
  description: "Data that the workspace's webhooks receive about a mailbox's messages.",
  values: {
    NONE: { value: 'none', description: 'Nothing.' },
    IDS: { value: 'ids', description: 'The ids, folder and sender of each message.' },
    SUBJECT: {
      value: 'subject',
      description: 'The ids, folder, sender and subject of each message.',
    },
  },
});

export const mailboxEvents = defineOperation('mailboxEventsSet', {
  kind: 'mutation',
  effects: ['writes'],
  policy: { ...MAIL_WRITE_POLICY, audit: 'mail.events' },
  description:
    "Sets the data that the workspace's webhooks receive about a mailbox's messages. By default, " +
    "webhooks receive nothing. A personal mailbox's setting can be changed only by its owner. A " +
    "shared mailbox's setting can be changed by its owner, its manager, and members who are mail " +
    'administrators.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    detail: arg({ type: DetailEnum, required: true, description: 'Data to send to webhooks.' }),
  }),
  ...returnOutcome('MailboxEventsResult', 'Result of setting the webhook data of a mailbox.'),
  run: async (ctx, { accountId, detail }) => {
    await setEventDetail(ctx, accountId, detail as EventDetail);
    return { ok: true, error: null };
  },
});

/** @throws ACCESS_ERROR if the caller may not change this setting */
async function setEventDetail(ctx: Ctx, accountId: number, detail: EventDetail): Promise<void> {
  const { kind, role } = await getMemberMailbox(ctx, accountId);
  const chooses = role === 'owner' || (kind === 'shared' && (role === 'manager' || isMailAdmin(ctx)));
  if (!chooses) throw createMailAccessError(ctx, 'Mailbox', 'svc.mail.account');
  await ctx.db.rows(
    sql`update svc_mail_account set event_detail = ${detail}, write_date = now(), write_uid = ${ctx.principal!.userId}
     where workspace_id = ${ctx.workspace.id} and id = ${accountId}`,
  );
}
