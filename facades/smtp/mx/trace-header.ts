import type { SMTPServerSession } from 'smtp-server';
import type { Peer } from './peer.ts';

/**
 * Builds the trace header of the final server (RFC 5321 4.4): Return-Path and Received.
 * @param name this server's name
 */
export function buildReceivedHeader(
  { secure, id, envelope: { mailFrom } }: SMTPServerSession,
  { helo, address: ip }: Peer['trace'],
  name: string,
  isLmtp: boolean,
  now: Date,
): string {
  const sender = mailFrom ? mailFrom.address : '';
  const address = ip.includes(':') ? `IPv6:${ip}` : ip;
  const protocol = `${isLmtp ? 'LMTP' : 'ESMTP'}${secure ? 'S' : ''}`;
  const date = now.toUTCString().replace('GMT', '+0000');
  return (
    `Return-Path: <${sanitize(sender)}>\r\n` +
    `Received: from ${sanitize(helo || 'unknown')} ([${address}])\r\n` +
    `\tby ${sanitize(name)} with ${protocol} id ${sanitize(id)};\r\n\t${date}\r\n`
  );
}

/** Removes characters that cannot occur in addresses and host names. */
const sanitize = (text: string): string => text.replace(/[^\x21-\x3b\x3d\x3f-\x7e]/g, '').slice(0, 320);
