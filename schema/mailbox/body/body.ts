import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { linkifyText } from '../../../src/message/html/linkify-text.ts';
import { sanitizeMessage } from '../../../src/text/sanitize-message.ts';
import { getMemberEntries } from '../accounts/member-access.ts';
import { MAIL_READ_POLICY, returnTypedShape } from '../kit/operation.ts';
import { countHtmlBytes, renderDownloadLink, renderHtml } from '../read/message-html.ts';
import { loadPartRows } from '../read/parts.ts';
import { consumeBudget, getResponseBudget } from '../read/response-budget.ts';
import { loadPrefs } from '../settings/prefs.ts';
import { buildImagePath } from './image-link.ts';

interface BodyView {
  html: string;
  is_text: boolean;
  has_remote_images: boolean;
  shows_remote_images: boolean;
}

export const BodyShape = defineTypedShape('MailBody', 'A message as shown in a browser frame.', {
  html: {
    type: 'String',
    description:
      'Sanitized HTML, with images served by this server. Contains the plain text if the message has no HTML.',
  },
  isText: { type: 'Boolean', description: 'True if the message has no HTML.' },
  hasRemoteImages: { type: 'Boolean', description: 'True if the HTML refers to images on other servers.' },
  showsRemoteImages: { type: 'Boolean', description: 'True if remote images are shown.' },
});

export const REMOTE_IMAGES_DESCRIPTION =
  'True to show images from other servers. This server fetches them; the sender may still learn that the message ' +
  'is read. Defaults to your preference.';

export const mailBody = defineOperation('mailBody', {
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Returns a message as `/mail/body/:id` shows it. Does not mark it as read.',
  args: (arg) => ({
    entryId: arg.recordId({ required: true, description: 'Message in one of your mailboxes.' }),
    remoteImages: arg.boolean({ description: REMOTE_IMAGES_DESCRIPTION }),
  }),
  ...returnTypedShape(BodyShape),
  run: async (ctx, { entryId, remoteImages }) => {
    const [entry] = await getMemberEntries(ctx, [entryId]);
    const images = await shouldShowImages(ctx, remoteImages);
    return renderBody(ctx, entryId, entry!.content_id, images);
  },
});

/** Returns the requested value, or else the user's preference. A caller who is not a user sees no images. */
async function shouldShowImages(ctx: Ctx, isRequested: boolean | null | undefined): Promise<boolean> {
  const userId = ctx.principal?.userId;
  return userId ? (isRequested ?? (await loadPrefs(ctx, userId)).autoloadImages) : false;
}

interface ContentRow {
  raw_hash: string;
  size: number;
}

async function renderBody(ctx: Ctx, entryId: number, contentId: number, images: boolean): Promise<BodyView> {
  const [content] = await ctx.db.rows<ContentRow>(
    sql`select raw_hash, size from svc_mail_message
     where workspace_id = ${ctx.workspace.id} and id = ${contentId}`,
  );
  const parts = (await loadPartRows(ctx, [contentId])).get(contentId) ?? [];
  reserveHtmlBytes(ctx, countHtmlBytes(parts));
  const rendered = await renderHtml(ctx, content!, parts, {
    file: (number) => `/mail/part/${entryId}/${number}`,
    remote: images ? (address) => buildImagePath(ctx, address) : 'hidden',
    styles: 'scoped',
  });
  if (!rendered) {
    const { text, is_cut: isCut } = await loadText(ctx, contentId);
    return toTextBody(linkifyText(text) + (isCut ? renderDownloadLink(`/mail/part/${entryId}/0`) : ''));
  }
  const { body_html, has_remote_images: hasRemoteImages } = rendered.view;
  return toHtmlBody(body_html, hasRemoteImages, images);
}

/**
 * Renders HTML that does not belong to a message in a mailbox.
 * @param files URLs of the files by Content-ID
 */
export async function renderHtmlBody(
  ctx: Ctx,
  html: string,
  files: ReadonlyMap<string, string>,
  remoteImages: boolean | null | undefined,
): Promise<BodyView> {
  reserveHtmlBytes(ctx, html.length);
  const images = await shouldShowImages(ctx, remoteImages);
  const remote = images ? (address: string) => buildImagePath(ctx, address) : 'hidden';
  const sanitized = await sanitizeMessage(ctx.workspace.id, html, { files, remote }, 'scoped');
  return toHtmlBody(sanitized.html, sanitized.remoteImages, images);
}

const toHtmlBody = (html: string, hasRemoteImages: boolean, images: boolean): BodyView => ({
  html,
  is_text: false,
  has_remote_images: hasRemoteImages,
  shows_remote_images: hasRemoteImages && images,
});

/** @throws USER_ERROR if the response would contain too much HTML */
function reserveHtmlBytes(ctx: Ctx, bytes: number): void {
  if (!consumeBudget(getResponseBudget(ctx, 'html'), bytes)) throw errors.answerTooLarge();
}

export const toTextBody = (html: string): BodyView => ({
  html,
  is_text: true,
  has_remote_images: false,
  shows_remote_images: false,
});

async function loadText(ctx: Ctx, contentId: number): Promise<{ text: string; is_cut: boolean }> {
  const maxLength = sql.literal(limits.mail.body);
  const [row] = await ctx.db.rows<{ text: string; is_cut: boolean }>(
    sql`select left(text, ${maxLength}) as text, char_length(text) > ${maxLength} as is_cut from svc_mail_message
     where workspace_id = ${ctx.workspace.id} and id = ${contentId}`,
  );
  return row!;
}
