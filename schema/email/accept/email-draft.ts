import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { extractAddress } from '../../../src/message/address.ts';
import { parseColumns } from '../kit/input-columns.ts';
import { createPublicId } from '../kit/public-id.ts';
import { type ReadyTemplate, render } from '../templates/render.ts';
import { parseTemplateScalars } from '../templates/template-input.ts';
import { findSenderDomain, isBlank } from './email-fields.ts';
import { computeDecodedBytes } from './email-files.ts';
import { EMAIL_INPUT_COLUMNS, type EmailInput, type EmailInputValues } from './email-input.ts';

/** An email that has passed all checks that do not require the database. */
export interface EmailDraft extends EmailInputValues {
  public_id: string;
  template_id: string | null;
  template_version: number | null;
  /** Set only for messages sent from mailboxes (schema/mailbox), never by an email request. */
  mailbox_id: number | null;
  /** ASCII domain of the sender, in lower case. */
  domain: string;
  /** Stored size of HTML, text, headers and attachments. */
  content_bytes: number;
}

/** Columns that the queue reads to compose the message. */
export const CONTENT_COLUMNS = ['public_id', 'from', 'to', 'cc', 'bcc', 'reply_to', 'subject'] as const;
export const LARGE_CONTENT_COLUMNS = ['html', 'text', 'headers', 'attachments'] as const;

export type LargeContent = Pick<EmailDraft, (typeof LARGE_CONTENT_COLUMNS)[number]>;

export type EmailContent = LargeContent & Pick<EmailDraft, (typeof CONTENT_COLUMNS)[number]>;

/**
 * Validates an email. A template replaces the subject and body. The subject may be empty.
 * @throws BAD_REQUEST that names the field
 */
export function buildDraft(
  email: EmailInput,
  template: ReadyTemplate | null = null,
  maxRecipients: number = limits.email.recipients,
): EmailDraft {
  checkSource(email);
  const variables = email.variables == null ? {} : parseTemplateScalars('variables', email.variables);
  const input = template ? { ...email, ...render(template, variables) } : email;
  checkRecipients(input, maxRecipients);
  if (computeInputBytes(input) > limits.email.bytes)
    throw errors.badRequest(
      `html, text and attachments: must be at most ${limits.email.bytes} bytes in total.`,
    );
  const values = parseColumns<EmailInputValues>(EMAIL_INPUT_COLUMNS, input);
  const domain = findSenderDomain(values.from)!;
  return {
    ...values,
    public_id: createPublicId(),
    template_id: template?.id ?? null,
    mailbox_id: null,
    template_version: template?.version ?? null,
    domain,
    content_bytes: computeStoredBytes(values),
  };
}

export const getBareRecipients = (drafts: EmailDraft[]): string[] =>
  drafts.flatMap((draft) => [...draft.to, ...draft.cc, ...draft.bcc].map(extractAddress));

const computeStoredBytes = ({ html, text, headers, attachments }: EmailInputValues): number => {
  const files = (attachments ?? []).reduce((sum, file) => sum + file.content.length, 0);
  const fields = headers ? Buffer.byteLength(JSON.stringify(headers)) : 0;
  return Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '') + fields + files;
};

function checkSource({ html, text, templateId }: EmailInput): void {
  if (isBlank(html) && !text && !templateId) throw errors.badRequest('Either text or html is required.');
}

function checkRecipients({ to, cc, bcc }: EmailInput, maxRecipients: number): void {
  if (to.length === 0) throw errors.badRequest('to: at least one recipient is required.');
  if (to.length + (cc?.length ?? 0) + (bcc?.length ?? 0) > maxRecipients)
    throw errors.badRequest(`to, cc and bcc may have at most ${maxRecipients} recipients in total.`);
}

function computeInputBytes({ html, text, attachments }: EmailInput): number {
  const files = attachments?.length ? computeDecodedBytes(attachments) : 0;
  return Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '') + files;
}
