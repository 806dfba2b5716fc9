import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLinkSubject } from '../../../src/engine/identity/signed-link.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { readPartContent } from '../../../src/message/parse/part-content.ts';
import { getDisplayName } from '../../../src/message/part-name.ts';
import { type FileContent, FileContentType } from '../../base/ir/file.ts';
import { getMemberEntries } from '../accounts/member-access.ts';
import { MAIL_READ_POLICY } from '../kit/operation.ts';
import { openRawMail } from '../messages/raw.ts';
import { isFile } from '../messages/store-content.ts';
import { FILE_LINK_KIND } from './file-link.ts';
import { loadPartRows, locateParts } from './parts.ts';

export const mailFile = defineOperation('mailFile', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Returns an attachment of a message, or the raw message.',
  args: (arg) => ({
    entryId: arg.recordId({ required: true, description: 'Message in one of your mailboxes.' }),
    number: arg.int({ defaultValue: 0, description: 'Number of the attachment; 0 for the raw message.' }),
  }),
  type: FileContentType,
  run: async (ctx, { entryId, number }) => {
    await getMemberEntries(ctx, [entryId]);
    return loadFile(ctx, entryId, number ?? 0);
  },
});

export const mailFileLinked = defineOperation('mailFileLinked', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['LINK'], scope: 'read', link: FILE_LINK_KIND },
  description: 'Returns the attachment or raw message that a signed link refers to.',
  args: () => ({}),
  type: FileContentType,
  run: async (ctx) => {
    const [entryId, number, userId] = getLinkSubject(ctx).split('.').map(Number) as [number, number, number];
    if (!(await canStillRead(ctx, entryId, userId))) throw errors.notFound('Message');
    return loadFile(ctx, entryId, number);
  },
});

async function canStillRead(ctx: Ctx, entryId: number, userId: number): Promise<boolean> {
  const workspace = ctx.workspace.id;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_entry e
     join svc_mail_account a on a.workspace_id = ${workspace} and a.id = e.account_id and a.active
     join svc_mail_member m on m.workspace_id = ${workspace} and m.account_id = e.account_id
     join res_users u on u.workspace_id = ${workspace} and u.id = m.user_id and u.active
     where e.workspace_id = ${workspace} and e.id = ${entryId} and m.user_id = ${userId}`,
  );
  return rows.length > 0;
}

interface RawRow {
  content_id: number;
  raw_hash: string;
  size: number;
}

/** @throws NOT_FOUND if the message or the part does not exist */
async function loadFile(ctx: Ctx, entryId: number, number: number): Promise<FileContent> {
  const [raw] = await ctx.db.rows<RawRow>(
    sql`select e.content_id, c.raw_hash, c.size from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
     where e.workspace_id = ${ctx.workspace.id} and e.id = ${entryId}`,
  );
  if (!raw) throw errors.notFound('Message');
  const mail = openRawMail(ctx, raw.raw_hash, raw.size);
  const checksum = `${raw.raw_hash}.${number}`;
  if (number === 0)
    return {
      name: `message-${entryId}.eml`,
      mimetype: 'message/rfc822',
      checksum,
      size: raw.size,
      read: ({ from = 0, to = raw.size } = {}) => mail.read(from, to) as AsyncIterable<Buffer>,
    };
  const parts = (await loadPartRows(ctx, [raw.content_id])).get(raw.content_id) ?? [];
  const part = parts.find((part) => part.number === number && isFile(part));
  if (!part) throw errors.notFound('Attachment');
  if (part.body_to === 0) throw errors.notFound('Content of the attachment');
  const location = locateParts(parts).get(number)!;
  return {
    name: getDisplayName(part.filename, part.type),
    mimetype: part.type,
    checksum,
    size: part.size,
    read: ({ from = 0, to = part.size } = {}) => sliceBytes(readPartContent(mail, location), from, to),
  };
}

/**
 * Yields a byte range of a stream. Reads and drops the bytes before it, because decoded content has no random access.
 */
async function* sliceBytes(
  chunks: AsyncIterable<Uint8Array>,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of chunks) {
    const start = Math.max(0, from - position);
    const end = Math.min(chunk.length, to - position);
    if (start < end) yield Buffer.from(chunk.buffer, chunk.byteOffset + start, end - start);
    position += chunk.length;
    if (position >= to) return;
  }
}
