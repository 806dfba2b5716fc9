import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { takeNotice } from './batch.ts';
import { readSesEvent } from './ses-event.ts';
import { readEnvelope, type SnsEnvelope } from './sns-envelope.ts';
import { checkTrust, confirmSubscription, type SnsTrust } from './sns-trust.ts';

verb('snsMessageReceive', {
  kind: 'mutation',
  policy: { auth: ['SIGNED'], scope: 'write' },
  description: 'Receives an Amazon SNS message exactly as posted. Returns once the message is stored.',
  args: (arg) => ({ body: arg({ type: 'Bytes', required: true, description: 'Raw body of the request.' }) }),
  type: 'Boolean',
  run: async ({ runtime }, { body }) => {
    await receive(runtime, body);
    return true;
  },
});

/** @throws BAD_REQUEST for what is no message of SNS, FORBIDDEN for one that is not to be trusted */
async function receive(runtime: Runtime, body: Buffer): Promise<void> {
  const envelope = readEnvelope(body);
  const { sesTopicArns, awsSnsEndpoint } = runtime.config;
  const trust = { topics: sesTopicArns, endpoint: awsSnsEndpoint };
  try {
    await checkTrust(envelope, trust);
    await take(runtime, envelope, trust);
  } catch (error) {
    const { Type: type, TopicArn: topic, MessageId: message } = envelope;
    runtime.log.warn({ err: error, type, topic, message }, 'a message of Amazon SNS was not taken');
    throw error;
  }
}

async function take(runtime: Runtime, envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
  const topic = envelope.TopicArn;
  if (envelope.Type === 'SubscriptionConfirmation') {
    await confirmSubscription(envelope, trust);
    return runtime.log.info({ topic }, 'subscribed to the topic');
  }
  if (envelope.Type === 'UnsubscribeConfirmation')
    return runtime.log.warn({ topic }, 'unsubscribed from the topic: it reports no more events');
  const notice = readSesEvent(envelope.Message);
  if (notice) await takeNotice(runtime.db, { ...notice, noticeId: envelope.MessageId, topic });
}
