import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { sanitizeMessage } from '../../../src/text/sanitize-message.ts';
import { TEAM_READ_POLICY } from '../../email/kit/policies.ts';
import { returnTypedShape } from '../kit/response.ts';
import { BodyShape, REMOTE_IMAGES_DESCRIPTION, reserveHtmlBytes, shouldShowImages } from './body.ts';
import { buildImagePath } from './image-link.ts';

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
    reserveHtmlBytes(ctx, html.length);
    const images = await shouldShowImages(ctx, remoteImages);
    const renderedHtml = await sanitizeMessage(ctx.workspace.id, html, {
      files: new Map(),
      remote: images ? (address) => buildImagePath(ctx, address) : 'hidden',
    });
    const hasRemoteImages = renderedHtml.remoteImages;
    return {
      html: renderedHtml.html,
      is_text: false,
      has_remote_images: hasRemoteImages,
      shows_remote_images: hasRemoteImages && images,
    };
  },
});
