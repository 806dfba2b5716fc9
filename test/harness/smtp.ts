import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Options } from 'nodemailer/lib/smtp-transport';

/** Sends a message to an SMTP server. @returns the server's reply @throws if it rejects the message */
export async function sendOverSmtp(
  port: number,
  mail: SendMailOptions,
  options: Options = {},
): Promise<string> {
  const tls = { rejectUnauthorized: false };
  const transport = createTransport({ host: '127.0.0.1', port, tls, ...options });
  try {
    return (await transport.sendMail(mail)).response;
  } finally {
    transport.close();
  }
}

/** Like `sendOverSmtp`, but also returns the reply of a server that rejects the message. */
export const trySendOverSmtp = (...args: Parameters<typeof sendOverSmtp>): Promise<string> =>
  sendOverSmtp(...args).catch((error: { response?: string }) => error.response ?? String(error));
