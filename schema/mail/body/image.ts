import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { buildFileOfBytes, FileContentType } from '../../base/ir/file.ts';
import { MAIL_READ_POLICY } from '../kit/policies.ts';
import { fetchImage } from './fetch-image.ts';
import { parseSignedAddress } from './image-link.ts';

export const mailImage = defineOperation('mailImage', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description:
    'Returns an image of another server that a message shows. This server fetches it, so that the other one does not ' +
    'learn who sees it.',
  args: (arg) => ({
    signed: arg.string({
      required: true,
      description:
        'The end of the path `/mail/image/…` that the HTML of the message names. It is yours alone.',
    }),
  }),
  type: FileContentType,
  run: async (ctx, { signed }) => {
    const address = parseSignedAddress(ctx, signed);
    if (address === null) throw errors.notFound('Image');
    const { content, mimetype } = await fetchImage(ctx, address);
    return buildFileOfBytes('image', mimetype, content);
  },
});
