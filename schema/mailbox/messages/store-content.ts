import { sql } from '../../../src/db/sql.ts';
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
      STORE_CONTENTS({ workspace, ...toContentColumns(newContents, newOnes) }),
    );
    for (const { id, raw_hash } of rows) ids.set(raw_hash, id);
    const storedIds = new Set(rows.map(({ id }) => id));
    const made = newOnes.filter((id) => storedIds.has(id));
    const madeContents = newContents.filter((_, i) => storedIds.has(newOnes[i]!));
    const parts = toPartColumns(madeContents, made);
    // A separate statement, because Citus would copy ids that pass between two inserts of one statement to all nodes.
    if (parts.partOf.length > 0) await tx.rows(INSERT_PARTS({ workspace, ...parts }));
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

const LINE_BREAK = '\n';

const toContentColumns = (contents: MessageContent[], ids: number[]) => ({
  ids,
  hashes: contents.map(({ rawHash }) => rawHash),
  wholes: contents.map(({ rawWhole }) => rawWhole),
  sizes: contents.map(({ size }) => size),
  subjects: contents.map(({ subject }) => subject),
  fromNames: contents.map(({ from }) => from.name),
  fromEmails: contents.map(({ from }) => from.email),
  recipients: contents.map(({ recipients }) => JSON.stringify(recipients)),
  dates: contents.map(({ dateHeader }) => dateHeader?.toISOString() ?? null),
  messageIds: contents.map(({ messageId }) => messageId),
  inReplyTo: contents.map(({ inReplyTo }) => inReplyTo),
  references: contents.map(({ references }) => references.join(LINE_BREAK)),
  listIds: contents.map(({ listId }) => listId),
  snippets: contents.map(({ snippet }) => snippet),
  texts: contents.map(({ text }) => text),
  htmls: contents.map(({ hasHtml }) => hasHtml),
  attachments: contents.map(({ parts }) => parts.filter(({ role }) => role === 'attachment').length),
  automatic: contents.map(({ isAutomatic }) => isAutomatic),
  verdicts: contents.map(({ verdicts }) => (verdicts ? JSON.stringify(verdicts) : null)),
  states: contents.map(({ state }) => state),
  belowHashes: contents.map(({ belowHash }) => belowHash ?? null),
});

function toPartColumns(contents: MessageContent[], ids: number[]) {
  const parts = contents.flatMap((content, i) =>
    content.parts.map((part, n) => ({ ...part, of: ids[i]!, number: n + 1 })),
  );
  return {
    partOf: parts.map((part) => part.of),
    numbers: parts.map((part) => part.number),
    paths: parts.map((part) => part.path),
    types: parts.map((part) => part.type),
    filenames: parts.map((part) => part.filename),
    charsets: parts.map((part) => part.charset),
    cids: parts.map((part) => part.cid),
    roles: parts.map((part) => part.role),
    encodings: parts.map((part) => part.encoding),
    bodiesFrom: parts.map((part) => part.bodyFrom),
    bodiesTo: parts.map((part) => part.bodyTo),
    partSizes: parts.map((part) => part.size),
  };
}

type StoreContentsArgs = { workspace: number } & ReturnType<typeof toContentColumns>;

type InsertPartsArgs = { workspace: number } & ReturnType<typeof toPartColumns>;

const INSERT_PARTS = sql.prepare<InsertPartsArgs>(
  (p) => sql`
  insert into svc_mail_part (workspace_id, content_id, number, path, type, filename, charset, cid, role, encoding,
    body_from, body_to, size)
  select c.workspace_id, c.id, p.number, p.path, p.type, p.filename, p.charset, p.cid, p.role, p.encoding,
    p.body_from, p.body_to, p.size
  from unnest(${p.partOf}::int8[], ${p.numbers}::int[], ${p.paths}::text[], ${p.types}::text[],
    ${p.filenames}::text[], ${p.charsets}::text[], ${p.cids}::text[], ${p.roles}::text[], ${p.encodings}::text[],
    ${p.bodiesFrom}::int[], ${p.bodiesTo}::int[], ${p.partSizes}::int[])
    p(content_id, number, path, type, filename, charset, cid, role, encoding, body_from, body_to, size)
  join svc_mail_message c on c.workspace_id = ${p.workspace} and c.id = p.content_id`,
);

