import { randomUUID, verify, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildMimeMessage } from '../../src/message/compose.ts';
import { setUp } from '../harness/set-up.ts';
import { startSes } from '../standins/ses.ts';
import type { SesEvent } from '../standins/ses-events.ts';
import type { SnsEnvelope } from '../standins/sns.ts';

interface Post {
  type: string | undefined;
  contentType: string | undefined;
  envelope: SnsEnvelope;
}

const posts: Post[] = [];
/** Other tests may still post to a port that this server reuses. */
const path = `/${randomUUID()}`;
const subscriber = createServer((request, response) => {
  if (request.url !== path) return response.writeHead(404).end();
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const type = request.headers['x-amz-sns-message-type'] as string | undefined;
    posts.push({ type, contentType: request.headers['content-type'], envelope: JSON.parse(text) });
    response.end();
  });
});
const standin = setUp(() => startSes({ verify: false }));
let url: string;

beforeAll(async () => {
  await new Promise<void>((listening) => subscriber.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(subscriber.address() as AddressInfo).port}${path}`;
});

afterAll(() => subscriber.close());

/** Written from the AWS documentation, independently of the stub. */
function buildStringToSign(e: SnsEnvelope): string {
  const time = `Timestamp\n${e.Timestamp}\n`;
  const topic = `TopicArn\n${e.TopicArn}\nType\n${e.Type}\n`;
  const message = `Message\n${e.Message}\nMessageId\n${e.MessageId}\n`;
  if (e.Type !== 'Notification')
    return `${message}SubscribeURL\n${e.SubscribeURL}\n${time}Token\n${e.Token}\n${topic}`;
  return `${message}${e.Subject === undefined ? '' : `Subject\n${e.Subject}\n`}${time}${topic}`;
}

async function isSignatureValid(envelope: SnsEnvelope, text = buildStringToSign(envelope)): Promise<boolean> {
  const pem = await (await fetch(envelope.SigningCertURL)).text();
  const algorithm = envelope.SignatureVersion === '2' ? 'sha256' : 'sha1';
  return verify(
    algorithm,
    Buffer.from(text),
    new X509Certificate(pem).publicKey,
    Buffer.from(envelope.Signature, 'base64'),
  );
}

test('provides a self-signed X.509 certificate', () => {
  const certificate = new X509Certificate(standin.topic.pem);
  expect(certificate.subject).toBe('CN=sns.amazonaws.com');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

test('sends a signed subscription confirmation, whose URL confirms the subscription', async () => {
  expect(await standin.subscribe(url)).toBe(200);
  const post = posts.at(-1);
  expect([post?.type, post?.contentType]).toEqual(['SubscriptionConfirmation', 'text/plain; charset=UTF-8']);
  expect(await isSignatureValid(post!.envelope)).toBe(true);
  expect(standin.confirmed()).toBe(false);
  await fetch(post!.envelope.SubscribeURL!);
  expect(standin.confirmed()).toBe(true);
});

test('posts signed message events with the email id in the headers', async () => {
  posts.length = 0;
  standin.set({ autoEvents: true });
  const recipients = [
    'bob@example.com',
    'bounce+1@simulator.amazonses.com',
    'complaint@simulator.amazonses.com',
  ];
  const message = {
    emailId: 'e9',
    messageId: 'm@example.com',
    date: new Date(),
    from: 'a@example.com',
    to: recipients,
    subject: 'S',
    text: 'T',
  };
  const body = {
    FromEmailAddress: 'a@example.com',
    Destination: { ToAddresses: recipients },
    Content: { Raw: { Data: buildMimeMessage(message).toString('base64') } },
  };
  const response = await fetch(`${standin.url}/v2/email/outbound-emails`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const { MessageId } = (await response.json()) as { MessageId: string };
  await expect.poll(() => posts.length).toBe(4);
  const events = posts.map((post) => JSON.parse(post.envelope.Message) as SesEvent);
  expect(events.map((event) => event.eventType)).toEqual(['Send', 'Delivery', 'Bounce', 'Complaint']);
  for (const event of events) {
    expect(event.mail).toMatchObject({ messageId: MessageId, destination: recipients });
    expect(event.mail.headers).toContainEqual({ name: 'X-Atrium-Email-ID', value: 'e9' });
  }
  expect(events[2]?.bounce).toMatchObject({
    bounceType: 'Permanent',
    bouncedRecipients: [{ emailAddress: recipients[1] }],
  });
  for (const { envelope } of posts) {
    expect(await isSignatureValid(envelope)).toBe(true);
    expect(
      await isSignatureValid(envelope, buildStringToSign({ ...envelope, Message: `${envelope.Message} ` })),
    ).toBe(false);
  }
  expect(
    await standin.notify(MessageId, 'Bounce', { bounceType: 'Transient', bounceSubType: 'MailboxFull' }),
  ).toBe(200);
  expect(JSON.parse(posts.at(-1)!.envelope.Message).bounce.bounceSubType).toBe('MailboxFull');
});

test('signs the subject of a notification that has one', async () => {
  expect(await isSignatureValid(standin.topic.notification({ a: 1 }, 'Amazon SES Email Event'))).toBe(true);
});
