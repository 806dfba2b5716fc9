import type { Config } from '../../../src/config.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/mail/address.ts';
import { toSingleLine } from '../../../src/single-line.ts';
import { buildContactValues, type ContactFields } from '../contacts/contact-values.ts';
import { unsubscribeQuery } from '../contacts/unsubscribe.ts';
import { type CompiledText, compileText, fillText, UNSUBSCRIBE_VARIABLES } from '../editor/variables.ts';

/** What of a campaign its emails are made from. */
export interface CampaignText {
  workspace_id: number;
  public_id: string;
  from: string;
  book_id: number | null;
  subject: string;
  preview_text: string | null;
  html: string;
  /** Of its book. */
  variables: string[];
}

export interface CampaignRecipient extends ContactFields {
  public_id: string;
}

/** What an email to one contact says. */
export interface CampaignMessage {
  subject: string;
  html: string;
  headers: Record<string, string>;
}

/** Where links lead, what they are signed with, and what takes the emails. */
export type MessageSettings = Pick<Config, 'publicUrl' | 'secretKey' | 'mailTransport'>;

/** Makes the emails of a campaign; its texts are read once. */
export function createMessages(
  campaign: CampaignText,
  { publicUrl, secretKey, mailTransport }: MessageSettings,
) {
  const subject = compileText(campaign.subject);
  const html = compileText(withPreview(campaign.html, campaign.preview_text));
  // SES writes a Feedback-ID of its own; receivers want one.
  const kept = { ...listId(campaign), ...(mailTransport === 'ses' ? {} : feedbackId(campaign)) };
  return (contact: CampaignRecipient): CampaignMessage => {
    const query = unsubscribeQuery(secretKey, campaign.workspace_id, contact.public_id, campaign.public_id);
    const values = buildContactValues(contact, campaign.variables);
    for (const name of UNSUBSCRIBE_VARIABLES) values.set(name, `${publicUrl}/unsubscribe?${query}`);
    return {
      subject: renderSubject(subject, values),
      html: fillText(html, values, escapeHtml),
      headers: { ...kept, ...buildUnsubscribeHeaders(`${publicUrl}/api/unsubscribe-oneclick?${query}`) },
    };
  };
}

function renderSubject(subject: CompiledText, values: Map<string, string>): string {
  const text = toSingleLine(fillText(subject, values, String));
  // A character that is cut in half could not be written.
  return text.length > limits.email.subject ? text.slice(0, limits.email.subject).toWellFormed() : text;
}

/** RFC 2919: the same for all campaigns of a sender to a book, so that mail programs can sort and mute them. */
function listId({ from, book_id }: CampaignText): Record<string, string> {
  const domain = getAddressDomain(parseAddress(from)?.address ?? '');
  return { 'List-Id': `<book-${book_id}.${domain}>` };
}

/** Gmail's feedback loop counts complaints by each of these: campaign, workspace, kind of mail and sender. */
const feedbackId = ({ public_id, workspace_id }: CampaignText): Record<string, string> => ({
  'Feedback-ID': `${public_id}:${workspace_id}:campaign:atrium`,
});

/** RFC 8058: one POST to this address unsubscribes, without another question. */
const buildUnsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  Precedence: 'bulk',
});

/** Mail programs show the first text of a message beside its subject; this one is seen nowhere else. */
function withPreview(html: string, preview: string | null): string {
  if (!preview) return html;
  const hidden = `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`;
  // In two steps: one pattern for the whole tag takes quadratic time where no tag ever ends.
  const body = html.search(/<body\b/i);
  const at = (body < 0 ? -1 : html.indexOf('>', body)) + 1;
  return html.slice(0, at) + hidden + html.slice(at);
}
