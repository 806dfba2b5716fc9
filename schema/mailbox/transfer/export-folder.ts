import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { type MboxEntry, writeMbox } from '../../../src/message/mbox/write-mbox.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_READ_POLICY, returnShape } from '../kit/operation.ts';
import { openRawMail } from '../messages/raw.ts';
import { loadFeatures, requireFeatureToRead } from '../settings/features.ts';

const MESSAGES_PER_FILE = 3_000;

const FolderSizeShape = defineTypedShape('MailFolderSize', 'A folder that can be exported.', {
  folderId: { type: 'ID', description: 'Id of the folder.' },
  name: { type: 'String', description: 'Name of the folder.' },
  role: { type: 'String', nullable: true, description: 'Role of a system folder, such as inbox.' },
  count: { type: 'Int', description: 'Number of messages.' },
  requests: { type: 'Int', description: 'Number of requests needed to download the whole folder.' },
});

export const mailExportInfo = defineOperation('mailExportInfo', {
  kind: 'query',
  effects: ['reads'],
  address: 'svc.mail.account/export_info',
  policy: MAIL_READ_POLICY,
  description:
    'Lists the folders of a mailbox with their message counts. A signed-in browser can download a folder ' +
    `from \`/svc_mail/export/<folder_id>?offset=<n>\`, ${MESSAGES_PER_FILE} messages at a time.`,
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Your mailbox.' }) }),
  ...returnShape('MailExportInfo', 'Folders of a mailbox that can be exported.', {
    folders: { type: [FolderSizeShape], description: 'Folders of the mailbox.' },
    messagesPerRequest: { type: 'Int', description: 'Maximum number of messages per file.' },
  }),
  run: async (ctx, { accountId }) => {
    const account = await getMemberMailbox(ctx, accountId);
    await requireFeatureToRead(ctx, account.company_id, 'mail.import_export');
    const folders = await ctx.db.rows<{ count: number }>(
      sql`select id as folder_id, name, role, total as count from svc_mail_folder
       where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and role is distinct from 'drafts'
       order by sequence, name, id`,
    );
    return {
      folders: folders.map((folder) => ({
        ...folder,
        requests: Math.ceil(folder.count / MESSAGES_PER_FILE),
      })),
      messages_per_request: MESSAGES_PER_FILE,
    };
  },
});

interface FolderExport {
  name: string;
  count: number;
  /** The file is generated as it is read. */
  file: AsyncIterable<Uint8Array>;
}

export const mailExport = defineOperation('mailExport', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description:
    "Returns the name and message count of a folder's mbox file, which a signed-in browser can download. " +
    'Null if there is no such file.',
  args: (arg) => ({
    folderId: arg.recordId({ required: true, description: 'Folder in one of your mailboxes.' }),
    offset: arg.int({
      defaultValue: 0,
      description: 'Number of messages to skip, in the order they were filed.',
    }),
  }),
  ...returnShape('MailExport', 'A part of a folder as an mbox file.', {
    name: { type: 'String', description: 'Name of the file.' },
    count: { type: 'Int', description: 'Number of messages in the file.' },
  }),
  nullable: true,
  run: async (ctx, { folderId, offset }): Promise<FolderExport> => {
    const folder = await getExportableFolder(ctx, folderId);
    const from = Math.max(0, offset ?? 0);
    const entries = await loadEntries(ctx, folderId, from);
    const part = from > 0 ? `-${from}` : '';
    return {
      name: `${folder.name.replace(/[^\p{L}\p{N} _-]+/gu, '_')}${part}.mbox`,
      count: entries.length,
      file: writeMbox(toMboxEntries(ctx, entries)),
    };
  },
});

/** @throws NOT_FOUND if the feature is off, or the caller is not a member of the mailbox */
async function getExportableFolder(ctx: Ctx, folderId: number): Promise<{ name: string }> {
  const workspace = ctx.workspace.id;
  const [folder] = await ctx.db.rows<{ name: string; company_id: number | null }>(
    sql`select f.name, a.company_id from svc_mail_folder f
     join svc_mail_account a on a.workspace_id = ${workspace} and a.id = f.account_id and a.active
     join svc_mail_member m on m.workspace_id = ${workspace} and m.account_id = f.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     where f.workspace_id = ${workspace} and f.id = ${folderId}`,
  );
  if (!folder || !(await loadFeatures(ctx, folder.company_id))['mail.import_export'])
    throw errors.notFound('Folder');
  return folder;
}

interface ExportEntry {
  raw_hash: string;
  size: number;
  from: string;
  date: string;
}

/** Loads entries in filing order, so that mail received between two requests does not shift the offsets. */
const loadEntries = (ctx: Ctx, folderId: number, offset: number): Promise<ExportEntry[]> =>
  ctx.db.rows<ExportEntry>(
    sql`select c.raw_hash, c.size, coalesce(e.envelope->>'from', c.email_from) as "from", e.date::text || 'Z' as date
     from (select e.id from svc_mail_entry e
       where e.workspace_id = ${ctx.workspace.id} and e.folder_id = ${folderId}
       order by e.id offset ${offset} limit ${sql.literal(MESSAGES_PER_FILE)}) p
     join svc_mail_entry e on e.workspace_id = ${ctx.workspace.id} and e.id = p.id
     join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
     order by e.id`,
  );

async function* toMboxEntries(ctx: Ctx, entries: ExportEntry[]): AsyncGenerator<MboxEntry> {
  for (const { raw_hash, size, from, date } of entries)
    yield { sender: from || null, date: new Date(date), raw: openRawMail(ctx, raw_hash, size).read(0, size) };
}

/** Exports all messages in a folder as an mbox file, without an access check. @param show called after each message */
export const exportWholeFolder = (ctx: Ctx, folderId: number, show: () => void): AsyncIterable<Uint8Array> =>
  writeMbox(readAllEntries(ctx, folderId, show));

async function* readAllEntries(ctx: Ctx, folderId: number, show: () => void): AsyncGenerator<MboxEntry> {
  for (let after = 0; ; ) {
    const page = await ctx.db.rows<ExportEntry & { id: number }>(
      sql`select e.id, c.raw_hash, c.size, coalesce(e.envelope->>'from', c.email_from) as "from",
         e.date::text || 'Z' as date
       from svc_mail_entry e
       join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
       where e.workspace_id = ${ctx.workspace.id} and e.folder_id = ${folderId} and e.id > ${after}
       order by e.id limit ${sql.literal(MESSAGES_PER_FILE)}`,
    );
    for await (const entry of toMboxEntries(ctx, page)) {
      yield entry;
      show();
    }
    if (page.length < MESSAGES_PER_FILE) return;
    after = page.at(-1)!.id;
  }
}
