import { putBlob } from '../../../src/db/blobs/put.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { RawMail } from '../../../src/mail/parse/raw.ts';
import { removeFiles } from '../../../src/mail/remove-files.ts';
import type { ContentPart, MessageContent } from './store-content.ts';

/** A part whose bytes are not kept. */
const EMPTY_RANGE = { bodyFrom: 0, bodyTo: 0 };

const isFile = ({ role }: ContentPart): boolean => role === 'attachment' || role === 'inline';

/** A message as it is kept without the bytes of its files; the same where it has none. */
export async function storeWithoutFiles(
  ctx: Ctx,
  raw: RawMail,
  content: MessageContent,
): Promise<MessageContent> {
  const files = content.parts.filter(isFile);
  if (files.length === 0) return content;
  const stripped = await removeFiles(raw, files);
  const { hash, size } = await putBlob(ctx, stripped.read());
  const parts = content.parts.map((part) => ({
    ...part,
    ...(isFile(part)
      ? EMPTY_RANGE
      : { bodyFrom: stripped.mapOffset(part.bodyFrom), bodyTo: stripped.mapOffset(part.bodyTo) }),
  }));
  return { ...content, rawHash: hash, rawWhole: false, size, parts };
}

/** Forgets whole messages, of which not all was kept, once no mailbox waits for them any more. */
export async function forgetRawMessages(ctx: Ctx, intakeIds: number[]): Promise<void> {
  if (intakeIds.length === 0) return;
  const workspace = ctx.workspace.id;
  // Mailboxes that are done at the same time take turns, so that the last one sees the others.
  await ctx.db.rows(
    sql`select 1 from svc_mail_intake where workspace_id = ${workspace} and id = any(${intakeIds}::int8[])
     order by id for update`,
  );
  await ctx.db.rows(
    sql`update svc_mail_intake i set raw_hash = ''
     where i.workspace_id = ${workspace} and i.id = any(${intakeIds}::int8[])
       and not exists (select 1 from svc_mail_delivery d where d.workspace_id = ${workspace}
         and d.intake_id = i.id and (d.next_at is not null or d.state = 'failed'))`,
  );
}
