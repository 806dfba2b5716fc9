/** Who brought a message. */
export interface SmtpClient {
  /** Address it came from; without one it is not known, or is to be found in the header. */
  ip?: string;
  /** What it called itself. */
  helo?: string;
  /** Address of the trusted mail server that passed the message on. It adds a Received field. */
  relay?: string;
  /** What it says of spam and of senders is believed. */
  isTrusted?: boolean;
  /** It takes the message for spam. */
  isSpam?: boolean;
}
