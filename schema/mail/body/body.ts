import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { linkifyText } from '../../../src/mail/parse/linked-text.ts';
import { entriesOf } from '../accounts/member-of.ts';
import { answersAs } from '../kit/answer.ts';
import { mailReads } from '../kit/policies.ts';
import { answerRoom, takeRoom } from '../read/answer-room.ts';
import { partsOfContents } from '../read/parts.ts';
import { htmlBytes, isHtmlCut, shownHtml } from '../read/shown-html.ts';
import { prefsOf } from '../settings/prefs.ts';
import { imagePath } from './image-link.ts';

/** A body that a frame of ours shows. */
export interface ShownBody {
  html: string;
  is_text: boolean;
  has_remote_images: boolean;
  shows_remote_images: boolean;
}

export const BodyShape = defineTypedShape('MailBody', 'A message as a browser shows it in a frame.', {
  html: {
    type: 'String',
    description:
      'HTML made safe, with images at addresses of this server; of a message without HTML, its text.',
  },
  isText: { type: 'Boolean', description: 'Whether the message has no HTML.' },
  hasRemoteImages: { type: 'Boolean', description: 'Whether the HTML has images of other servers.' },
  showsRemoteImages: { type: 'Boolean', description: 'Whether it shows them.' },
});

export const IMAGES =
  'Whether images of other servers are shown. This server fetches them; the sender may still learn that the message ' +
  'is read. Your preference by default.';

export const mailBodyVerb = verb('mailBody', {
  kind: 'query',
  effects: ['reads'],
  policy: mailReads,
  description: 'Returns a message as `/mail/body/:id` shows it. Marks nothing as read.',
  args: (arg) => ({
    entryId: arg.recordId({ required: true, description: 'Message, of a mailbox of yours.' }),
    remoteImages: arg.boolean({ description: IMAGES }),
  }),
  ...answersAs(BodyShape),
  run: async (ctx, { entryId, remoteImages }) => {
    const [entry] = await entriesOf(ctx, [entryId]);
    const images = await showsImages(ctx, remoteImages);
    return bodyOf(ctx, entryId, entry!.content_id, images);
  },
});

/** What the caller wants to see, and prefers where it does not say. A caller that is no user sees no images. */
export async function showsImages(ctx: Ctx, wanted: boolean | null | undefined): Promise<boolean> {
  const userId = ctx.principal?.userId;
  return userId ? (wanted ?? (await prefsOf(ctx, userId)).autoloadImages) : false;
}

interface Content {
  raw_hash: string;
  size: number;
}

async function bodyOf(ctx: Ctx, entryId: number, contentId: number, images: boolean): Promise<ShownBody> {
  const [content] = await ctx.db.rows<Content>(
    sql`select raw_hash, size from svc_mail_message
     where workspace_id = ${ctx.workspace.id} and id = ${contentId}`,
  );
  const parts = (await partsOfContents(ctx, [contentId])).get(contentId) ?? [];
  takeHtml(ctx, htmlBytes(parts));
  const shown = await shownHtml(ctx, content!, parts, {
    file: (number) => `/mail/part/${entryId}/${number}`,
    remote: (address) => (images ? imagePath(ctx, address) : null),
  });
  if (!shown) {
    const { text, is_cut: isCut } = await textOf(ctx, contentId);
    return textBody(linkifyText(text) + (isCut ? restOf(entryId) : ''));
  }
  const { body_html, has_remote_images: has } = shown;
  const html = body_html + (isHtmlCut(parts) ? restOf(entryId) : '');
  return { html, is_text: false, has_remote_images: has, shows_remote_images: has && images };
}

/** @throws USER_ERROR where one answer would show too much */
export function takeHtml(ctx: Ctx, bytes: number): void {
  if (!takeRoom(answerRoom(ctx, 'html'), bytes)) throw errors.answerTooLarge();
}

/** A body without HTML. */
export const textBody = (html: string): ShownBody => ({
  html,
  is_text: true,
  has_remote_images: false,
  shows_remote_images: false,
});

/** Where the rest of a message is that is too long to be shown. */
const restOf = (entryId: number): string =>
  `<p><a href="/mail/part/${entryId}/0" target="_blank">The message is longer. Download it to read the rest.</a></p>`;

async function textOf(ctx: Ctx, contentId: number): Promise<{ text: string; is_cut: boolean }> {
  const most = sql.literal(limits.mail.body);
  const [row] = await ctx.db.rows<{ text: string; is_cut: boolean }>(
    sql`select left(text, ${most}) as text, char_length(text) > ${most} as is_cut from svc_mail_message
     where workspace_id = ${ctx.workspace.id} and id = ${contentId}`,
  );
  return row!;
}
