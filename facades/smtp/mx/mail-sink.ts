/** Where the SMTP and LMTP ports deliver mail. */
export interface MailSink {
  /** Finds the recipients that there are mailboxes for. @param size bytes of the message, 0 where it is not known */
  find(recipients: readonly string[], size: number): Promise<MailDestination[]>;
  /** Keeps a message; resolves when it is durable. @returns what became of each recipient */
  take(message: ArrivingMail): Promise<Map<string, RecipientOutcome>>;
}

/** What became of a recipient: `full` where there is no room for the message now, `over` where there never is. */
export type RecipientOutcome = 'accepted' | 'unknown' | 'full' | 'over';

/** Where mail for a recipient goes. */
export interface MailDestination {
  recipient: string;
  workspaceId: number;
  accountId: number;
  isFull: boolean;
  isOver: boolean;
  /** Bytes that its quota leaves; null without a quota. */
  room: number | null;
}

export interface ArrivingMail {
  /** The client gets one reply for all recipients, as SMTP has it. */
  isForAll: boolean;
  /** Of the envelope; empty for a report. */
  sender: string;
  recipients: string[];
  /** What `find` has answered for them. */
  places: MailDestination[];
  raw: AsyncIterable<Buffer>;
  source: 'smtp';
  client: DeliveringClient;
}

/** Who brings a message. */
export interface DeliveringClient {
  /** Its address; left out if a relay or proxy does not say it. */
  ip?: string;
  /** What it called itself. */
  helo?: string;
  /** Address of the relay that passes the message on. */
  relay?: string;
  isTrusted: boolean;
}
