import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoader } from '../../../src/engine/ctx/loader.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { detectMimetype } from '../../../src/media/mimetype.ts';
import { buildFileFromBytes, FileContentType } from '../../base/ir/file.ts';
import { EmailFileInput } from '../accept/email-files.ts';
import { isVisibleEmail } from '../kit/bound-domain.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';

const Attachment = defineTypedShape('EmailAttachment', EmailFileInput.description, {
  filename: { type: 'String', description: 'File name shown to the recipient.' },
  contentType: {
    type: 'String',
    nullable: true,
    description: 'Media type given in the request; null if it is derived from the file name.',
  },
  contentId: {
    type: 'String',
    nullable: true,
    description: EmailFileInput.parts.contentId.description,
  },
  alternative: {
    type: 'Boolean',
    description: 'True for an alternative version of the message text, such as a calendar invitation.',
  },
  size: { type: 'Int', description: 'Size in bytes.' },
});

builder.objectField(getRecordRef('svc.email'), 'attachments', (t) =>
  t.field({
    type: [Attachment.ref],
    description:
      'Attached files, without their content. Empty once the content of the email has been purged.',
    resolve: ({ id }, _args, ctx) => loadFiles(ctx, id),
  }),
);

interface StoredFile extends Record<string, unknown> {
  filename: string;
  size: number;
}

/** Loads the files of all emails on a page with one statement. Access was already checked when the emails were read. */
const loadFiles = (ctx: Ctx, id: number): Promise<StoredFile[]> =>
  getLoader<StoredFile[]>(ctx, 'svc.email attachments', (ids) => loadEmailFiles(ctx, ids), []).load(id);

/** Four Base64 digits encode three bytes; padding and line breaks do not count. */
const FILE_SIZE_SQL = sql`(length(translate(f->>'content', E'=\\r\\n\\t ', '')) * 3 / 4)`;

const IS_ALTERNATIVE_SQL = sql`coalesce((f->>'alternative')::boolean, false)`;

async function loadEmailFiles(ctx: Ctx, ids: readonly number[]): Promise<Map<number, StoredFile[]>> {
  const rows = await ctx.db.rows<{ id: number; files: StoredFile[] }>(
    sql`select m.id, json_agg(json_build_object('filename', f->>'filename', 'contentType', f->>'contentType',
       'contentId', f->>'contentId', 'alternative', ${IS_ALTERNATIVE_SQL}, 'size', ${FILE_SIZE_SQL})
       order by place) as files
     from svc_email m cross join jsonb_array_elements(m.attachments) with ordinality a(f, place)
     where m.workspace_id = ${ctx.workspace.id} and m.id = any(${ids}) and m.attachments is not null
     group by m.id`,
  );
  return new Map(rows.map((row) => [row.id, row.files]));
}

export const emailAttachments = defineOperation('emailAttachments', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    "Lists the attachments of an email without their content, like the email's `attachments` field.",
  args: (arg) => ({ id: arg.id({ required: true, description: 'Email id.' }) }),
  type: [Attachment.ref],
  run: async (ctx, { id }) => {
    const [email] = await ctx.db.rows<{ id: number }>(
      sql`select m.id from svc_email m where ${isVisibleEmail(ctx, String(id))}`,
    );
    if (!email) throw errors.notFound('Email');
    return loadFiles(ctx, email.id);
  },
});

export const emailAttachment = defineOperation('emailAttachment', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns an email attachment, including its content. Fails once the content of the email has ' +
    'been purged.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Email id.' }),
    place: arg.int({ required: true, description: 'Index of the file in the email, starting at 0.' }),
  }),
  type: FileContentType,
  run: async (ctx, { id, place }) => {
    const [file] = await ctx.db.rows<{ name: string; type: string | null; content: string }>(
      sql`select f.file->>'filename' as name, f.file->>'contentType' as type, f.file->>'content' as content
       from svc_email m cross join lateral (select m.attachments->${Math.max(0, place)}::int as file) f
       where ${isVisibleEmail(ctx, String(id))} and f.file is not null`,
    );
    if (!file) throw errors.notFound('Attachment');
    const bytes = Buffer.from(file.content, 'base64');
    const type = detectMimetype(file.type, file.name, bytes, true);
    return buildFileFromBytes(file.name, type, bytes);
  },
});
