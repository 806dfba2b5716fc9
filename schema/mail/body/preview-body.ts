import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { sanitizeHtml } from '../../../src/mail/parse/sanitize.ts';
import { TEAM_READ_POLICY } from '../../send/kit/policies.ts';
import { answersAs } from '../kit/answer.ts';
import { BodyShape, IMAGES, showsImages, takeHtml } from './body.ts';
import { imagePath } from './image-link.ts';

export const previewBodyVerb = verb('previewBody', {
  kind: 'query',
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description: 'Returns HTML that is about to be sent as `/email/preview` shows it. Nothing is kept.',
  args: (arg) => ({
    html: arg.string({ required: true, description: 'HTML of a template, a campaign or an email.' }),
    remoteImages: arg.boolean({ description: IMAGES }),
  }),
  ...answersAs(BodyShape),
  run: async (ctx, { html, remoteImages }) => {
    if (html.length > limits.email.bytes)
      throw errors.badRequest(`html: at most ${limits.email.bytes} characters.`);
    takeHtml(ctx, html.length);
    const images = await showsImages(ctx, remoteImages);
    const shown = sanitizeHtml(html, {
      keepsStyleSheets: true,
      cid: () => null,
      remoteImage: (address) => (images ? imagePath(ctx, address) : null),
    });
    const has = shown.remoteImages;
    return { html: shown.html, is_text: false, has_remote_images: has, shows_remote_images: has && images };
  },
});
