export interface MailSink {
  /** Finds the recipients that have mailboxes. @param size bytes of the message, 0 if unknown */
  find(recipients: readonly string[], size: number): Promise<MailDestination[]>;
  /** Stores a message and resolves once it is durable. @returns the outcome by recipient */
  take(message: ArrivingMail): Promise<Map<string, RecipientOutcome>>;
}

/** Outcome for a recipient: `full` if the mailbox is over quota, `over` if the message exceeds the quota. */
export type RecipientOutcome = 'accepted' | 'unknown' | 'full' | 'over';

export interface MailDestination {
  recipient: string;
  workspaceId: number;
  accountId: number;
  isFull: boolean;
  isOver: boolean;
  /** Remaining quota in bytes. Null if there is no quota. */
  room: number | null;
}

interface ArrivingMail {
  /** True if a single reply is sent for all recipients, as in SMTP. */
  isForAll: boolean;
  /** Envelope sender. Empty for a bounce. */
  sender: string;
  recipients: string[];
  places: MailDestination[];
  raw: AsyncIterable<Buffer>;
  source: 'smtp';
  client: DeliveringClient;
}

export interface DeliveringClient {
  /** IP address. Unset if a relay or proxy does not pass it on. */
  ip?: string;
  helo?: string;
  /** IP address of the relay that forwarded the message. */
  relay?: string;
  isTrusted: boolean;
}
