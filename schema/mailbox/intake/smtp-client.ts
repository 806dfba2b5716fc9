export interface SmtpClient {
  /** Undefined if unknown, or if only the header contains it. */
  ip?: string;
  helo?: string;
  /** Trusted mail server that relayed the message and added a Received field. */
  relay?: string;
  /** True if the client's spam and sender verdicts are trusted. */
  isTrusted?: boolean;
  isSpam?: boolean;
}