/**
 * Stores contents. If another transaction has already stored one, returns its id; its parts then exist too. Reads a
 * mailbox, because Citus routes an insert to the workspace's node if it reads the workspace from a row.
 */
const STORE_CONTENTS = sql.prepare<StoreContentsArgs>(
  (p) => sql`
    insert into svc_mail_message (workspace_id, id, raw_hash, raw_whole, size, subject, from_name, email_from,
      recipients, date_header, message_id, in_reply_to, "references", list_id, snippet, text, has_html,
      attachment_count, is_automatic, verdicts, state, parser, below_hash)
    select a.workspace_id, c.id, c.raw_hash, c.raw_whole, c.size, c.subject, c.from_name, c.from_email, c.recipients,
      c.date_header, c.message_id, c.in_reply_to, string_to_array(c.refs, chr(10)), c.list_id, c.snippet, c.text,
      c.has_html, c.attachments, c.is_automatic, c.verdicts, c.state, ${sql.literal(PARSER_VERSION)}, c.below_hash
    from unnest(${p.ids}::int8[], ${p.hashes}::text[], ${p.wholes}::boolean[], ${p.sizes}::int[],
      ${p.subjects}::text[], ${p.fromNames}::text[], ${p.fromEmails}::text[], ${p.recipients}::jsonb[],
      ${p.dates}::timestamp[], ${p.messageIds}::text[], ${p.inReplyTo}::text[], ${p.references}::text[],
      ${p.listIds}::text[], ${p.snippets}::text[], ${p.texts}::text[], ${p.htmls}::boolean[],
      ${p.attachments}::int[], ${p.automatic}::boolean[], ${p.verdicts}::jsonb[], ${p.states}::text[],
      ${p.belowHashes}::bytea[])
      c(id, raw_hash, raw_whole, size, subject, from_name, from_email, recipients, date_header, message_id,
        in_reply_to, refs, list_id, snippet, text, has_html, attachments, is_automatic, verdicts, state, below_hash)
    join svc_mail_account a on a.workspace_id = ${p.workspace}
      and a.id = (select min(id) from svc_mail_account where workspace_id = ${p.workspace})
    order by c.raw_hash
    on conflict (workspace_id, raw_hash) do update set raw_hash = excluded.raw_hash returning id, raw_hash`,
);

/** Replaces a message's parsed content, except its verdicts. @returns false if the content was deleted */
export async function replaceContent(ctx: Ctx, id: number, content: MessageContent): Promise<boolean> {
  const workspace = ctx.workspace.id;
  const rows = await ctx.db.rows(
    sql`update svc_mail_message set subject = ${content.subject}, from_name = ${content.from.name},
       email_from = ${content.from.email}, recipients = ${JSON.stringify(content.recipients)}::jsonb,
       date_header = ${content.dateHeader?.toISOString() ?? null}::timestamp, message_id = ${content.messageId},
       in_reply_to = ${content.inReplyTo}, "references" = ${content.references}, list_id = ${content.listId},
       snippet = ${content.snippet}, text = ${content.text}, has_html = ${content.hasHtml},
       attachment_count = ${content.parts.filter(({ role }) => role === 'attachment').length},
       is_automatic = ${content.isAutomatic}, state = ${content.state}, parser = ${PARSER_VERSION}
     where workspace_id = ${workspace} and id = ${id} returning id`,
  );
  if (rows.length === 0) return false;
  await ctx.db.rows(sql`delete from svc_mail_part where workspace_id = ${workspace} and content_id = ${id}`);
  await ctx.db.rows(INSERT_PARTS({ workspace, ...toPartColumns([content], [id]) }));
  return true;
}
