import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { getDisplayName } from '../../../src/message/part-name.ts';
import { isFile } from '../messages/store-content.ts';
import { buildFileLink } from './file-link.ts';
import type { PartRow } from './parts.ts';

export const AttachmentShape = defineTypedShape('MailAttachment', 'A file of a message.', {
  id: { type: 'ID', description: 'Message id and part number, joined by a dot.' },
  number: { type: 'Int', description: 'Number of the part in the message.' },
  name: {
    type: 'String',
    description:
      'File name. If the attachment has no name, one is derived from its type, such as `image.png`.',
  },
  type: { type: 'String', description: 'Media type, as declared by the sender.' },
  size: { type: 'Int', description: 'Bytes.' },
  inline: { type: 'Boolean', description: 'True if the HTML shows the file inline.' },
  contentId: {
    type: 'String',
    nullable: true,
    description:
      'Content-ID without angle brackets, or Content-Location. The HTML uses it to refer to the part.',
  },
  isKept: {
    type: 'Boolean',
    description: 'False if the content was not stored because `mail.inbound_attachments` was off.',
  },
  url: {
    type: 'String',
    description: 'Download URL. Requires no key and is valid for one day.',
  },
});

export const toAttachments = (ctx: Ctx, entryId: number, parts: readonly PartRow[]): object[] =>
  parts.filter(isFile).map(({ number, filename, type, size, role, cid, body_to }) => ({
    id: `${entryId}.${number}`,
    number,
    name: getDisplayName(filename, type),
    type,
    size,
    inline: role === 'inline',
    content_id: cid,
    is_kept: body_to > 0,
    url: buildFileLink(ctx, entryId, number),
  }));
