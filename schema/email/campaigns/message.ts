import type { Config } from '../../../src/config.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { toSingleLine } from '../../../src/single-line.ts';
import { buildContactValues, type ContactFields } from '../contacts/contact-values.ts';
import { buildUnsubscribeQuery } from '../contacts/unsubscribe.ts';
import { type CompiledText, compileText, fillText, UNSUBSCRIBE_VARIABLES } from '../editor/variables.ts';

export interface CampaignText {
  workspace_id: number;
  public_id: string;
  from: string;
  book_id: number | null;
  subject: string;
  preview_text: string | null;
  html: string;
  variables: string[];
}

export interface CampaignRecipient extends ContactFields {
  public_id: string;
}

export interface CampaignMessage {
  subject: string;
  html: string;
  headers: Record<string, string>;
}

type MessageSettings = Pick<Config, 'publicUrl' | 'secretKey' | 'mailTransport'>;

/** Returns a function that builds a contact's email. Compiles the subject and body only once. */
export function createMessages(
  campaign: CampaignText,
  { publicUrl, secretKey, mailTransport }: MessageSettings,
) {
  const subject = compileText(campaign.subject);
  const html = compileText(insertPreviewText(campaign.html, campaign.preview_text));
  // SES adds its own Feedback-ID.
  const campaignHeaders = {
    ...buildListIdHeader(campaign),
    ...(mailTransport === 'ses' ? {} : buildFeedbackId(campaign)),
  };
  return (contact: CampaignRecipient): CampaignMessage => {
    const query = buildUnsubscribeQuery(
      secretKey,
      campaign.workspace_id,
      contact.public_id,
      campaign.public_id,
    );
    const values = buildContactValues(contact, campaign.variables);
    for (const name of UNSUBSCRIBE_VARIABLES) values.set(name, `${publicUrl}/unsubscribe?${query}`);
    return {
      subject: renderSubject(subject, values),
      html: fillText(html, values, escapeHtml),
      headers: {
        ...campaignHeaders,
        ...buildUnsubscribeHeaders(`${publicUrl}/api/unsubscribe-oneclick?${query}`),
      },
    };
  };
}

function renderSubject(subject: CompiledText, values: Map<string, string>): string {
  const text = toSingleLine(fillText(subject, values, String));
  // Truncation may split a surrogate pair, which cannot be encoded.
  return text.length > limits.email.subject ? text.slice(0, limits.email.subject).toWellFormed() : text;
}

/**
 * Builds a List-Id (RFC 2919) for sorting and muting in mail clients. All campaigns from the same sender domain to the
 * same book share it.
 */
function buildListIdHeader({ from, book_id }: CampaignText): Record<string, string> {
  const domain = getAddressDomain(parseAddress(from)?.address ?? '');
  return { 'List-Id': `<book-${book_id}.${domain}>` };
}

/**
 * Builds a Feedback-ID. Gmail's feedback loop counts complaints separately by campaign, workspace, kind of mail and
 * sender.
 */
const buildFeedbackId = ({ public_id, workspace_id }: CampaignText): Record<string, string> => ({
  'Feedback-ID': `${public_id}:${workspace_id}:campaign:atrium`,
});

/** One-click unsubscribe is a single POST without confirmation (RFC 8058). */
const buildUnsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  Precedence: 'bulk',
});

/** Adds hidden text at the start, which mail clients show next to the subject. */
function insertPreviewText(html: string, preview: string | null): string {
  if (!preview) return html;
  const hiddenPreview = `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`;
  // Takes two steps, because a single pattern takes quadratic time if no tag is closed.
  const body = html.search(/<body\b/i);
  const index = (body < 0 ? -1 : html.indexOf('>', body)) + 1;
  return html.slice(0, index) + hiddenPreview + html.slice(index);
}
