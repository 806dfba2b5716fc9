import { putBlob } from '../../../src/db/blobs/put.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { detectMimetype } from '../../../src/media/mimetype.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, returnOutcome } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';
import { checkStagedQuota, parseAttachmentName, stageContent } from './staged.ts';

const MAX_ATTACHMENT_MB = limits.mail.attachmentBytes / 1024 / 1024;

export const mailUpload = defineOperation('mailUpload', {
  kind: 'mutation',
  effects: ['writes'],
  policy: MAIL_WRITE_POLICY,
  description:
    `Checks that a file of up to ${MAX_ATTACHMENT_MB} MB can be staged for a message, and returns a ` +
    'path. Upload the file to this path with PUT. The upload returns the same result as ' +
    '`compose_attach`.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to send the message from.' }),
    filename: arg.string({ required: true, description: 'Name of the file.' }),
  }),
  ...returnOutcome('MailUpload', 'Destination of a file upload.', {
    path: { type: 'String', description: 'Upload path on this server. Null if the call was rejected.' },
    maxBytes: { type: 'Int', description: 'Maximum size of the file in bytes.' },
  }),
  run: (ctx, { accountId, filename }) =>
    catchMailError(async () => {
      const { company_id } = await getMemberMailbox(ctx, accountId);
      await requireFeature(ctx, company_id, 'mail.composer2');
      const name = parseAttachmentName(filename);
      await checkStagedQuota(ctx, 0);
      return {
        path: `/mail/attachments?account_id=${accountId}&filename=${encodeURIComponent(name)}`,
        max_bytes: limits.mail.attachmentBytes,
        take: (bytes: AsyncIterable<Buffer>) => catchMailError(() => stageBytes(ctx, accountId, name, bytes)),
      };
    }),
});

async function stageBytes(ctx: Ctx, accountId: number, name: string, bytes: AsyncIterable<Buffer>) {
  let head = Buffer.alloc(0);
  async function* captureHead(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      if (head.length < SNIFFED_BYTES)
        head = Buffer.concat([head, chunk.subarray(0, SNIFFED_BYTES - head.length)]);
      yield chunk;
    }
  }
  const { hash, size } = await putBlob(ctx, captureHead(), { limit: limits.mail.attachmentBytes });
  await checkStagedQuota(ctx, size);
  return stageContent(ctx, accountId, { name, mimetype: detectMimetype(null, name, head, true), size, hash });
}

const SNIFFED_BYTES = 4_096;
