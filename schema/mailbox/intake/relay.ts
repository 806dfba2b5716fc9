import { createHash } from 'node:crypto';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { acceptMessage } from './accept.ts';

const RelayOutcome = defineTypedShape(
  'MailRelayOutcome',
  'Result of receiving a message for one recipient.',
  {
    address: { type: 'String', description: 'The recipient.' },
    outcome: {
      type: 'String',
      description:
        '`accepted`, `unknown` if no mailbox has the address, `full` if the mailbox is over quota, ' +
        'or `over` if the message exceeds the quota.',
    },
  },
);

export const mailRelayReceive = defineOperation('mailRelayReceive', {
  effects: ['writes', 'sends'],
  policy: { auth: ['SIGNED'], scope: 'write' },
  description: 'Receives a message from a relay. Returns once the message is stored.',
  args: (arg) => ({
    sender: arg.string({
      defaultValue: '',
      description: 'Envelope sender. Empty for a delivery report.',
    }),
    recipients: arg.stringList({ required: true, description: 'Envelope recipients.' }),
    clientIp: arg.string({
      defaultValue: '',
      description: 'Address of the client that sent the message to the relay.',
    }),
    hash: arg.string({ required: true, description: 'SHA-256 of the message, in hex.' }),
    signature: arg.string({
      required: true,
      description: 'Signature of the request. Redeliveries have the same signature.',
    }),
    body: arg({ type: 'Bytes', required: true, description: 'The raw message.' }),
  }),
  type: [RelayOutcome.ref] as object,
  returns: facadeResult.json,
  answer: (_ctx, acceptance) => acceptance,
  run: async ({ runtime }, { sender, recipients, clientIp, hash, signature, body }) => {
    if (createHash('sha256').update(body).digest('hex') !== hash)
      throw errors.badRequest('The message does not match its signed hash.');
    if (body.length === 0) throw errors.badRequest('The message is empty.');
    const acceptance = await acceptMessage(runtime, {
      sender: sender ?? '',
      recipients,
      raw: Buffer.concat([buildTraceHeader(sender ?? '', clientIp ?? '', runtime.config.publicUrl), body]),
      source: 'smtp',
      client: { ...(clientIp && { ip: clientIp }), isTrusted: true },
      origin: `relay ${signature}`,
    });
    return [...acceptance].map(([address, outcome]) => ({ address, outcome }));
  },
});

/** Builds the Return-Path and Received fields that the final server adds (RFC 5321 4.4). */
export function buildTraceHeader(sender: string, clientIp: string, publicUrl: string): Buffer {
  const sanitizeToken = (text: string): string =>
    text.replace(/[^\x21-\x3b\x3d\x3f-\x7e]/g, '').slice(0, 320);
  const from = clientIp ? ` from [${clientIp.includes(':') ? `IPv6:${clientIp}` : clientIp}]` : '';
  const date = new Date().toUTCString().replace('GMT', '+0000');
  return Buffer.from(
    `Return-Path: <${sanitizeToken(sender)}>\r\n` +
      `Received:${from} by ${sanitizeToken(new URL(publicUrl).hostname)} with HTTP;\r\n\t${date}\r\n`,
    'latin1',
  );
}
