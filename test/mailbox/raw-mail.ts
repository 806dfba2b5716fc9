import { computeMessageKey, type Filing, fileEntries } from '../../schema/mailbox/messages/file-entries.ts';
import { storeRaw } from '../../schema/mailbox/messages/raw.ts';
import { readMail } from '../../schema/mailbox/messages/read-content.ts';
import { storeContent } from '../../schema/mailbox/messages/store-content.ts';
import { toRawMail } from '../../src/message/parse/raw.ts';
import type { Tenant } from '../harness/tenant.ts';
import type { Mailbox } from './mailboxes.ts';

/** Files a raw message as if it had been received, and returns its entry id. */
export async function fileRaw(
  tenant: Tenant,
  mailbox: Mailbox,
  raw: string | Buffer,
  overrides: Partial<Filing> = {},
): Promise<number> {
  const { ctx } = tenant;
  const bytes = Buffer.from(typeof raw === 'string' ? raw.replace(/\r?\n/g, '\r\n') : raw);
  const { hash: rawHash } = await storeRaw(ctx, bytes);
  const { content, threads, words } = await readMail(toRawMail(bytes), rawHash, ctx.workspace.id);
  const [id] = await ctx.tx(async (tx) =>
    fileEntries(tx, mailbox.id, [
      {
        folderId: mailbox.folders.inbox,
        contentId: await storeContent(tx, content),
        size: content.size,
        date: content.dateHeader ?? new Date(),
        key: computeMessageKey(content.messageId, rawHash),
        threads,
        words: await words(),
        source: 'smtp',
        ...overrides,
      },
    ]),
  );
  return id!;
}
