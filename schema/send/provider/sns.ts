import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { defineIntake } from '../../../src/engine/entry/intake.ts';
import { takeNotice } from './batch.ts';
import { readSesEvent } from './ses-event.ts';
import { readEnvelope, type SnsEnvelope } from './sns-envelope.ts';
import { checkTrust, confirmSubscription, type SnsTrust } from './sns-trust.ts';

defineIntake('ses', async (runtime, body) => {
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
});

async function take(runtime: Runtime, envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
  const topic = envelope.TopicArn;
  if (envelope.Type === 'SubscriptionConfirmation') {
    await confirmSubscription(envelope, trust);
    return runtime.log.info({ topic }, 'subscribed to the topic');
  }
  if (envelope.Type === 'UnsubscribeConfirmation')
    return runtime.log.warn({ topic }, 'the topic will tell nothing more: it was unsubscribed from');
  const notice = readSesEvent(envelope.Message);
  if (notice) await takeNotice(runtime.db, { ...notice, noticeId: envelope.MessageId, topic });
}
