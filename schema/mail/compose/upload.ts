import { putBlob } from '../../../src/db/blobs/put.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { detectMimetype } from '../../../src/media/mimetype.ts';
import { accountOf } from '../accounts/member-of.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering } from '../kit/refusal.ts';
import { wantFeature } from '../settings/features.ts';
import { attachmentName, checkStaged, stageContent } from './staged.ts';

const MEGABYTES = limits.mail.attachmentBytes / 1024 / 1024;

export const mailUploadVerb = verb('mailUpload', {
  kind: 'mutation',
  effects: ['writes'],
  policy: mailWrites,
  description:
    `Checks that a file can be staged for a message, and says where its bytes are sent with PUT, up to ${MEGABYTES} ` +
    'MB. That answers as `compose_attach` does.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox that the message is to be sent from.' }),
    filename: arg.string({ required: true, description: 'Name of the file.' }),
  }),
  ...answersShape('MailUpload', 'Where a file is uploaded to.', {
    ...OUTCOME,
    path: { type: 'String', nullable: true, description: 'Path of this server; null when refused.' },
    maxBytes: { type: 'Int', nullable: true, description: 'Bytes it may have.' },
  }),
  run: (ctx, { accountId, filename }) =>
    answering(async () => {
      const { company_id } = await accountOf(ctx, accountId);
      await wantFeature(ctx, company_id, 'mail.composer2');
      const name = attachmentName(filename);
      await checkStaged(ctx, 0);
      return {
        path: `/mail/attachments?account_id=${accountId}&filename=${encodeURIComponent(name)}`,
        max_bytes: limits.mail.attachmentBytes,
        /** Stages the bytes as they come. */
        take: (bytes: AsyncIterable<Buffer>) => answering(() => stageBytes(ctx, accountId, name, bytes)),
      };
    }),
});

async function stageBytes(ctx: Ctx, accountId: number, name: string, bytes: AsyncIterable<Buffer>) {
  let head = Buffer.alloc(0);
  async function* noted(): AsyncGenerator<Buffer> {
    for await (const piece of bytes) {
      if (head.length < HEAD) head = Buffer.concat([head, piece.subarray(0, HEAD - head.length)]);
      yield piece;
    }
  }
  const { hash, size } = await putBlob(ctx, noted(), { limit: limits.mail.attachmentBytes });
  await checkStaged(ctx, size);
  return stageContent(ctx, accountId, { name, mimetype: detectMimetype(null, name, head, true), size, hash });
}

/** Bytes by which the kind of a file is known. */
const HEAD = 4_096;
