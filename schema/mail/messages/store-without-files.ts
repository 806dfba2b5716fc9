import { putBlob } from '../../../src/db/blobs/put.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { RawMail } from '../../../src/mail/parse/raw.ts';
import { removeFiles } from '../../../src/mail/remove-files.ts';
import type { ContentPart, MessageContent } from './store-content.ts';

/** Range of a part whose bytes are not stored. */
const EMPTY_RANGE = { bodyFrom: 0, bodyTo: 0 };

const isFile = ({ role }: ContentPart): boolean => role === 'attachment' || role === 'inline';

/** Removes the bytes of attached and inline files from the stored message. Unchanged if the message has no files. */
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

/** Deletes raw messages with files that are stored without them, once all mailboxes have filed their deliveries. */
export async function forgetRawMessages(ctx: Ctx, intakeIds: number[]): Promise<void> {
  if (intakeIds.length === 0) return;
  const workspace = ctx.workspace.id;
  // Serializes mailboxes that finish at the same time, so that the last one sees the others.
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
