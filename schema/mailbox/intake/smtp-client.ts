export interface SmtpClient {
  /** Client address. Undefined if it is unknown or given only in the header. */
  ip?: string;
  helo?: string;
  /** Address of the trusted mail server that relayed the message. It adds a Received field. */
  relay?: string;
  /** True if the client's verdicts on spam and senders are trusted. */
  isTrusted?: boolean;
  isSpam?: boolean;
}
