import { putBlob } from '../../../src/db/blobs/put.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import { removeFiles } from '../../../src/message/remove-files.ts';
import { type ContentPart, isFile, type MessageContent } from './store-content.ts';

/** Marks a part whose bytes are not stored. */
const EMPTY_RANGE = { bodyFrom: 0, bodyTo: 0 };

/**
 * Stores the message without the bytes of its files. Drops a container with files entirely, except its plain text. A
 * message without files stays unchanged.
 */
export async function storeWithoutFiles(
  ctx: Ctx,
  raw: RawMail,
  content: MessageContent,
): Promise<MessageContent> {
  if (!content.parts.some(isFile)) return content;
  const containers = content.parts.filter(({ role }) => role === 'container');
  const findContainers = ({ path }: ContentPart) =>
    containers.filter((container) => path.startsWith(`${container.path}.`));
  const removed = new Set(content.parts.filter(isFile).flatMap((file) => [file, ...findContainers(file)]));
  const isInside = (part: ContentPart) => findContainers(part).length > 0;
  const mail = await removeFiles(
    raw,
    [...removed].filter((part) => !isInside(part)),
  );
  const { hash, size } = await putBlob(ctx, mail.read());
  const isKept = (part: ContentPart) =>
    isFile(part) || !(removed.has(part) || findContainers(part).some((container) => removed.has(container)));
  const parts = content.parts.filter(isKept).map((part) => {
    if (isFile(part)) return { ...part, ...EMPTY_RANGE };
    if (isInside(part)) return part;
    return { ...part, bodyFrom: mail.mapOffset(part.bodyFrom), bodyTo: mail.mapOffset(part.bodyTo) };
  });
  const hasHtml = parts.some(({ role }) => role === 'html');
  return { ...content, rawHash: hash, rawWhole: false, size, hasHtml, parts };
}

/** Drops the original of a message stored without files once all mailboxes have filed it. */
export async function forgetRawMessages(ctx: Ctx, intakeIds: number[]): Promise<void> {
  if (intakeIds.length === 0) return;
  const workspace = ctx.workspace.id;
  // Serializes mailboxes that finish concurrently, so that the last one sees the others' results.
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
