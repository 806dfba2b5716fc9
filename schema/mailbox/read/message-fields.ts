import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { DeliveryStatus } from '../../email/kit/delivery-status.ts';
import { toCamelKeys } from '../kit/operation.ts';
import type { Person } from '../messages/store-content.ts';
import { AttachmentShape } from './attachments.ts';
import { AUTO_REPLY_FIELD, AutoReplyOutcomeShape } from './auto-reply-outcome.ts';
import { ENCRYPTION_FIELD, EncryptionShape } from './encryption.ts';
import {
  loadAttachments,
  loadDeliveryStatus,
  loadEncryption,
  loadHeaderFields,
  loadHtml,
  loadMessageInfo,
  loadTextReply,
  MAX_DISPLAYED_HEADER_BYTES,
  MAX_HEADER_NAMES,
  type MessageInfo,
} from './message-facts.ts';
import { PersonShape } from './person.ts';
import { toVerdictsView, VerdictsShape } from './verdicts-shape.ts';

// Fields of `MailMessage` that are not columns. Reading them does not mark the message as read.

/** Cost of reading the header from the raw message, in response values. */
const HEADERS_COST = 500;
/** Cost of reading the HTML from the raw message and sanitizing it, in response values. */
const HTML_COST = 2_000;
/** Cost in response values. A message may have hundreds of attachments. */
const ATTACHMENTS_COST = 100;

const HeaderShape = defineTypedShape('MailHeader', 'A header field of a message.', {
  name: { type: 'String', description: 'Name in lower case.' },
  value: { type: 'String', description: 'Value, unfolded and decoded.' },
});

const MessageRef = getRecordRef('svc.mail.entry');

const addPeople = (
  name: string,
  description: string,
  getPersons: (facts: MessageInfo) => Person[] | undefined,
) =>
  builder.objectField(MessageRef, name, (t) =>
    t.field({
      type: [PersonShape.ref],
      description,
      resolve: async ({ id }, _args, ctx) => toPeople(await loadMessageInfo(ctx, id), getPersons),
    }),
  );

const toPeople = (facts: MessageInfo | null, getPersons: (facts: MessageInfo) => Person[] | undefined) =>
  ((facts && getPersons(facts)) ?? []) as unknown as Record<string, unknown>[];

addPeople('to', 'Recipients.', ({ recipients }) => recipients.to);
addPeople('cc', 'Cc recipients.', ({ recipients }) => recipients.cc);
addPeople('bcc', 'Bcc recipients. Set only on the copy in Sent.', ({ envelope }) => envelope?.bcc);
addPeople('replyTo', 'Addresses that replies go to.', ({ recipients }) => recipients.replyTo);

builder.objectField(MessageRef, 'from', (t) =>
  t.field({
    type: PersonShape.ref,
    nullable: true,
    description: 'The sender. Null if the message has no sender.',
    resolve: async ({ id }, _args, ctx) => toSender(await loadMessageInfo(ctx, id)),
  }),
);

const toSender = (facts: MessageInfo | null) =>
  facts && (facts.from_name || facts.email_from) ? { name: facts.from_name, email: facts.email_from } : null;

builder.objectField(MessageRef, 'references', (t) =>
  t.stringList({
    description: 'Message-IDs of earlier messages in the conversation, without angle brackets.',
    resolve: async ({ id }, _args, ctx) => (await loadMessageInfo(ctx, id))?.references ?? [],
  }),
);

builder.objectField(MessageRef, 'headers', (t) =>
  t.field({
    type: [HeaderShape.ref],
    nullable: true,
    description:
      `Header fields in order, read from the first ${MAX_DISPLAYED_HEADER_BYTES / 1024} kB of the ` +
      'message. If the response would contain too many, this field is null and an error is returned.',
    args: {
      names: t.arg.stringList({
        description: `Only fields with these names, up to ${MAX_HEADER_NAMES}, ignoring case.`,
      }),
    },
    extensions: { cost: HEADERS_COST },
    resolve: (row, { names }, ctx) => loadHeaderFields(ctx, row.id, names ?? null) as never,
  }),
);

builder.objectField(MessageRef, 'textReply', (t) =>
  t.string({
    nullable: true,
    description:
      'Text that the sender wrote, without quoted text or signature. If the response would be too large, this ' +
      'field is null and an error is returned.',
    extensions: { cost: limits.mail.textCost },
    resolve: ({ id }, _args, ctx) => loadTextReply(ctx, id),
  }),
);

const REMOTE_IMAGES_ARG = {
  defaultValue: false,
  description:
    'True to load images from other servers, which lets the sender know that the message was opened.',
};

builder.objectField(MessageRef, 'html', (t) =>
  t.string({
    nullable: true,
    description: 'Sanitized HTML for display within a page. Null for a message without HTML.',
    args: { remoteImages: t.arg.boolean(REMOTE_IMAGES_ARG) },
    extensions: { cost: HTML_COST },
    resolve: async ({ id }, { remoteImages }, ctx) =>
      (await loadHtml(ctx, id, remoteImages ?? false))?.body_html ?? null,
  }),
);

builder.objectField(MessageRef, 'hasRemoteImages', (t) =>
  t.boolean({
    description: 'True if the HTML refers to images on other servers.',
    extensions: { cost: HTML_COST },
    resolve: async ({ id }, _args, ctx) => (await loadHtml(ctx, id, false))?.has_remote_images ?? false,
  }),
);

builder.objectField(MessageRef, 'attachments', (t) =>
  t.field({
    type: [AttachmentShape.ref],
    nullable: true,
    description:
      'Attachments of the message. If the response would contain too many, this field is null and an error is ' +
      'returned.',
    extensions: { cost: ATTACHMENTS_COST },
    resolve: async ({ id }, _args, ctx) => (await loadAttachments(ctx, id)).map(toCamelKeys) as never,
  }),
);

builder.objectField(MessageRef, 'encryption', (t) =>
  t.field({
    type: EncryptionShape.ref,
    nullable: true,
    description: ENCRYPTION_FIELD.description,
    extensions: { cost: ATTACHMENTS_COST },
    resolve: ({ id }, _args, ctx) => loadEncryption(ctx, id) as never,
  }),
);

builder.objectField(MessageRef, 'autoReply', (t) =>
  t.field({
    type: AutoReplyOutcomeShape.ref,
    nullable: true,
    description: AUTO_REPLY_FIELD.description,
    resolve: async ({ id }, _args, ctx) =>
      ((await loadMessageInfo(ctx, id))?.envelope?.autoReply ?? null) as never,
  }),
);

builder.objectField(MessageRef, 'verdicts', (t) =>
  t.field({
    type: VerdictsShape.ref,
    nullable: true,
    description: 'Results of SPF, DKIM, DMARC and ARC. Null unless another server delivered the message.',
    resolve: async ({ id }, _args, ctx) => loadVerdicts(ctx, id) as never,
  }),
);

const loadVerdicts = async (ctx: Ctx, id: number) =>
  toCamelKeys(toVerdictsView((await loadMessageInfo(ctx, id))?.verdicts ?? null));

builder.objectField(MessageRef, 'deliveryStatus', (t) =>
  t.field({
    type: DeliveryStatus,
    nullable: true,
    description: 'Delivery status of a message sent through this server. Null for other messages.',
    resolve: ({ id }, _args, ctx) => loadDeliveryStatus(ctx, id) as never,
  }),
);
