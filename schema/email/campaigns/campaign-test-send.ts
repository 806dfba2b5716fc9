import { GraphQLList, GraphQLString } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { errors } from '../../../src/errors.ts';
import { resolveSentEmails } from '../accept/resolve-sent.ts';
import { getOwnAddress } from '../kit/own-address.ts';
import { ADMIN_WRITE_POLICY } from '../kit/policies.ts';
import { renderCampaign } from './render-campaign.ts';

const MAX_RECIPIENTS = 10;

export const campaignTestSend = defineOperation('campaignTestSend', {
  effects: ['writes', 'sends'],
  policy: { ...ADMIN_WRITE_POLICY, scope: 'send' },
  description:
    'Sends a campaign, as saved, to addresses of your choice and returns the emails. They are not part of ' +
    'the campaign, and their unsubscribe link does not unsubscribe anyone.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Campaign id.' }),
    to: arg.stringList({
      description:
        `Up to ${MAX_RECIPIENTS} recipients. Each receives a separate email. Defaults to the caller's login if ` +
        'that is an email address.',
    }),
    contact: arg.string({
      description:
        "Address of a contact in the book. Variables in the message are filled with this contact's values. " +
        'Defaults to the first subscribed contact.',
    }),
  }),
  type: [getRecordRef('svc.email')],
  returns: new GraphQLList(GraphQLString),
  run: (ctx, { id, to, contact }) =>
    sendTest(ctx, String(id), to ?? [getOwnAddress(ctx)], contact?.trim() || null),
  answer: (ctx, ids, _args, info) => resolveSentEmails(ctx, ids, info),
});

async function sendTest(
  ctx: Ctx,
  id: string,
  to: readonly string[],
  contact: string | null,
): Promise<string[]> {
  if (to.length < 1 || to.length > MAX_RECIPIENTS)
    throw errors.badField('to', `must contain 1 to ${MAX_RECIPIENTS} addresses.`);
  const { texts, message } = await renderCampaign(ctx, id, {}, contact);
  const inputs = to.map((address) => ({
    from: texts.from,
    to: [address],
    replyTo: texts.reply_to,
    subject: message.subject,
    html: message.html,
    tags: { test: 'campaign' },
  }));
  return call(ctx, 'emailsSend', { inputs });
}
