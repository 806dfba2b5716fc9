import { defineTypedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { accountOf } from '../accounts/member-of.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { listFolders } from './imap-list.ts';
import { answeringImap, CODE } from './imap-refusal.ts';
import { ImapAccount, serverOf } from './imap-server.ts';
import { inImap } from './imap-session.ts';
import { checkImport } from './may-import.ts';

const Folder = defineTypedShape('MailImapFolder', 'A folder of another mail server.', {
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
  effects: ['writes'],
  closedToAgents: true,
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
      return {
        provider: server.provider,
        folders: await inImap(ctx, server, ({ client, until }) => listFolders(client, until)),
      };
    });
  },
});
