import { enumTexts } from '../../../src/engine/operation/shape.ts';

// Meanings of selection values whose labels only repeat their names. Other fields take them from an enum shape.

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
  service: 'Work sold by time or by the piece.',
  combo: 'A choice of other products, sold at one price.',
};

/** Keyed by field, or by model and field. */
const VALUE_TEXTS: Record<string, ValueTexts> = {
  activity_state: ACTIVITY,
  'mail.activity.state': {
    overdue: 'Was due before today.',
    today: 'Due today.',
    planned: 'Due after today.',
    done: 'Marked as done.',
  },
  delay_unit: UNITS,
  interval_type: UNITS,
  delay_from: {
    current_date: 'Counted from the completion date of the activity.',
    previous_activity: 'Counted from the deadline of the previous activity.',
  },
  category: { phonecall: 'A phone call to make.' },
  'mail.message.origin': {
    mail: 'The customer sent it by email.',
    page: 'The customer wrote it on the page of the record.',
    sent: 'It was sent to the customer by email.',
  },
  message_type: {
    comment: 'Written by a user.',
    auto_comment: 'A notification sent automatically.',
    user_notification: 'A notification for specific users.',
    out_of_office: 'Automatic out-of-office reply.',
  },
  'res.partner.type': { contact: 'A person, or an address without a special purpose.' },
  company_type: { person: 'A single person.', company: 'An organization.' },
  'crm.lead.type': {
    lead: 'An initial contact that is not qualified yet.',
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
  chaining_type: {
    suggest: 'Suggest the next activity.',
    trigger: 'Schedule the next activity automatically.',
  },
  service_type: { manual: 'Delivered quantities are set manually on the order.' },
  target: { main: 'The main action of the current window.' },
  'svc.mcp.log.outcome': { asked: 'A confirmation was requested.', held: 'Held for approval by a person.' },
  month_by: {
    date: 'A day of the month, such as the 15th.',
    day: 'A weekday of the month, such as the second Tuesday.',
  },
  end_type: { count: 'Ends after a number of occurrences.' },
  assign_method: {
    randomly: 'The member whose last assignment is the oldest.',
    balanced: 'The member with the fewest open tickets.',
  },
  'svc.mail.message.state': { placeholder: 'The message could not be read.' },
  'svc.mail.entry.source': { local: 'From another mailbox on this server.', sent: 'Sent from this mailbox.' },
  redirect_type: { 301: 'Permanent redirect (301).', 302: 'Temporary redirect (302).' },
  'svc.notification.kind': {
    workspace_export: 'An export of the workspace.',
    mail_import: 'An import of messages.',
    mail_change: 'A change to messages.',
  },
  'svc.mail.job.kind': {
    import: 'An import from another mail server.',
    change: 'A change to many messages.',
  },
  translate: { standard: 'Translated as a whole.' },
  amount_type: {
    percent: 'A percentage of the price.',
    division: 'A percentage of the price, which includes the tax.',
    fixed: 'A fixed amount per unit, regardless of the price.',
  },
  compute_price: { formula: 'Computed from a base price, a discount and a surcharge.' },
  qty_delivered_method: { manual: 'Delivered quantities are entered manually.' },
  invoice_status: { no: 'There is nothing to invoice.', 'to invoice': 'There are quantities to invoice.' },
  last_update_status: {
    on_track: 'On schedule.',
    at_risk: 'May miss its goal.',
    off_track: 'Will miss its goal unless something changes.',
    on_hold: 'Work is suspended.',
  },
  'ir.attachment.type': { url: 'A link to a file elsewhere.' },
  'ir.module.module.state': {
    uninstallable: 'Not available on this server.',
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
    char: 'Single-line text.',
    date: 'A day.',
    datetime: 'A point in time.',
    float: 'A number with decimals.',
    html: 'Formatted text.',
    integer: 'A whole number.',
    json: 'Any JSON value.',
    many2many: 'Links to any number of records. Each of them can be linked from many records.',
    many2one: 'A link to one record.',
    many2one_reference: 'The id of a record whose model is specified in another field.',
    monetary: 'An amount in a currency.',
    one2many: 'The records that link to this one through a many2one field.',
    properties: 'Values of properties that are defined on another record.',
    properties_definition: 'Definitions of the properties of other records.',
    reference: 'A link to a record of any model.',
    selection: 'One value from a list.',
    text: 'Multi-line text.',
  },
  'calendar.attendee.state': {
    needsAction: 'Has not responded yet.',
    tentative: 'May attend.',
    declined: 'Will not attend.',
    accepted: 'Will attend.',
  },
  'calendar.event.privacy': {
    public: 'Visible to internal users.',
    private: 'Visible only to its organizer and attendees.',
    confidential: 'Visible to internal users, and marked as confidential in other calendars.',
  },
  'calendar.event.recurrence_update': {
    self_only: 'Only this event, which then differs from the others.',
    future_events: 'This event and all later ones, which become a separate recurrence.',
    all_events: 'The whole recurrence, including past events.',
  },
  'svc.email.state': {
    queued: 'Waiting for its scheduled time and for a worker.',
    sending: 'Being handed to the provider.',
    sent: 'Accepted by the provider.',
    failed: 'Failed permanently; it will not be retried.',
    unknown: 'The response from the provider was lost; the email may have been sent.',
    cancelled: 'Canceled before it was sent.',
    suppressed: 'Not sent: every recipient is suppressed.',
  },
  unsubscribe_reason: {
    UNSUBSCRIBED: 'The contact unsubscribed.',
    BOUNCED: 'An email to the contact bounced permanently.',
    COMPLAINED: 'The contact reported an email as spam.',
  },
  'svc.suppression.reason': {
    HARD_BOUNCE: 'An email to the address bounced permanently.',
    SOFT_BOUNCE: 'Several emails to the address soft bounced. The entry expires.',
    COMPLAINT: 'The recipient reported an email as spam.',
    MANUAL: 'Added manually or through the API.',
  },
};

export const getValueText = (model: string, field: string, value: string): string =>
  enumTexts.get(`${model}.${field}`)?.[value] ??
  VALUE_TEXTS[`${model}.${field}`]?.[value] ??
  VALUE_TEXTS[field]?.[value] ??
  '';
