import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { getDisplayName } from '../../../src/mail/part-name.ts';
import { buildFileLink } from './file-link.ts';
import type { PartRow } from './parts.ts';

export const AttachmentShape = defineTypedShape('MailAttachment', 'A file of a message.', {
  id: { type: 'ID', description: 'Id of the message and number of the part.' },
  number: { type: 'Int', description: 'Which part of the message it is.' },
  name: {
    type: 'String',
    description: 'File name; without one, a name made from its type, such as `image.png`.',
  },
  type: { type: 'String', description: 'Media type, as the sender gave it.' },
  size: { type: 'Int', description: 'Bytes.' },
  inline: { type: 'Boolean', description: 'Whether the HTML shows it in its place.' },
  contentId: {
    type: 'String',
    nullable: true,
    description: 'Content-ID by which the HTML names it, without angle brackets.',
  },
  isKept: {
    type: 'Boolean',
    description: 'Whether its content was kept: not while `mail.inbound_attachments` is off.',
  },
  url: { type: 'String', description: 'Address to download it from, without a key, for a day.' },
});

export const toAttachments = (ctx: Ctx, entryId: number, parts: readonly PartRow[]): object[] =>
  parts
    .filter(({ role }) => role === 'attachment' || role === 'inline')
    .map(({ number, filename, type, size, role, cid, body_to }) => ({
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
