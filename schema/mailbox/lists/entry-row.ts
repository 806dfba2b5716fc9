import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';

/** Other facades use the same keys in snake case. */
export const EntryRowShape = defineTypedShape('MailMessageRow', 'A message in a list.', {
  entryId: { type: 'ID', nullable: true, description: 'Id of the message; null for a draft.' },
  draftId: { type: 'ID', nullable: true, description: 'Id of the draft. Null for a message.' },
  accountId: { type: 'ID', description: 'Id of the mailbox that contains the message or draft.' },
  folderId: { type: 'ID', description: 'Id of the folder that contains the message or draft.' },
  threadId: {
    type: 'ID',
    nullable: true,
    description: "Id of the message's conversation. Null for a draft.",
  },
  subject: { type: 'String', description: 'Subject.' },
  fromName: { type: 'String', description: 'Display name of the sender. Empty if unknown.' },
  fromEmail: { type: 'String', description: 'Address of the sender.' },
  to: { type: 'String', description: 'Recipients, separated by commas.' },
  date: {
    type: 'DateTime',
    description: 'When the message was received. For an imported message, when it was sent.',
  },
  isRead: { type: 'Boolean', description: 'True if the message has been read.' },
  isStarred: { type: 'Boolean', description: 'True if the message is starred.' },
  isAnswered: { type: 'Boolean', description: 'True if the message has been replied to.' },
  snippet: { type: 'String', description: 'The first 200 characters of the text.' },
  size: { type: 'Int', description: 'Size of the raw message in bytes.' },
  attachmentCount: { type: 'Int', description: 'Number of attachments.' },
  labelIds: { type: ['ID'], description: "Ids of the message's labels." },
});

/** Formats a JSON list of `{name, email}` objects as in a message header. */
const buildPersonsSql = (list: Sql): Sql => sql`coalesce((
  select string_agg(
    case when r->>'name' = '' then r->>'email' else (r->>'name') || ' <' || (r->>'email') || '>' end, ', ')
  from jsonb_array_elements(${list}) r), '')`;

/** Selects rows as JSON text for the entries of `page` (id and date, in list order). `workspace` is a parameter. */
const buildRowsSql = (workspace: unknown, page: Sql): Sql => sql`
  select coalesce(json_agg(json_build_object(
      'entry_id', e.id, 'account_id', e.account_id, 'folder_id', e.folder_id, 'thread_id', e.thread_id,
      'subject', c.subject, 'from_name', c.from_name, 'from_email', c.email_from,
      'to', ${buildPersonsSql(sql`c.recipients->'to'`)},
      'date', to_char(e.date, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'is_read', e.is_read, 'is_starred', e.is_starred,
      'is_answered', e.is_answered, 'snippet', c.snippet, 'size', c.size, 'attachment_count', c.attachment_count,
      'label_ids', array(select l.label_id from svc_mail_entry_label l
        where l.workspace_id = ${workspace} and l.entry_id = e.id order by l.label_id))
    order by p.date desc, p.id desc), '[]')::text as json, count(*)::int as n
  from (${page}) p
  join svc_mail_entry e on e.workspace_id = ${workspace} and e.id = p.id
  join svc_mail_message c on c.workspace_id = ${workspace} and c.id = e.content_id`;

export async function loadEntryRows(
  ctx: Ctx,
  workspace: unknown,
  page: Sql,
): Promise<{ json: string; n: number }> {
  const row = await readJsonRow<{ json: string; n: number }>(ctx.db, buildRowsSql(workspace, page), ['n']);
  return { json: row!.json, n: row!.n };
}
