import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_WRITE_POLICY, returnOutcome } from '../kit/operation.ts';
import { checkCanImport } from '../settings/policy.ts';
import { catchImapError, ERROR_CODE_SHAPE } from './imap-error.ts';
import { ImapAccountInput, parseImapServer } from './imap-server.ts';
import { withImapSession } from './imap-session.ts';

const FolderShape = defineTypedShape('MailImapFolder', 'A folder on another mail server.', {
  folder: { type: 'String', description: 'Path of the folder.' },
  name: { type: 'String', description: 'Name of the folder.' },
  kind: {
    type: 'String',
    description: 'One of inbox, sent, drafts, spam, trash and archive, or `folder` for any other folder.',
  },
  messages: {
    type: 'Int',
    nullable: true,
    description: 'Number of messages. Null if they could not be counted in time.',
  },
});

export const mailImapProbe = defineOperation('mailImapProbe', {
  effects: ['writes'],
  closedToAgents: true,
  address: 'svc.mail.account/import_imap_probe',
  policy: MAIL_WRITE_POLICY,
  description:
    'Signs in to a mailbox on another mail server and lists its folders. Changes nothing on that ' +
    'server and does not store the password.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to import into.' }),
    conn: arg({ type: ImapAccountInput, required: true, description: 'Mailbox on the other server.' }),
  }),
  ...returnOutcome('MailImapProbe', 'Folders that can be imported.', {
    ...ERROR_CODE_SHAPE,
    provider: { type: 'String', description: 'Provider, or `custom` for any other server.' },
    folders: { type: [FolderShape], description: 'Folders that can be imported.' },
  }),
  run: async (ctx, { accountId, conn }) => {
    const account = await getMemberMailbox(ctx, accountId);
    return catchImapError(async () => {
      await checkCanImport(ctx, account, 'mail.import_imap');
      const server = parseImapServer(conn);
      return {
        provider: server.provider,
        folders: await withImapSession(ctx, server, (session) => session.listFolders()),
      };
    });
  },
});
