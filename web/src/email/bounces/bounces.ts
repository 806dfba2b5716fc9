export interface Bounce {
  address: string;
  /** The receiving server's response, such as `550 5.1.1 user unknown`. May be empty. */
  answer: string;
  /** True for a permanent bounce, which suppresses the address. */
  isPermanent: boolean;
}

interface StatusEvent {
  status: string;
  data: unknown;
}

/** Returns the bounced addresses with their latest reports, from SES events or returned mail. */
export function parseBounces(events: readonly StatusEvent[]): Bounce[] {
  const last = new Map<string, Bounce>();
  for (const { status, data } of events) {
    const { bounceType, bouncedRecipients, autoReply } = toRecord(data);
    // SES also reports out-of-office replies as bounces, although the email was delivered.
    if (status !== 'BOUNCED' || autoReply === true) continue;
    for (const item of Array.isArray(bouncedRecipients) ? bouncedRecipients.map(toRecord) : []) {
      const address = toText(item.emailAddress);
      const result = toText(item.diagnosticCode).replace(/^smtp;\s*/i, '') || toText(item.status);
      if (address) last.set(address, { address, answer: result, isPermanent: bounceType === 'Permanent' });
    }
  }
  return [...last.values()];
}

/** Checks whether the email's reason for failure says nothing beyond its bounces. */
export const isRepeated = (reason: string, bounces: readonly Bounce[]): boolean =>
  bounces.length > 0 && bounces.every(({ answer }) => answer !== '' && reason.includes(answer));

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
