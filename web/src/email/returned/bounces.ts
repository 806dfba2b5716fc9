/** What the receiving side said of an address. */
export interface Bounce {
  address: string;
  /** The answer of its server, such as `550 5.1.1 user unknown`; empty where none came along. */
  answer: string;
  /** For good: the address is suppressed. */
  isPermanent: boolean;
}

interface Event {
  status: string;
  data: unknown;
}

/** Addresses that an email came back from, each with its last report, as SES and returned mail tell it. Pure. */
export function bouncesOf(events: readonly Event[]): Bounce[] {
  const last = new Map<string, Bounce>();
  for (const { status, data } of events) {
    if (status !== 'BOUNCED') continue;
    const { bounceType, bouncedRecipients } = fieldsOf(data);
    for (const each of Array.isArray(bouncedRecipients) ? bouncedRecipients.map(fieldsOf) : []) {
      const address = textOf(each.emailAddress);
      const answer = textOf(each.diagnosticCode).replace(/^smtp;\s*/i, '') || textOf(each.status);
      if (address) last.set(address, { address, answer, isPermanent: bounceType === 'Permanent' });
    }
  }
  return [...last.values()];
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
