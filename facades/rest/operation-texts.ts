import type { Config } from '../../src/config.ts';
import { limits } from '../../src/limits.ts';

interface OperationText {
  /** Describes the effect and edge cases. */
  description: string;
  /** A valid body, except for placeholders for the ids of other resources. */
  example?: unknown;
}

/** The domain that is created at the first start. */
const FROM = 'Acme <hello@main.localhost>';
const LATER = '2099-01-31T09:00:00Z';
const FILL_IN = 'id-of-your-contact-book';

const email = {
  from: FROM,
  to: 'ann@example.com',
  subject: 'Your receipt',
  html: '<p>Thank you, Ann.</p>',
  text: 'Thank you, Ann.',
};

type OperationTexts = Record<string, OperationText>;

export const buildOperationTexts = (region: string): OperationTexts => ({
  ...EMAIL_TEXTS,
  ...buildDomainTexts(region),
  ...ANALYTICS_TEXTS,
  ...CONTACT_BOOK_TEXTS,
  ...CONTACT_TEXTS,
  ...CAMPAIGN_TEXTS,
});

const EMAIL_TEXTS: OperationTexts = {
  sendEmail: {
    description:
      'Accepts the email and returns its id before it is sent. `GET /v1/emails/{emailId}` and webhooks report ' +
      'its status. Recipients on the suppression list are left out.',
    example: { ...email, tags: { kind: 'receipt' } },
  },
  sendEmailBatch: {
    description: `Accepts up to ${limits.email.batch} emails in one transaction: if one is rejected, none is accepted.`,
    example: [
      email,
      { ...email, to: 'bob@example.com', text: 'Thank you, Bob.', html: '<p>Thank you, Bob.</p>' },
    ],
  },
  listEmails: { description: 'Page numbers start at 1. A page past the last one is empty.' },
  getEmail: {
    description:
      'Includes the status and its reason, every event (oldest first), and the content as long as it is stored.',
  },
  updateEmail: {
    description: 'Returns 400 if the email has already been sent, canceled or rejected.',
    example: { scheduledAt: LATER },
  },
  cancelEmail: {
    description: 'Only works before the email is sent. Returns 400 if the email has already been canceled.',
  },
};

const buildDomainTexts = (region: string): OperationTexts => ({
  listDomains: {
    description: 'Returns each domain with its verification status and the DNS records to publish.',
  },
  createDomain: {
    description:
      'Publish the returned records in DNS, then verify the domain. A domain belongs to one workspace. ' +
      'Without an email provider, no records are returned: the domain is verified at once, and emails to its ' +
      'addresses are delivered to the mailboxes of this server or bounce.',
    example: { name: 'mail.example.com', region },
  },
  getDomain: { description: 'Includes the DNS records to publish and the status of each check.' },
  verifyDomain: {
    description: 'Checks DNS and the provider now instead of waiting for the next scheduled check.',
  },
  deleteDomain: {
    description: 'Queued emails from the domain are canceled; sent emails are kept.',
  },
});

const ANALYTICS_TEXTS: OperationTexts = {
  emailTimeSeries: {
    description: 'Days are in UTC. Without `domainId`, the counts include all domains of the workspace.',
  },
  reputationMetrics: {
    description:
      'Providers review accounts with a bounce rate of 5% or a complaint rate of 0.1%. Stay well below both.',
  },
};

const CONTACT_BOOK_TEXTS: OperationTexts = {
  listContactBooks: { description: 'Returns each contact book with its number of contacts.' },
  createContactBook: {
    description: 'A book is a list of contacts that campaigns are sent to. Names need not be unique.',
    example: { name: 'Newsletter', emoji: '📰', variables: ['company'] },
  },
  getContactBook: { description: 'Includes how many contacts are subscribed and how many are not.' },
  updateContactBook: {
    description: 'Changes the fields that you send. Other fields keep their values.',
    example: { name: 'Monthly newsletter', doubleOptInEnabled: false },
  },
  deleteContactBook: {
    description: 'Returns 400 while a campaign is being sent to the book.',
  },
};

