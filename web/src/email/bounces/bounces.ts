/** What the receiving side said of an address. */
export interface Bounce {
  address: string;
  /** The answer of its server, such as `550 5.1.1 user unknown`; empty where none came along. */
  answer: string;
  /** For good: the address is suppressed. */
  isPermanent: boolean;
}

interface StatusEvent {
  status: string;
  data: unknown;
}

/** Addresses that an email came back from, each with its last report, as SES and returned mail tell it. Pure. */
export function parseBounces(events: readonly StatusEvent[]): Bounce[] {
  const last = new Map<string, Bounce>();
  for (const { status, data } of events) {
    if (status !== 'BOUNCED') continue;
    const { bounceType, bouncedRecipients } = toRecord(data);
    for (const each of Array.isArray(bouncedRecipients) ? bouncedRecipients.map(toRecord) : []) {
      const address = toText(each.emailAddress);
      const answer = toText(each.diagnosticCode).replace(/^smtp;\s*/i, '') || toText(each.status);
      if (address) last.set(address, { address, answer, isPermanent: bounceType === 'Permanent' });
    }
  }
  return [...last.values()];
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
