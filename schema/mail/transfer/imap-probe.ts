import type { ImapFlow, ListResponse } from 'imapflow';
import { typedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { accountOf } from '../accounts/member-of.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { imapKindOf } from './imap-folder.ts';
import { answeringImap, CODE } from './imap-refusal.ts';
import { ImapAccount, serverOf } from './imap-server.ts';
import { type ImapSession, inImap } from './imap-session.ts';
import { checkImport } from './may-import.ts';

const Folder = typedShape('MailImapFolder', 'A folder of another mail server.', {
  folder: { type: 'String', description: 'Its path.' },
  name: { type: 'String', description: 'Its name.' },
  kind: {
    type: 'String',
    description: 'What it is for: inbox, sent, drafts, spam, trash or archive, else folder.',
  },
  messages: {
    type: 'Int',
    nullable: true,
    description: 'Number of messages; null where they could not be counted in time.',
  },
});

export const mailImapProbeVerb = verb('mailImapProbe', {
  kind: 'mutation',
  address: 'svc.mail.account/import_imap_probe',
  policy: mailWrites,
  description:
    'Signs in to a mailbox on another mail server and lists its folders. Nothing is changed there, and the password ' +
    'is not kept.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to import into.' }),
    conn: arg({ type: ImapAccount, required: true, description: 'The other mailbox.' }),
  }),
  ...answersShape('MailImapProbe', 'What there is to import.', {
    ...OUTCOME,
    ...CODE,
    provider: { type: 'String', nullable: true, description: 'Provider, or custom.' },
    folders: { type: [Folder], nullable: true, description: 'Folders that can be imported.' },
  }),
  run: async (ctx, { accountId, conn }) => {
    const account = await accountOf(ctx, accountId);
    return answeringImap(async () => {
      await checkImport(ctx, account, 'mail.import_imap');
      const server = serverOf(conn);
      return { provider: server.provider, folders: await inImap(ctx, server, listed) };
    });
  },
});

async function listed({ client, until }: ImapSession) {
  const all = (await client.list()).filter(
    ({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
  );
  const last = Math.min(until, Date.now() + limits.mail.imapCountTime);
  const folders = [];
  for (const each of all.slice(0, limits.mail.imapFolders))
    folders.push({
      folder: each.path,
      name: each.name,
      kind: imapKindOf(each),
      messages: Date.now() < last ? await countOf(client, each, last) : null,
    });
  return folders;
}

/** Null for a folder that the server does not count, and for one that takes it too long. */
async function countOf(client: ImapFlow, { path }: ListResponse, last: number): Promise<number | null> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, last - Date.now(), false);
  try {
    const status = await Promise.race([
      client.status(path, { messages: true }).catch(() => false as const),
      late,
    ]);
    return status ? (status.messages ?? null) : null;
  } finally {
    clearTimeout(timer);
  }
}
