export const strings = {
  title: 'Suppressions',
  none: 'No suppressed addresses',
  noneText:
    'Addresses are added automatically after a hard bounce or a spam complaint, and no more emails are sent to ' +
    'them. You can also add addresses yourself.',
  noMatches: 'No addresses match these filters',
  showAll: 'Show all addresses',
  count: { one: '# address', other: '# addresses' },
  searchHint: 'Part of an address',
  reasons: {
    HARD_BOUNCE: 'Hard bounce',
    SOFT_BOUNCE: 'Repeated soft bounces',
    COMPLAINT: 'Marked as spam',
    MANUAL: 'Added manually',
  },
  meanings: {
    HARD_BOUNCE: 'An email to this address hard bounced. No more emails are sent to it.',
    SOFT_BOUNCE:
      'Several emails to this address bounced, for example because the mailbox is full. No emails are sent to ' +
      'it until the entry expires.',
    COMPLAINT: 'The recipient marked an email as spam. No more emails are sent to this address.',
    MANUAL: 'This address was added manually or by an import. No emails are sent to it.',
  },
  since: (when: string) => `Suppressed since ${when}`,
  until: (when: string) => `Expires ${when}`,
  remove: 'Remove from list',
  removeText: {
    HARD_BOUNCE:
      'Remove it only if the mailbox works again. Sending to invalid addresses harms your reputation.',
    SOFT_BOUNCE: 'Remove it if the mailbox accepts emails again. Otherwise, the entry expires automatically.',
    COMPLAINT: 'Remove it only if the recipient asks for your emails again.',
    MANUAL: 'Emails to this address will be sent again.',
  },
  removed: (email: string) => `${email} removed from the list.`,
  add: 'Add addresses',
  addText: 'No emails are sent to addresses on this list, neither by programs nor by campaigns.',
  addresses: 'Addresses',
  addressesHint: 'One per line, or separated by commas. Up to 1,000 at once.',
  added: { one: '# address added.', other: '# addresses added.' },
};
