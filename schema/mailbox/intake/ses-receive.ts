import { readBucketObject } from '../../../src/db/blobs/s3-store.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { openNotification } from '../../email/provider/sns.ts';
import { acceptMessage } from './accept.ts';
import { buildTraceHeader } from './relay.ts';
import { parseSesMessage, type SesMessage } from './ses-message.ts';

export const mailSesReceive = defineOperation('mailSesReceive', {
  effects: ['writes', 'sends'],
  policy: { auth: ['SIGNED'], scope: 'write' },
  description:
    'Receives a notification from Amazon SES about an incoming message. Returns once the message is stored.',
  args: (arg) => ({ body: arg({ type: 'Bytes', required: true, description: 'Raw body of the request.' }) }),
  type: 'Boolean',
  run: async ({ runtime }, { body }) => {
    const { sesInboundTopicArns: topics } = runtime.config;
    if (topics.length === 0) throw errors.notFound('Address');
    const envelope = await openNotification(runtime, body, topics);
    const receivedMessage = envelope && parseSesMessage(envelope.Message);
    if (receivedMessage) await acceptSesMessage(runtime, receivedMessage);
    return true;
  },
});

/** Accepts a message that SES has already accepted for all recipients, so it can no longer be rejected. */
async function acceptSesMessage(runtime: Runtime, receivedMessage: SesMessage): Promise<void> {
  const acceptance = await acceptMessage(runtime, {
    sender: receivedMessage.sender,
    recipients: receivedMessage.recipients,
    raw: prependTrace(
      receivedMessage.sender,
      runtime.config.publicUrl,
      readContent(runtime, receivedMessage),
    ),
    source: 'smtp',
    client: { isTrusted: true, isSpam: receivedMessage.isSpam },
    verdicts: receivedMessage.verdicts,
    origin: `ses ${receivedMessage.id}`,
    cannotRefuse: true,
  });
  const unknownRecipients = [...acceptance.values()].filter((outcome) => outcome === 'unknown').length;
  if (unknownRecipients > 0)
    runtime.log.warn(
      { message: receivedMessage.id, strangers: unknownRecipients },
      'SES has received mail for addresses without mailbox',
    );
}

async function* prependTrace(
  sender: string,
  publicUrl: string,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield buildTraceHeader(sender, '', publicUrl);
  yield* content;
}

/** @throws FORBIDDEN if the bucket is not ours, BUSY if the object cannot be read */
async function* readContent({ config }: Runtime, { content, object }: SesMessage): AsyncGenerator<Buffer> {
  if (content) {
    yield content;
    return;
  }
  const bucket = config.sesInboundBucket;
  if (!object || !bucket || object.bucket !== bucket.bucket)
    throw errors.notAllowed('The message is not in the bucket that SES_INBOUND_BUCKET specifies.');
  let size = 0;
  try {
    for await (const chunk of readBucketObject(bucket, object.key)) {
      size += chunk.length;
      if (size > limits.mail.messageBytes) break;
      yield chunk;
    }
  } catch {
    throw errors.busy('The message could not be read from its bucket. Try again later.');
  }
  if (size > limits.mail.messageBytes) throw errors.contentTooLarge(limits.mail.messageBytes);
}