const CONTACT_TEXTS: OperationTexts = {
  importContacts: {
    description:
      'The first line contains the column names: `email`, `firstName`, `lastName` and `subscribed`. Any ' +
      'other column is a property. Existing contacts are updated. Invalid rows are skipped and reported.',
    example:
      'email,firstName,lastName,company\ncarl@example.com,Carl,Lund,Acme\ndana@example.com,Dana,Roy,Acme\n',
  },
  exportContacts: {
    description:
      'Returns every contact in the book with its properties, in the format that `importContacts` accepts.',
  },
  listContacts: {
    description:
      'Returns the contacts in all books. To filter by several addresses or ids, separate them with commas.',
  },
  listBookContacts: {
    description:
      'Returns the contacts in one book. To filter by several addresses or ids, separate them with commas.',
  },
  createContact: {
    description:
      'The address identifies the contact within its book, ignoring case. In a book with double opt-in, a ' +
      'new contact receives a confirmation email first.',
    example: { email: 'ann@example.com', firstName: 'Ann', lastName: 'Lee', properties: { company: 'Acme' } },
  },
  createContacts: {
    description:
      `Creates or updates up to ${limits.contact.bulk} contacts in one transaction. If one is invalid, none ` +
      'is changed.',
    example: [
      { email: 'ann@example.com', firstName: 'Ann' },
      { email: 'bob@example.com', firstName: 'Bob' },
    ],
  },
  deleteContacts: {
    description: 'Emails that campaigns queued for these contacts are canceled.',
    example: { contactIds: ['id-of-a-contact'] },
  },
  getContact: { description: 'Includes properties and, if the contact is not subscribed, the reason.' },
  updateContact: {
    description:
      'Changes the fields that you send. Other fields keep their values. This is the only call that can ' +
      'resubscribe a contact.',
    example: { firstName: 'Anna', properties: { company: 'Acme Ltd' }, subscribed: true },
  },
  upsertContact: {
    description:
      'Updates or creates the contact with the address in the body, even if the id in the path belongs to ' +
      'another contact.',
    example: { email: 'ann@example.com', firstName: 'Ann' },
  },
  deleteContact: { description: 'Emails that campaigns queued for the contact are canceled.' },
};

const CAMPAIGN_TEXTS: OperationTexts = {
  createCampaign: {
    description:
      'Creates a draft, unless `sendNow` or `scheduledAt` is set. The HTML must contain an unsubscribe link.',
    example: {
      name: 'March',
      from: FROM,
      subject: 'News for {{firstName, fallback=you}}',
      contactBookId: FILL_IN,
      html: '<p>Hello {{firstName, fallback=there}}</p><a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
    },
  },
  listCampaigns: {
    description:
      'Campaigns can be filtered by status, or by text in the name or subject. Page numbers start at 1.',
  },
  getCampaign: {
    description: 'Includes the number of emails by status, such as delivered, opened or bounced.',
  },
  deleteCampaign: { description: 'Emails that have already been sent are kept.' },
  scheduleCampaign: {
    description:
      'Works for drafts and scheduled campaigns. Without a time, the campaign is sent immediately.',
    example: { scheduledAt: LATER },
  },
  pauseCampaign: {
    description:
      'Works while the campaign is scheduled or running. No more emails are sent until it is resumed.',
  },
  resumeCampaign: {
    description: 'Continues from the point where the campaign was paused. Returns 400 if it is not paused.',
  },
};

export const getRegionName = ({
  mailTransport,
  awsRegion,
}: Pick<Config, 'mailTransport' | 'awsRegion'>): string => (mailTransport === 'ses' ? awsRegion! : 'local');

export const OPENAPI_TAGS = [
  { name: 'Emails', description: 'Send, schedule, track and cancel emails.' },
  { name: 'Domains', description: 'Domains that you send from, and their DNS records.' },
  { name: 'Analytics', description: 'Daily email counts, and bounce and complaint rates.' },
  { name: 'Contact books', description: 'Lists of contacts.' },
  { name: 'Contacts', description: 'People who receive campaigns.' },
  { name: 'Campaigns', description: 'Emails to all subscribed contacts in a book.' },
];
