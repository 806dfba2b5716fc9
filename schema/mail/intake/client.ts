/** Who brought a message. */
export interface Client {
  /** Address it came from. */
  ip?: string;
  /** What it called itself. */
  helo?: string;
  /** What it says of spam and of senders is believed. */
  isTrusted?: boolean;
  /** It takes the message for spam. */
  isSpam?: boolean;
}
