import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

export interface ContentPart {
  path: string;
  type: string;
  filename: string;
  charset: string | null;
  cid: string | null;
  /** Value of `svc_mail_part.role`. */
  role: string;
  encoding: string;
  bodyFrom: number;
  bodyTo: number;
  size: number;
}

export const isFile = ({ role }: Pick<ContentPart, 'role'>): boolean =>
  role === 'attachment' || role === 'inline' || role === 'encrypted';

export interface Person {
  name: string;
  email: string;
}

export const toPerson = ({ name, address }: { name?: string | null; address: string }): Person => ({
  name: name ?? '',
  email: address,
});

/** `isCut` if the message has more recipients. */
export type Recipients = Record<'to' | 'cc' | 'replyTo', Person[]> & { isCut?: true };

export interface MessageContent {
  rawHash: string;
  rawWhole: boolean;
  /** See src/message/trace-hash.ts. */
  belowHash?: Buffer | null;
  size: number;
  subject: string;
  from: Person;
  recipients: Recipients;
  dateHeader: Date | null;
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  listId: string | null;
  snippet: string;
  text: string;
  hasHtml: boolean;
  isAutomatic: boolean;
  verdicts: object | null;
  state: 'parsed' | 'placeholder';
  parts: ContentPart[];
}

/** Stored with each message, so that messages parsed by an older version can be parsed again. */
export const PARSER_VERSION = 1;

export const storeContent = async (ctx: Ctx, content: MessageContent): Promise<number> =>
  (await storeContents(ctx, [content])).ids.get(content.rawHash)!;

interface StoredContents {
  /** Ids by raw message hash. */
  ids: Map<string, number>;
  /** Ids of newly inserted contents. */
  made: number[];
}

/**
 * Stores parsed messages, each once for all mailboxes of the workspace. A transaction must lock contents before
 * mailboxes. Several contents are locked in the same order, so that transactions cannot deadlock.
 */
export async function storeContents(ctx: Ctx, contents: readonly MessageContent[]): Promise<StoredContents> {
  const contentsByHash = new Map(contents.map((content) => [content.rawHash, content]));
  const ids = await findContents(ctx, [...contentsByHash.keys()]);
  const newContents = [...contentsByHash.values()].filter(({ rawHash }) => !ids.has(rawHash));
  if (newContents.length === 0) return { ids, made: [] };
  const newOnes = await allocateIds(ctx, 'svc_mail_message', newContents.length);
  const workspace = ctx.workspace.id;
  return ctx.db.transaction(async (tx) => {
    const rows = await tx.rows<{ id: number; raw_hash: string }>(
      buildContentsInsert(sql.param(workspace), newContents, newOnes),
    );
    for (const { id, raw_hash } of rows) ids.set(raw_hash, id);
    const storedIds = new Set(rows.map(({ id }) => id));
    const made = newOnes.filter((id) => storedIds.has(id));
    const madeContents = newContents.filter((_, i) => storedIds.has(newOnes[i]!));
    // A separate statement, because Citus would copy ids that pass between two inserts of one statement to all nodes.
    if (madeContents.some(({ parts }) => parts.length > 0))
      await tx.rows(buildPartsInsert(workspace, madeContents, made));
    return { ids, made };
  });
}

/**
 * Deletes the given contents that have no entry. Requires the transaction that inserted or locked them, so that no
 * other transaction uses them.
 */
export async function deleteUnfiledContents(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length > 0)
    await ctx.db.rows(
      sql`delete from svc_mail_message c where c.workspace_id = ${ctx.workspace.id} and c.id = any(${ids}::int8[])
       and not exists (select 1 from svc_mail_entry e where e.workspace_id = ${ctx.workspace.id}
         and e.content_id = c.id)`,
    );
}

/** Finds and locks contents, so that they are not deleted along with their last message before the transaction ends. */
async function findContents(ctx: Ctx, hashes: string[]): Promise<Map<string, number>> {
  const rows = await ctx.db.rows<{ id: number; raw_hash: string }>(
    sql`select c.id, c.raw_hash from svc_mail_message c
     where c.workspace_id = ${ctx.workspace.id} and c.raw_hash = any(${hashes}::text[]) order by c.id for key share`,
  );
  return new Map(rows.map(({ id, raw_hash }) => [raw_hash, id]));
}

/** @param ids ids of the contents, in the same order */
function buildPartsInsert(
  workspace: number,
  contents: readonly MessageContent[],
  ids: readonly number[],
): Sql {
  const parts = contents.flatMap((content, i) =>
    content.parts.map((part, n) => ({ ...part, of: ids[i]!, number: n + 1 })),
  );
  return sql`insert into svc_mail_part (workspace_id, content_id, number, path, type, filename, charset, cid, role,
      encoding, body_from, body_to, size)
    select c.workspace_id, c.id, p.number, p.path, p.type, p.filename, p.charset, p.cid, p.role, p.encoding,
      p.body_from, p.body_to, p.size
    from unnest(${parts.map((part) => part.of)}::int8[], ${parts.map(({ number }) => number)}::int[],
      ${parts.map(({ path }) => path)}::text[], ${parts.map(({ type }) => type)}::text[],
      ${parts.map(({ filename }) => filename)}::text[], ${parts.map(({ charset }) => charset)}::text[],
      ${parts.map(({ cid }) => cid)}::text[], ${parts.map(({ role }) => role)}::text[],
      ${parts.map(({ encoding }) => encoding)}::text[], ${parts.map(({ bodyFrom }) => bodyFrom)}::int[],
      ${parts.map(({ bodyTo }) => bodyTo)}::int[], ${parts.map(({ size }) => size)}::int[])
      p(content_id, number, path, type, filename, charset, cid, role, encoding, body_from, body_to, size)
    join svc_mail_message c on c.workspace_id = ${workspace} and c.id = p.content_id`;
}

