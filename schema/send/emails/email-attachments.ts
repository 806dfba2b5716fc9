import DataLoader from 'dataloader';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { recordRef } from '../../../src/engine/verb/record-ref.ts';
import { typedShape } from '../../../src/engine/verb/shape.ts';

const Attachment = typedShape('EmailAttachment', 'A file attached to an email.', {
  filename: { type: 'String', description: 'File name shown to the recipient.' },
  contentType: {
    type: 'String',
    nullable: true,
    description: 'Media type given in the request; null if it is derived from the file name.',
  },
  contentId: {
    type: 'String',
    nullable: true,
    description: 'Content id of an inline file, referenced in the HTML as `<img src="cid:…">`.',
  },
  alternative: {
    type: 'Boolean',
    description: 'True for another form of the text, such as a calendar invitation.',
  },
  size: { type: 'Int', description: 'Size in bytes.' },
});

builder.objectField(recordRef('svc.email'), 'attachments', (t) =>
  t.field({
    type: [Attachment.ref],
    description: 'Attached files without their content; empty once the bodies have been purged.',
    resolve: ({ id }, _args, ctx) => loaderOf(ctx).load(id) as Promise<File[]>,
  }),
);

type File = Record<string, unknown>;

const KEY = 'svc.email attachments';

/** The files of all emails of a page come with one statement. The emails themselves have been read under the rules. */
function loaderOf(ctx: Ctx): DataLoader<number, unknown> {
  let loader = ctx.loaded.get(KEY) as DataLoader<number, unknown> | undefined;
  if (!loader) {
    loader = new DataLoader((ids) => filesOfEmails(ctx, ids));
    ctx.loaded.set(KEY, loader);
  }
  return loader;
}

/** Without what stands for padding or a line break, four digits of base64 are three bytes. */
const SIZE = sql`(length(translate(f->>'content', E'=\\r\\n\\t ', '')) * 3 / 4)`;

const ALTERNATIVE = sql`coalesce((f->>'alternative')::boolean, false)`;

async function filesOfEmails(ctx: Ctx, ids: readonly number[]): Promise<File[][]> {
  const rows = await ctx.db.rows<{ id: number; files: File[] }>(
    sql`select m.id, json_agg(json_build_object('filename', f->>'filename', 'contentType', f->>'contentType',
       'contentId', f->>'contentId', 'alternative', ${ALTERNATIVE}, 'size', ${SIZE}) order by place) as files
     from svc_email m cross join jsonb_array_elements(m.attachments) with ordinality a(f, place)
     where m.workspace_id = ${ctx.workspace.id} and m.id = any(${ids}) and m.attachments is not null
     group by m.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row.files]));
  return ids.map((id) => byId.get(id) ?? []);
}
