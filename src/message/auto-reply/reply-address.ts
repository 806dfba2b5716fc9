import type { Mailbox } from '../address.ts';
import type { ParsedMail } from '../parse/message.ts';

/**
 * Finds the reply address for an envelope sender. A forwarding server rewrites the sender (SRS), for example to
 * `SRS0=hash=day=example.org=ann@forwarder.example`. If the original sender is also the author, the reply goes to the
 * author.
 */
export function findReplyAddress(mail: ParsedMail, sender: Mailbox): string {
  const originalAddress = decodeSrs(sender.address);
  const author = mail.from.find(({ address }) => address.toLowerCase() === originalAddress?.toLowerCase());
  return author?.address ?? sender.address;
}

const SRS0 = /^srs0[=+-][^=@]{1,32}=[^=@]{1,8}=([^=@]{1,255})=([^@]{1,64})@/i;
const SRS1 = /^srs1[=+-][^=@]{1,32}=[^=@]{1,255}=[=+-][^=@]{1,32}=[^=@]{1,8}=([^=@]{1,255})=([^@]{1,64})@/i;

function decodeSrs(address: string): string | null {
  const [, domain, local] = SRS0.exec(address) ?? SRS1.exec(address) ?? [];
  return domain && local ? `${local}@${domain}` : null;
}
