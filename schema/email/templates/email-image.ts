import { createHash } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLinkSubject, signLink } from '../../../src/engine/identity/signed-link.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { create } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { parseImageHead } from '../../../src/image/image-head.ts';
import { FileContentType, findPublicAttachment } from '../../base/ir/file.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';

/** In Base64, an image of this size fits into a request. */
export const MAX_EMAIL_IMAGE_BYTES = 2 * 1024 * 1024;
export const MAX_WORKSPACE_IMAGE_BYTES = 512 * 1024 * 1024;
const MAX_WORKSPACE_IMAGES = 5_000;
const MAX_IMAGE_NAME_CHARS = 200;

/** Kind of signed link. Do not change it: the signatures in sent mail depend on it. */
const LINK = 'email-image';

const IMAGE_MODEL = 'svc.template';

const MAX_IMAGE_MEGABYTES = MAX_EMAIL_IMAGE_BYTES / 1024 / 1024;

const EmailImage = defineTypedShape('EmailImage', 'An image for use in emails.', {
  url: { type: 'String', description: 'Public URL of the image, for `src` of an `img` element.' },
  attachmentId: {
    type: 'ID',
    description: 'Attachment that contains the image. Deleting it makes the URL invalid.',
  },
  width: { type: 'Int', description: 'Width in pixels.' },
  height: { type: 'Int', description: 'Height in pixels.' },
  size: { type: 'Int', description: 'Number of bytes.' },
});

export const emailImageUpload = defineOperation('emailImageUpload', {
  effects: ['writes'],
  policy: { ...TEAM_WRITE_POLICY, audit: 'email.image' },
  description:
    `Stores an image of up to ${MAX_IMAGE_MEGABYTES} MB for templates, campaigns and emails, and returns its ` +
    'URL. Anyone with the URL can see the image. The URL does not change, and the same image always ' +
    'gets the same URL.',
  args: (arg) => ({
    name: arg.string({ required: true, description: 'File name, shown in the list of attachments.' }),
    content: arg({
      type: 'Bytes',
      required: true,
      description: 'PNG, JPEG, GIF or WebP. The type is detected from the content.',
    }),
  }),
  type: EmailImage.ref,
  run: (ctx, { name, content }) => ctx.tx((tx) => uploadImage(tx, sanitizeImageName(name), content)),
});

function sanitizeImageName(fileName: string): string {
  const name = fileName
    .replace(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '')
    .trim()
    .slice(0, MAX_IMAGE_NAME_CHARS);
  if (!name) throw errors.badField('name', 'a name is required.');
  return name.toWellFormed();
}

async function uploadImage(ctx: Ctx, name: string, content: Buffer) {
  if (content.length > MAX_EMAIL_IMAGE_BYTES)
    throw errors.badField('content', `an image may be at most ${MAX_IMAGE_MEGABYTES} MB.`);
  const image = parseImageHead(content);
  if (!image) throw errors.badField('content', 'not a PNG, JPEG, GIF or WebP image.');
  const checksum = createHash('sha1').update(content).digest('hex');
  const id = (await findImage(ctx, checksum)) ?? (await storeImage(ctx, name, image.mimetype, content));
  const { width, height } = image;
  return { url: buildImageUrl(ctx, id, checksum), attachmentId: id, width, height, size: content.length };
}

/** Finds an image that is already stored. Locks out other uploads, because concurrent ones could exceed the limit. */
async function findImage(ctx: Ctx, checksum: string): Promise<number | null> {
  await ctx.db.rows(sql`select pg_advisory_xact_lock(hashtext('email images'), ${ctx.workspace.id}::int)`);
  const [storedImages] = await ctx.db.rows<{ id: number | null; n: number; bytes: number }>(
    sql`select max(id) filter (where checksum = ${checksum}) as id, count(*)::int as n,
       coalesce(sum(file_size), 0)::int8 as bytes from ir_attachment
     where workspace_id = ${ctx.workspace.id} and res_model = ${IMAGE_MODEL} and res_id = 0 and public`,
  );
  const { id, n, bytes } = storedImages!;
  if (id === null && (n >= MAX_WORKSPACE_IMAGES || bytes >= MAX_WORKSPACE_IMAGE_BYTES))
    throw errors.badField(
      'content',
      `a workspace can store at most ${MAX_WORKSPACE_IMAGES} images with a total of ` +
        `${MAX_WORKSPACE_IMAGE_BYTES / 1024 / 1024} MB. Delete some of the attachments.`,
    );
  return id;
}

/** Runs as the system, because campaign authors need no access to attachments. */
async function storeImage(ctx: Ctx, name: string, mimetype: string, content: Buffer): Promise<number> {
  const datas = content.toString('base64');
  const values = { name, datas, mimetype, public: true, res_model: IMAGE_MODEL, res_id: 0 };
  return (await create(ctx.system(), 'ir.attachment', [values]))[0]!;
}

function buildImageUrl(ctx: Ctx, id: number, checksum: string): string {
  const { publicUrl, secretKey } = ctx.runtime.config;
  const link = signLink(secretKey, LINK, ctx.workspace.id, `${id}-${checksum}`);
  return `${publicUrl}/email/image/${link.id}/${link.hash}`;
}

export const emailImageOperation = defineOperation('emailImage', {
  effects: ['reads'],
  policy: { auth: ['LINK'], link: LINK, scope: 'read' },
  description:
    'Returns the image with the given URL, or null if the image was deleted or changed, or is no ' +
    'longer public.',
  args: () => ({}),
  type: FileContentType,
  nullable: true,
  run: (ctx) => {
    const [id, checksum] = getLinkSubject(ctx).split('-');
    return findPublicAttachment(ctx, Number(id), checksum!);
  },
});
