import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberEntries, type MemberEntry } from '../accounts/member-access.ts';
import { MAIL_WRITE_POLICY, returnShape, returnTypedShape } from '../kit/operation.ts';
import { changeEntries } from '../organize/change-entries.ts';
import { loadFeatures } from '../settings/features.ts';
import { loadPrefs } from '../settings/prefs.ts';
import { type DetailOptions, DetailShape, loadDetails } from './detail.ts';

export const mailRead = defineOperation('mailRead', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'inbox_message',
  address: 'svc.mail.account/get_entry_detail',
  policy: MAIL_WRITE_POLICY,
  description:
    'Returns a message in full and marks it as read. To read a message without marking it as ' +
    'read, use `mailMessage`.',
  args: (arg) => ({
    entryId: arg.recordId({ required: true, description: 'Message in one of your mailboxes.' }),
    loadImages: arg.boolean({
      description:
        'True to load images from other servers, which lets the sender know that you read the ' +
        'message. Defaults to your preference.',
    }),
  }),
  ...returnTypedShape(DetailShape),
  run: async (ctx, { entryId, loadImages }) => {
    const [entry] = await getMemberEntries(ctx, [entryId]);
    await markAsRead(ctx, entry!);
    return (await loadDetails(ctx, [entryId], await loadOptions(ctx, entry!, loadImages)))[0]!;
  },
});

export const mailReadThread = defineOperation('mailReadThread', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'inbox_thread',
  address: 'svc.mail.account/get_thread',
  policy: MAIL_WRITE_POLICY,
  description:
    'Returns the conversation of a message, oldest first, and marks only that message as read. If ' +
    `the conversation has more than ${limits.mail.threadMessages} messages, only the newest are ` +
    'returned.',
  args: (arg) => ({
    entryId: arg.recordId({
      required: true,
      description: 'Message of the conversation, in one of your mailboxes.',
    }),
    loadImages: arg.boolean({
      defaultValue: false,
      description:
        'True to load images from other servers, which lets the senders know that you read their messages.',
    }),
  }),
  ...returnShape('MailThreadDetail', 'A conversation in full.', {
    threadId: { type: 'ID', description: 'Id of the conversation.' },
    entries: { type: [DetailShape], description: 'Messages of the conversation, oldest first.' },
    count: { type: 'Int', description: 'Number of messages in the conversation, except in Spam and Trash.' },
  }),
  run: async (ctx, { entryId, loadImages }) => {
    const [entry] = await getMemberEntries(ctx, [entryId]);
    await markAsRead(ctx, entry!);
    const options = await loadOptions(ctx, entry!, loadImages);
    const ids = await findConversation(ctx, entry!, options.threading);
    const newest = ids.slice(-limits.mail.threadMessages);
    return {
      thread_id: entry!.thread_id,
      entries: await loadDetails(ctx, newest, options),
      count: ids.length,
    };
  },
});

async function markAsRead(ctx: Ctx, { id, account_id, is_read }: MemberEntry): Promise<void> {
  if (is_read) return;
  await changeEntries(ctx, [account_id], [id], { isRead: true, isStarred: null, target: null });
}

async function loadOptions(
  ctx: Ctx,
  { company_id }: MemberEntry,
  loadImages: boolean | null | undefined,
): Promise<DetailOptions & { threading: boolean }> {
  const features = await loadFeatures(ctx, company_id);
  const images = loadImages ?? (await loadPrefs(ctx, ctx.principal!.userId!)).autoloadImages;
  return { images, delivery: features['mail.delivery_meta'], threading: features['mail.threading'] };
}

/**
 * Returns the ids of a thread's messages, oldest first. Includes messages in Spam or Trash only if the given message is
 * in the same folder.
 */
export async function findConversation(ctx: Ctx, entry: MemberEntry, threading: boolean): Promise<number[]> {
  if (!threading) return [entry.id];
  const workspace = ctx.workspace.id;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from (
       select e.id, e.date from svc_mail_entry e
       join svc_mail_folder f on f.workspace_id = ${workspace} and f.id = e.folder_id
       where e.workspace_id = ${workspace} and e.account_id = ${entry.account_id}
         and e.thread_id = ${entry.thread_id}
         and (e.folder_id = ${entry.folder_id} or coalesce(f.role, '') not in ('spam', 'trash'))
       order by e.date desc, e.id desc limit ${sql.literal(limits.mail.mergedMessages)}) t
     order by date, id`,
  );
  return rows.map(({ id }) => id);
}
