import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { getRecordRef } from '../../../src/engine/verb/record-ref.ts';
import { limits } from '../../../src/limits.ts';
import { loadRecord } from '../../graph/read/rows.ts';
import { factsOf, hasFeature } from '../read/message-facts.ts';
import { PersonShape } from '../read/person.ts';
import { type Thread, threadFacts, threadMessages, threadPeople } from './thread-facts.ts';

const { threadCount, threadMessages: SHOWN, threadPeople: NAMED } = limits.mail;

const extensions = { cost: limits.mail.threadCost };

/** Has the messages of a conversation that are in no Spam or Trash, unless the one it was asked by is there. */
export const MailThread = builder.objectRef<Thread>('MailThread').implement({
  description: 'A conversation in a mailbox, those of its messages in Spam and Trash aside.',
  fields: (t) => ({
    id: t.id({ description: '`threadId` of its messages.', resolve: ({ id }) => String(id) }),
    mailboxId: t.id({ description: 'Id of its mailbox.', resolve: ({ accountId }) => String(accountId) }),
    subject: t.string({
      description: 'Subject of its newest message.',
      extensions,
      resolve: async (thread, _args, ctx) => (await newestFacts(ctx, thread))?.subject ?? '',
    }),
    preview: t.string({
      description: 'The first 200 characters of the text of its newest message.',
      extensions,
      resolve: async (thread, _args, ctx) => (await newestFacts(ctx, thread))?.snippet ?? '',
    }),
    count: t.int({
      description: `Number of its messages, counted up to ${threadCount}.`,
      extensions,
      resolve: async (thread, _args, ctx) => (await threadFacts(ctx, thread)).count,
    }),
    unread: t.int({
      description: 'How many of these have not been read.',
      extensions,
      resolve: async (thread, _args, ctx) => (await threadFacts(ctx, thread)).unread,
    }),
    isStarred: t.boolean({
      description: 'Whether one of these is starred.',
      extensions,
      resolve: async (thread, _args, ctx) => (await threadFacts(ctx, thread)).isStarred,
    }),
    date: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When its newest message came.',
      extensions,
      resolve: async (thread, _args, ctx) => (await threadFacts(ctx, thread)).date,
    }),
    folderIds: t.idList({
      description: 'Ids of the folders that its messages lie in.',
      extensions,
      resolve: async (thread, _args, ctx) => (await threadFacts(ctx, thread)).folderIds.map(String),
    }),
    labelIds: t.idList({
      description: 'Ids of the labels of its messages.',
      extensions,
      resolve: async (thread, _args, ctx) => (await threadFacts(ctx, thread)).labelIds.map(String),
    }),
    participants: t.field({
      type: [PersonShape.ref],
      description: `Who wrote its newest ${NAMED} messages, the last one to write first.`,
      extensions: { ...extensions, size: NAMED },
      resolve: async (thread, _args, ctx) => (await threadPeople(ctx, thread)) as never,
    }),
    newest: t.field({
      type: getRecordRef('svc.mail.entry'),
      nullable: true,
      description: 'Its newest message.',
      extensions,
      resolve: async (thread, _args, ctx, info) => {
        const id = await newestOf(ctx, thread);
        return id === null ? null : loadRecord(ctx, 'svc.mail.entry', id, info);
      },
    }),
    messages: t.field({
      type: [getRecordRef('svc.mail.entry')],
      description:
        `Its newest ${SHOWN} messages, oldest first. \`mailMessages\` with \`threadId\` in \`where\` has all of ` +
        'them.',
      extensions: { ...extensions, size: SHOWN },
      resolve: async (thread, _args, ctx, info) => {
        const ids = await threadMessages(ctx, thread, SHOWN);
        const rows = await Promise.all(ids.map((id) => loadRecord(ctx, 'svc.mail.entry', id, info)));
        return rows.filter((row) => row !== null);
      },
    }),
  }),
});

async function newestOf(ctx: Ctx, thread: Thread): Promise<number | null> {
  return (await threadMessages(ctx, thread, 1))[0] ?? null;
}

async function newestFacts(ctx: Ctx, thread: Thread) {
  const id = await newestOf(ctx, thread);
  return id === null ? null : factsOf(ctx, id);
}

builder.objectField(getRecordRef('svc.mail.entry'), 'thread', (t) =>
  t.field({
    type: MailThread,
    nullable: true,
    description: 'The conversation it belongs to; null where the feature `mail.threading` is off.',
    resolve: async ({ id }, _args, ctx) => {
      const facts = await factsOf(ctx, id);
      if (!facts || !(await hasFeature(ctx, facts.company_id, 'mail.threading'))) return null;
      return { id: facts.thread_id, accountId: facts.account_id, folderId: facts.folder_id };
    },
  }),
);
