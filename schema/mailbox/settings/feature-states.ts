import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_READ_POLICY } from '../kit/operation.ts';
import { type Feature, loadFeatures, MAIL_FEATURES } from './features.ts';

export const FeatureStateShape = defineTypedShape('MailFeatureState', 'A mail feature.', {
  key: { type: 'String', description: 'Key, such as `mail.search`.' },
  label: { type: 'String', description: 'Name of the feature.' },
  isOn: { type: 'Boolean', description: 'True if the feature is on.' },
});

export const toFeatureStates = (features: Record<Feature, boolean>) =>
  Object.entries(features).map(([key, isOn]) => ({
    key,
    label: MAIL_FEATURES[key as Feature].label,
    isOn,
  }));

export const mailFeatureStates = defineOperation('mailFeatureStates', {
  kind: 'query',
  effects: ['reads'],
  tool: 'mail_features',
  address: 'svc.mail.feature/get_features',
  policy: MAIL_READ_POLICY,
  description: 'Returns the mail features, and whether each is on in your company.',
  args: () => ({}),
  type: [FeatureStateShape.ref] as object,
  returns: facadeResult.json,
  run: (ctx) => loadFeatures(ctx, ctx.principal!.companyId),
  answer: (_ctx, features) => toFeatureStates(features),
});

export const mailboxFeatures = defineOperation('mailboxFeatures', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Returns the mail features, and whether each is on in the company of one of your mailboxes.',
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Mailbox.' }) }),
  type: [FeatureStateShape.ref] as object,
  returns: facadeResult.json,
  run: async (ctx, { accountId }) => loadFeatures(ctx, (await getMemberMailbox(ctx, accountId)).company_id),
  answer: (_ctx, features) => toFeatureStates(features),
});
