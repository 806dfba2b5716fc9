export interface SmtpClient {
  /** Client address. Undefined if unknown or only given in the header. */
  ip?: string;
  helo?: string;
  /** Address of the trusted mail server that relayed the message. It adds a Received field. */
  relay?: string;
  /** True if the client's verdicts about spam and senders are trusted. */
  isTrusted?: boolean;
  isSpam?: boolean;
}
