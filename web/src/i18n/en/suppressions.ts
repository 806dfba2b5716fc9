export const strings = {
  title: 'Suppressions',
  none: 'No address is suppressed',
  noneText:
    'Addresses that bounced for good or reported an email as spam come here by themselves, and nothing is sent to ' +
    'them any more. You can also add some by hand.',
  noneFits: 'No address fits these filters',
  showAll: 'Show all addresses',
  count: { one: '# address', other: '# addresses' },
  searchHint: 'Part of an address',
  total: 'In all',
  reason: 'Reason',
  reasons: {
    HARD_BOUNCE: 'Bounced',
    SOFT_BOUNCE: 'Bounced repeatedly',
    COMPLAINT: 'Reported as spam',
    MANUAL: 'Added by hand',
  },
  meanings: {
    HARD_BOUNCE: 'An email to this address bounced for good, so nothing more is sent there.',
    SOFT_BOUNCE:
      'Several emails to this address bounced, for example because the mailbox is full, so nothing is sent there for ' +
      'a while.',
    COMPLAINT: 'The recipient reported an email as spam, so nothing more is sent there.',
    MANUAL: 'This address was added by hand or by an import. Nothing is sent there.',
  },
  since: (when: string) => `On the list since ${when}`,
  until: (when: string) => `Expires ${when}`,
  remove: 'Remove from the list',
  removeText: {
    HARD_BOUNCE: 'Remove it if the mailbox exists again. Sending to dead addresses harms your reputation.',
    SOFT_BOUNCE: 'Remove it if the mailbox accepts emails again. Otherwise the entry expires by itself.',
    COMPLAINT: 'Remove it only if the recipient asks for your emails again.',
    MANUAL: 'Once removed, emails to it are sent again.',
  },
  removed: (email: string) => `${email} was removed from the list.`,
  export: 'Export',
  add: 'Add addresses',
  addText: 'Nothing is sent to addresses on the list, whatever a program or a campaign asks for.',
  addresses: 'Addresses',
  addressesHint: 'One on a line, or separated by commas. At most 1,000 at once.',
  added: { one: '# address was added.', other: '# addresses were added.' },
};
