import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { limits } from '../../../src/limits.ts';
import { loadRecord } from '../../graph/read/rows.ts';
import { hasFeature, loadMessageInfo } from '../read/message-facts.ts';
import { PersonShape } from '../read/person.ts';
import {
  loadThreadMessages,
  loadThreadPeople,
  loadThreadSummary,
  MAX_NAMED_PEOPLE,
  MAX_THREAD_COUNT,
  type Thread,
} from './thread-facts.ts';

/** Cost of a thread in a GraphQL document, in response values. */
const THREAD_COST = 100;

const { threadMessages: MAX_SHOWN_MESSAGES } = limits.mail;

const extensions = { cost: THREAD_COST };

/** Excludes messages in Spam and Trash, unless the thread was reached from a message in that folder. */
export const MailThread = builder.objectRef<Thread>('MailThread').implement({
  description: 'A conversation in a mailbox, without its messages in Spam and Trash.',
  fields: (t) => ({
    id: t.id({
      description: 'Id of the conversation. Same as `threadId` of its messages.',
      resolve: ({ id }) => String(id),
    }),
    mailboxId: t.id({
      description: "Id of the conversation's mailbox.",
      resolve: ({ accountId }) => String(accountId),
    }),
    subject: t.string({
      description: 'Subject of the newest message.',
      extensions,
      resolve: async (thread, _args, ctx) => (await loadNewestMessageInfo(ctx, thread))?.subject ?? '',
    }),
    preview: t.string({
      description: 'The first 200 characters of the newest message.',
      extensions,
      resolve: async (thread, _args, ctx) => (await loadNewestMessageInfo(ctx, thread))?.snippet ?? '',
    }),
    count: t.int({
      description: `Number of messages in the conversation, counted up to ${MAX_THREAD_COUNT}.`,
      extensions,
      resolve: async (thread, _args, ctx) => (await loadThreadSummary(ctx, thread)).count,
    }),
    unread: t.int({
      description: 'Number of unread messages among those counted in `count`.',
      extensions,
      resolve: async (thread, _args, ctx) => (await loadThreadSummary(ctx, thread)).unread,
    }),
    isStarred: t.boolean({
      description: 'True if any of the messages counted in `count` is starred.',
      extensions,
      resolve: async (thread, _args, ctx) => (await loadThreadSummary(ctx, thread)).isStarred,
    }),
    date: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the newest message was received.',
      extensions,
      resolve: async (thread, _args, ctx) => (await loadThreadSummary(ctx, thread)).date,
    }),
    folderIds: t.idList({
      description: 'Ids of the folders that contain messages of the conversation.',
      extensions,
      resolve: async (thread, _args, ctx) => (await loadThreadSummary(ctx, thread)).folderIds.map(String),
    }),
    labelIds: t.idList({
      description: "Ids of the labels on the conversation's messages.",
      extensions,
      resolve: async (thread, _args, ctx) => (await loadThreadSummary(ctx, thread)).labelIds.map(String),
    }),
  }),
});

builder.objectFields(MailThread, (t) => ({
  participants: t.field({
    type: [PersonShape.ref],
    description: `Senders of the newest ${MAX_NAMED_PEOPLE} messages, most recent first.`,
    extensions: { ...extensions, size: MAX_NAMED_PEOPLE },
    resolve: async (thread, _args, ctx) => (await loadThreadPeople(ctx, thread)) as never,
  }),
  newest: t.field({
    type: getRecordRef('svc.mail.entry'),
    nullable: true,
    description: 'The newest message.',
    extensions,
    resolve: async (thread, _args, ctx, info) => {
      const id = await findNewestId(ctx, thread);
      return id === null ? null : loadRecord(ctx, 'svc.mail.entry', id, info);
    },
  }),
  messages: t.field({
    type: [getRecordRef('svc.mail.entry')],
    description: `The newest ${MAX_SHOWN_MESSAGES} messages, oldest first. \`mailMessages\` lists all of them.`,
    extensions: { ...extensions, size: MAX_SHOWN_MESSAGES },
    resolve: async (thread, _args, ctx, info) => {
      const ids = await loadThreadMessages(ctx, thread, MAX_SHOWN_MESSAGES);
      const rows = await Promise.all(ids.map((id) => loadRecord(ctx, 'svc.mail.entry', id, info)));
      return rows.filter((row) => row !== null);
    },
  }),
}));

async function findNewestId(ctx: Ctx, thread: Thread): Promise<number | null> {
  return (await loadThreadMessages(ctx, thread, 1))[0] ?? null;
}

async function loadNewestMessageInfo(ctx: Ctx, thread: Thread) {
  const id = await findNewestId(ctx, thread);
  return id === null ? null : loadMessageInfo(ctx, id);
}

builder.objectField(getRecordRef('svc.mail.entry'), 'thread', (t) =>
  t.field({
    type: MailThread,
    nullable: true,
    description: 'Conversation of the message. Null if the feature `mail.threading` is off.',
    resolve: async ({ id }, _args, ctx) => {
      const facts = await loadMessageInfo(ctx, id);
      if (!facts || !(await hasFeature(ctx, facts.company_id, 'mail.threading'))) return null;
      return { id: facts.thread_id, accountId: facts.account_id, folderId: facts.folder_id };
    },
  }),
);
