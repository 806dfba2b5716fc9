import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { buildFileFromBytes, FileContentType } from '../../base/ir/file.ts';
import { MAIL_READ_POLICY } from '../kit/operation.ts';
import { fetchImage } from './fetch-image.ts';
import { parseSignedAddress } from './image-link.ts';

export const mailImage = defineOperation('mailImage', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description:
    'Returns a remote image of a message. This server fetches the image, so that the remote server ' +
    'does not learn who views it.',
  args: (arg) => ({
    signed: arg.string({
      required: true,
      description:
        'Last part of the path `/mail/image/…` in the HTML of the message. It is valid only for you.',
    }),
  }),
  type: FileContentType,
  run: async (ctx, { signed }) => {
    const address = parseSignedAddress(ctx, signed);
    if (address === null) throw errors.notFound('Image');
    const { content, mimetype } = await fetchImage(ctx, address);
    return buildFileFromBytes('image', mimetype, content);
  },
});
