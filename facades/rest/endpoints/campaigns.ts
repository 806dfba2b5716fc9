import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { createEndpointFactory, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { CampaignBody, CampaignPage, CampaignQuery, NewCampaign, Schedule } from '../shapes/campaign.ts';

const SuccessBody = z.object({ success: z.literal(true).describe('Always true.') });
const SUCCESS_BODY = '{"success":true}';

const defineEndpoint = createEndpointFactory('Campaigns', {
  campaignId: z.string().describe('Id of the campaign.'),
});

export const campaigns = [
  defineEndpoint({
    at: 'POST /v1/campaigns',
    operationId: 'createCampaign',
    summary: 'Create a campaign, optionally sending or scheduling it',
    description:
      'Creates a draft, unless `sendNow` or `scheduledAt` is set. The HTML must contain an unsubscribe link.',
    example: {
      name: 'March',
      from: 'Acme <hello@main.localhost>',
      subject: 'News for {{firstName, fallback=you}}',
      contactBookId: 'id-of-your-contact-book',
      html: '<p>Hello {{firstName, fallback=there}}</p><a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
    },
    responses: buildResponses('The campaign that was created.', CampaignBody, 400, 404, 413),
    body: NewCampaign,
    operation: 'campaignCreate',
    run: (ctx, { body }) => runTextOperation(ctx, 'campaignCreate', { campaign: body }),
  }),
  defineEndpoint({
    at: 'GET /v1/campaigns',
    operationId: 'listCampaigns',
    summary: 'List campaigns, newest first',
    description:
      'Campaigns can be filtered by status, or by text in the name or subject. Page numbers start at 1.',
    responses: buildResponses('One page of campaigns.', CampaignPage, 400),
    query: CampaignQuery,
    run: (ctx, { query }) => runTextOperation(ctx, 'campaignList', query),
  }),
  defineEndpoint({
    at: 'GET /v1/campaigns/{campaignId}',
    operationId: 'getCampaign',
    summary: 'Get a campaign with its results',
    description: 'Includes the number of emails by status, such as delivered, opened or bounced.',
    responses: buildResponses('The campaign with its content and results.', CampaignBody, 404),
    run: (ctx, { params }) => runTextOperation(ctx, 'campaignRead', { id: params.campaignId }),
  }),
  defineEndpoint({
    at: 'DELETE /v1/campaigns/{campaignId}',
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign and cancel its queued emails',
    description: 'Emails that have already been sent are kept.',
    responses: buildResponses('The campaign as it was before it was deleted.', CampaignBody, 404),
    run: (ctx, { params }) => runTextOperation(ctx, 'campaignDelete', { id: params.campaignId }),
  }),
  defineEndpoint({
    at: 'POST /v1/campaigns/{campaignId}/schedule',
    operationId: 'scheduleCampaign',
    summary: 'Schedule a campaign, or send it immediately',
    description:
      'Works for drafts and scheduled campaigns. Without a time, the campaign is sent immediately.',
    example: { scheduledAt: '2099-01-31T09:00:00Z' },
    responses: buildResponses('The campaign is scheduled.', SuccessBody, 400, 404, 413),
    body: Schedule,
    operation: 'campaignSchedule',
    async run(ctx, { params, body }) {
      await call(ctx, 'campaignSchedule', { id: params.campaignId, ...body });
      return SUCCESS_BODY;
    },
  }),
  defineEndpoint({
    at: 'POST /v1/campaigns/{campaignId}/pause',
    operationId: 'pauseCampaign',
    summary: 'Pause a campaign and hold its queued emails',
    description:
      'Works while the campaign is scheduled or running. No more emails are sent until it is resumed.',
    responses: buildResponses('The campaign is paused.', SuccessBody, 400, 404),
    async run(ctx, { params }) {
      await call(ctx, 'campaignPause', { id: params.campaignId });
      return SUCCESS_BODY;
    },
  }),
  defineEndpoint({
    at: 'POST /v1/campaigns/{campaignId}/resume',
    operationId: 'resumeCampaign',
    summary: 'Resume a paused campaign',
    description: 'Continues from the point where the campaign was paused. Returns 400 if it is not paused.',
    responses: buildResponses('The campaign is resumed.', SuccessBody, 400, 404),
    async run(ctx, { params }) {
      await call(ctx, 'campaignResume', { id: params.campaignId });
      return SUCCESS_BODY;
    },
  }),
];
