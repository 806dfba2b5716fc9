import { sql } from '../../../src/db/sql.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { linkifyText } from '../../../src/message/html/linkify-text.ts';
import { isVisibleEmail } from '../../email/kit/bound-domain.ts';
import { TEAM_READ_POLICY } from '../../email/kit/policies.ts';
import { returnTypedShape } from '../kit/operation.ts';
import { BodyShape, REMOTE_IMAGES_DESCRIPTION, renderHtmlBody, toTextBody } from './body.ts';

interface EmailFile {
  content_id: string | null;
}

export const emailBody = defineOperation('emailBody', {
  kind: 'query',
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description: 'Returns a sent email as `/email/body/:id` shows it. Empty after its body has been purged.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Email id.' }),
    remoteImages: arg.boolean({ description: REMOTE_IMAGES_DESCRIPTION }),
  }),
  ...returnTypedShape(BodyShape),
  run: async (ctx, { id, remoteImages }) => {
    const [email] = await ctx.db.rows<{ html: string | null; text: string | null; files: EmailFile[] }>(
      sql`select m.html, m.text, coalesce((
           select json_agg(json_build_object('content_id', f->>'contentId') order by place)
           from jsonb_array_elements(m.attachments) with ordinality a(f, place)), '[]') as files
         from svc_email m where ${isVisibleEmail(ctx, String(id))}`,
    );
    if (!email) throw errors.notFound('Email');
    if (email.html === null) return toTextBody(linkifyText(email.text ?? ''));
    return renderHtmlBody(ctx, email.html, listFiles(String(id), email.files), remoteImages);
  },
});

/** Maps Content-IDs to file URLs. If several files have the same id, the first one wins. */
const listFiles = (id: string, files: readonly EmailFile[]): Map<string, string> =>
  new Map(
    files
      .flatMap(({ content_id: contentId }, place) =>
        contentId === null ? [] : [[contentId, `/email/part/${encodeURIComponent(id)}/${place}`] as const],
      )
      .reverse(),
  );

export const previewBody = defineOperation('previewBody', {
  kind: 'query',
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description: 'Returns unsent HTML as `/email/preview` shows it. Nothing is stored.',
  args: (arg) => ({
    html: arg.string({ required: true, description: 'HTML of a template, a campaign or an email.' }),
    remoteImages: arg.boolean({ description: REMOTE_IMAGES_DESCRIPTION }),
  }),
  ...returnTypedShape(BodyShape),
  run: async (ctx, { html, remoteImages }) => {
    if (html.length > limits.email.bytes)
      throw errors.badRequest(`html: must have at most ${limits.email.bytes} characters.`);
    return renderHtmlBody(ctx, html, new Map(), remoteImages);
  },
});