const LINE_BREAK = '\n';

/**
 * Stores contents. If another transaction has already stored one, returns its id; its parts then exist too. Reads a
 * mailbox, because Citus routes an insert to the workspace's node if it reads the workspace from a row.
 * @param workspace the workspace's id as a single parameter
 */
const buildContentsInsert = (
  workspace: unknown,
  contents: readonly MessageContent[],
  ids: number[],
): Sql => sql`
  insert into svc_mail_message (workspace_id, id, raw_hash, raw_whole, size, subject, from_name, email_from,
    recipients, date_header, message_id, in_reply_to, "references", list_id, snippet, text, has_html,
    attachment_count, is_automatic, verdicts, state, parser, below_hash)
  select a.workspace_id, c.id, c.raw_hash, c.raw_whole, c.size, c.subject, c.from_name, c.from_email, c.recipients,
    c.date_header, c.message_id, c.in_reply_to, string_to_array(c.refs, chr(10)), c.list_id, c.snippet, c.text,
    c.has_html, c.attachments, c.is_automatic, c.verdicts, c.state, ${sql.literal(PARSER_VERSION)}, c.below_hash
  from unnest(${ids}::int8[], ${contents.map(({ rawHash }) => rawHash)}::text[],
    ${contents.map(({ rawWhole }) => rawWhole)}::boolean[], ${contents.map(({ size }) => size)}::int[],
    ${contents.map(({ subject }) => subject)}::text[], ${contents.map(({ from }) => from.name)}::text[],
    ${contents.map(({ from }) => from.email)}::text[],
    ${contents.map(({ recipients }) => JSON.stringify(recipients))}::jsonb[],
    ${contents.map(({ dateHeader }) => dateHeader?.toISOString() ?? null)}::timestamp[],
    ${contents.map(({ messageId }) => messageId)}::text[], ${contents.map(({ inReplyTo }) => inReplyTo)}::text[],
    ${contents.map(({ references }) => references.join(LINE_BREAK))}::text[],
    ${contents.map(({ listId }) => listId)}::text[], ${contents.map(({ snippet }) => snippet)}::text[],
    ${contents.map(({ text }) => text)}::text[], ${contents.map(({ hasHtml }) => hasHtml)}::boolean[],
    ${contents.map(countAttachments)}::int[], ${contents.map(({ isAutomatic }) => isAutomatic)}::boolean[],
    ${contents.map(({ verdicts }) => (verdicts ? JSON.stringify(verdicts) : null))}::jsonb[],
    ${contents.map(({ state }) => state)}::text[], ${contents.map(({ belowHash }) => belowHash ?? null)}::bytea[])
    c(id, raw_hash, raw_whole, size, subject, from_name, from_email, recipients, date_header, message_id,
      in_reply_to, refs, list_id, snippet, text, has_html, attachments, is_automatic, verdicts, state, below_hash)
  join svc_mail_account a on a.workspace_id = ${workspace}
    and a.id = (select min(id) from svc_mail_account where workspace_id = ${workspace})
  order by c.raw_hash
  on conflict (workspace_id, raw_hash) do update set raw_hash = excluded.raw_hash returning id, raw_hash`;

const countAttachments = ({ parts }: MessageContent): number =>
  parts.filter(({ role }) => role === 'attachment').length;

/** Replaces a message's parsed content, except its verdicts. @returns false if the content was deleted */
export async function replaceContent(ctx: Ctx, id: number, content: MessageContent): Promise<boolean> {
  const workspace = ctx.workspace.id;
  const rows = await ctx.db.rows(
    sql`update svc_mail_message set subject = ${content.subject}, from_name = ${content.from.name},
       email_from = ${content.from.email}, recipients = ${JSON.stringify(content.recipients)}::jsonb,
       date_header = ${content.dateHeader?.toISOString() ?? null}::timestamp, message_id = ${content.messageId},
       in_reply_to = ${content.inReplyTo}, "references" = ${content.references}, list_id = ${content.listId},
       snippet = ${content.snippet}, text = ${content.text}, has_html = ${content.hasHtml},
       attachment_count = ${countAttachments(content)},
       is_automatic = ${content.isAutomatic}, state = ${content.state}, parser = ${PARSER_VERSION}
     where workspace_id = ${workspace} and id = ${id} returning id`,
  );
  if (rows.length === 0) return false;
  await ctx.db.rows(sql`delete from svc_mail_part where workspace_id = ${workspace} and content_id = ${id}`);
  await ctx.db.rows(buildPartsInsert(workspace, [content], [id]));
  return true;
}
