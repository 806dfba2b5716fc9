// Meanings of selection values whose labels only repeat their names.

type ValueTexts = Record<string, string>;

const ACTIVITY: ValueTexts = {
  overdue: 'The next activity was due before today.',
  today: 'The next activity is due today.',
  planned: 'The next activity is due after today.',
};

const UNITS: ValueTexts = {
  minutes: 'Counted in minutes.',
  hours: 'Counted in hours.',
  days: 'Counted in days.',
  weeks: 'Counted in weeks.',
  months: 'Counted in months.',
};

const PRODUCT: ValueTexts = {
  consu: 'Goods, which may be delivered.',
  service: 'Work that is sold by time or by the piece.',
  combo: 'A choice of other products, sold at one price.',
};

/** Keyed by field, or by model and field. */
const TEXTS: Record<string, ValueTexts> = {
  activity_state: ACTIVITY,
  'mail.activity.state': {
    overdue: 'Was due before today.',
    today: 'Due today.',
    planned: 'Due after today.',
    done: 'Marked as done.',
  },
  delay_unit: UNITS,
  interval_type: UNITS,
  category: { phonecall: 'A call to make.' },
  'mail.message.origin': {
    mail: 'The customer sent it by email.',
    page: 'The customer wrote it on the page of the record.',
    sent: 'It was sent to the customer by email.',
  },
  message_type: { comment: 'Written by a user.', out_of_office: 'Automatic reply of somebody who is away.' },
  'res.partner.type': { contact: 'A person, or an address of no special use.' },
  company_type: { person: 'A single person.', company: 'An organization.' },
  'crm.lead.type': {
    lead: 'A first contact that is not qualified yet.',
    opportunity: 'A qualified lead in the sales pipeline.',
  },
  won_status: {
    won: 'Closed successfully.',
    lost: 'Closed without a sale.',
    pending: 'Still open.',
  },
  alias_contact: { everyone: 'Any sender.' },
  'product.template.type': PRODUCT,
  'product.product.type': PRODUCT,
  type_tax_use: { none: 'On neither sales nor purchases.' },
  amount_type: { fixed: 'An amount per unit, whatever the price.' },
  compute_price: { formula: 'Computed from a base price, a discount and a surcharge.' },
  qty_delivered_method: { manual: 'Delivered quantities are entered by hand.' },
  invoice_status: { 'to invoice': 'There are quantities to invoice.' },
  last_update_status: {
    on_track: 'Goes as planned.',
    at_risk: 'May miss its goal.',
    off_track: 'Will miss its goal unless something changes.',
    on_hold: 'Work is suspended.',
  },
  'ir.attachment.type': { url: 'A link to a file elsewhere.' },
  'ir.module.module.state': {
    uninstallable: 'Not available here.',
    installed: 'In use.',
  },
  implementation: {
    standard: 'Fast; a rolled-back transaction leaves a gap.',
    no_gap: 'Without gaps; transactions wait for each other.',
  },
  on_delete: {
    cascade: 'The record is deleted along with the one it refers to.',
    'set null': 'The reference is cleared.',
    restrict: 'A record that is referred to cannot be deleted.',
  },
  ttype: {
    binary: 'A file.',
    boolean: 'True or false.',
    char: 'One line of text.',
    date: 'A day.',
    datetime: 'A point in time.',
    float: 'A number with decimals.',
    html: 'Formatted text.',
    integer: 'A whole number.',
    json: 'Content of any shape.',
    many2many: 'Links to any number of records, each of which may be linked from many.',
    many2one: 'A link to one record.',
    many2one_reference: 'The id of a record whose model is in another field.',
    monetary: 'An amount in a currency.',
    one2many: 'The records that link here through a many2one.',
    properties: 'Values of properties, which another record defines.',
    properties_definition: 'Definitions of the properties of other records.',
    reference: 'A link to a record of any model.',
    selection: 'One of a list of values.',
    text: 'Text of several lines.',
  },
  'calendar.attendee.state': {
    needsAction: 'Has not answered yet.',
    tentative: 'May come.',
    declined: 'Does not come.',
    accepted: 'Comes.',
  },
  'calendar.event.privacy': {
    public: 'Seen by internal users.',
    private: 'Seen by its organizer and attendees alone.',
    confidential: 'Seen by internal users, and marked as confidential for other calendars.',
  },
  'calendar.event.recurrence_update': {
    self_only: 'This event, which is unlike the others then.',
    future_events: 'This event and those after it, which are a recurrence of their own then.',
    all_events: 'The whole recurrence, past events included.',
  },
  'svc.domain.status': {
    NOT_STARTED: 'DNS has not been checked yet.',
    PENDING: 'The DNS records have not been found yet; checks continue.',
    FAILED: 'The DNS records are missing or wrong; correct them and verify again.',
    TEMPORARY_FAILURE: 'Verified before, but the last check did not find the DNS records.',
  },
  'svc.email.state': {
    queued: 'Waits for its time and for a worker.',
    sending: 'Being handed to the provider.',
    sent: 'Taken by the provider.',
    failed: 'Refused for good; it will not be retried.',
    unknown: "The provider's answer was lost; it may have gone out.",
    cancelled: 'Withdrawn before it was sent.',
    suppressed: 'Not sent: every recipient is suppressed.',
  },
  'svc.campaign.status': {
    DRAFT: 'Being written.',
    SCHEDULED: 'Starts at the time in `scheduledAt`.',
    RUNNING: 'Emails are being created and sent.',
    PAUSED: 'Stopped until it is resumed.',
    SENT: 'Every email has been created.',
  },
  unsubscribe_reason: {
    UNSUBSCRIBED: 'The contact asked for it.',
    BOUNCED: 'An email to the contact bounced for good.',
    COMPLAINED: 'The contact reported an email as spam.',
  },
  'svc.suppression.reason': {
    HARD_BOUNCE: 'An email to the address bounced for good.',
    SOFT_BOUNCE: 'Several emails to the address bounced softly. The entry expires.',
    COMPLAINT: 'The recipient reported an email as spam.',
    MANUAL: 'Added by hand or through the API.',
  },
  'svc.webhook.status': {
    ACTIVE: 'Events are delivered.',
    PAUSED: 'Stopped by hand; no event is delivered.',
  },
  'svc.webhook.call.status': {
    PENDING: 'Waits for its first or next attempt.',
    IN_PROGRESS: 'An attempt is under way.',
    DELIVERED: 'The endpoint took it.',
    FAILED: 'Every attempt failed; it can be retried by hand.',
    DISCARDED: 'Dropped because the webhook was not active.',
  },
};

/** Empty string if the table has no entry. */
export const getValueText = (model: string, field: string, value: string): string =>
  TEXTS[`${model}.${field}`]?.[value] ?? TEXTS[field]?.[value] ?? '';
