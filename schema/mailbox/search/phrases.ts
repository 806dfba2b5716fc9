import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseTimestamp } from '../../../src/engine/value/instant.ts';
import { limits } from '../../../src/limits.ts';
import { matchesSearch, type SearchClock, type SearchedMessage } from '../../../src/message/search/match.ts';
import type { FolderRole, SearchNode } from '../../../src/message/search/tree.ts';
import type { Person } from '../messages/store-content.ts';

/** Number of messages whose text is in memory at the same time. */
const PHRASE_BATCH_SIZE = 100;

export function needsPhraseCheck(node: SearchNode): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.some(needsPhraseCheck);
  return node.kind === 'not' ? needsPhraseCheck(node.node) : node.kind === 'phrase';
}

/** Filters messages by text, in order, until `limit` match or the deadline `end` passes. */
export async function filterByPhrases(
  ctx: Ctx,
  ids: readonly number[],
  nodes: SearchNode[],
  clock: SearchClock,
  { limit, end }: { limit: number; end: number },
): Promise<{ ids: number[]; isCut: boolean }> {
  const tree: SearchNode = { kind: 'and', nodes };
  const matchingIds: number[] = [];
  for (let start = 0; start < ids.length && matchingIds.length < limit; start += PHRASE_BATCH_SIZE) {
    if (Date.now() > end) return { ids: matchingIds, isCut: true };
    const batch = ids.slice(start, start + PHRASE_BATCH_SIZE);
    const messages = new Map((await loadMessages(ctx, batch)).map((row) => [row.id, row]));
    for (const id of batch) {
      const row = messages.get(id);
      if (row && matchesSearch(tree, toSearchedMessage(row), clock)) matchingIds.push(id);
    }
  }
  return { ids: matchingIds.slice(0, limit), isCut: false };
}

interface PhraseRow {
  id: number;
  subject: string;
  from_name: string;
  email_from: string;
  recipients: { to?: Person[]; cc?: Person[] };
  envelope: { to?: string[]; bcc?: Person[] } | null;
  list_id: string | null;
  message_id: string | null;
  text: string;
  files: string[];
  attachment_count: number;
  size: number;
  date: string;
  thread_id: number;
  is_read: boolean;
  is_starred: boolean;
  is_answered: boolean;
  role: FolderRole | null;
  folder: string;
  labels: string[];
}

const loadMessages = (ctx: Ctx, ids: number[]): Promise<PhraseRow[]> =>
  ctx.db.rows<PhraseRow>(
    sql`select e.id, c.subject, c.from_name, c.email_from, c.recipients, e.envelope, c.list_id, c.message_id,
       left(c.text, ${sql.literal(limits.mail.searchedText)}) as text, c.size,
       c.attachment_count, e.date, e.thread_id, e.is_read, e.is_starred, e.is_answered, f.role, f.name as folder,
       array(select p.filename from svc_mail_part p where p.workspace_id = ${ctx.workspace.id}
         and p.content_id = c.id
         and p.role in ('attachment', 'inline', 'encrypted') and p.filename <> '' order by p.number) as files,
       array(select b.name from svc_mail_entry_label l
         join svc_mail_label b on b.workspace_id = ${ctx.workspace.id} and b.id = l.label_id
         where l.workspace_id = ${ctx.workspace.id} and l.entry_id = e.id) as labels
     from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
     join svc_mail_folder f on f.workspace_id = ${ctx.workspace.id} and f.id = e.folder_id
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${ids}::int8[])`,
  );

const formatAddress = ({ name, email }: Person): string => (name ? `${name} <${email}>` : email);

const toSearchedMessage = (row: PhraseRow): SearchedMessage => ({
  subject: row.subject,
  from: formatAddress({ name: row.from_name, email: row.email_from }),
  to: (row.recipients.to ?? []).map(formatAddress),
  cc: (row.recipients.cc ?? []).map(formatAddress),
  bcc: (row.envelope?.bcc ?? []).map(formatAddress),
  attachments: row.files,
  hasAttachments: row.attachment_count > 0,
  listId: row.list_id ?? undefined,
  text: row.text,
  messageId: row.message_id ? `<${row.message_id}>` : undefined,
  deliveredTo: row.envelope?.to ?? [],
  thread: String(row.thread_id),
  size: row.size,
  date: new Date(parseTimestamp(row.date)),
  isRead: row.is_read,
  isStarred: row.is_starred,
  isAnswered: row.is_answered,
  folderRole: row.role,
  folderName: row.folder,
  labels: row.labels,
});
