import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { defineEndpoint, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { CampaignBody, CampaignPage, CampaignQuery, NewCampaign, Schedule } from '../shapes/campaign.ts';

const BASE = '/v1/campaigns';
const CAMPAIGN_PATH = `${BASE}/{campaignId}`;

const at = { params: z.object({ campaignId: z.string().describe('Id of the campaign.') }) };
const common = { tags: ['Campaigns'] };
const SuccessBody = z.object({ success: z.literal(true).describe('Always true.') });
const SUCCESS_BODY = '{"success":true}';

const create = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: BASE,
    operationId: 'createCampaign',
    summary: 'Create a campaign, optionally sending or scheduling it',
    responses: buildResponses('The campaign that was created.', CampaignBody, 400, 404, 413),
  },
  body: NewCampaign,
  operation: 'campaignCreate',
  run: (ctx, { body }) => runTextOperation(ctx, 'campaignCreate', { campaign: body }),
});

const list = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: BASE,
    operationId: 'listCampaigns',
    summary: 'List campaigns, newest first',
    responses: buildResponses('One page of campaigns.', CampaignPage, 400),
  },
  query: CampaignQuery,
  run: (ctx, { query }) => runTextOperation(ctx, 'campaignList', query),
});

const getEndpoint = defineEndpoint({
  route: {
    ...common,
    method: 'get',
    path: CAMPAIGN_PATH,
    operationId: 'getCampaign',
    summary: 'Get a campaign with its results',
    request: at,
    responses: buildResponses('The campaign with its content and results.', CampaignBody, 404),
  },
  run: (ctx, { params }) => runTextOperation(ctx, 'campaignRead', { id: params.campaignId }),
});

const remove = defineEndpoint({
  route: {
    ...common,
    method: 'delete',
    path: CAMPAIGN_PATH,
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign and cancel its queued emails',
    request: at,
    responses: buildResponses('The campaign as it was before it was deleted.', CampaignBody, 404),
  },
  run: (ctx, { params }) => runTextOperation(ctx, 'campaignDelete', { id: params.campaignId }),
});

const schedule = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: `${CAMPAIGN_PATH}/schedule`,
    operationId: 'scheduleCampaign',
    summary: 'Schedule a campaign, or send it immediately',
    request: at,
    responses: buildResponses('The campaign is scheduled.', SuccessBody, 400, 404, 413),
  },
  body: Schedule,
  operation: 'campaignSchedule',
  async run(ctx, { params, body }) {
    await call(ctx, 'campaignSchedule', { id: params.campaignId, ...body });
    return SUCCESS_BODY;
  },
});

const pause = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: `${CAMPAIGN_PATH}/pause`,
    operationId: 'pauseCampaign',
    summary: 'Pause a campaign and hold its queued emails',
    request: at,
    responses: buildResponses('The campaign is paused.', SuccessBody, 400, 404),
  },
  async run(ctx, { params }) {
    await call(ctx, 'campaignPause', { id: params.campaignId });
    return SUCCESS_BODY;
  },
});

const resume = defineEndpoint({
  route: {
    ...common,
    method: 'post',
    path: `${CAMPAIGN_PATH}/resume`,
    operationId: 'resumeCampaign',
    summary: 'Resume a paused campaign',
    request: at,
    responses: buildResponses('The campaign is resumed.', SuccessBody, 400, 404),
  },
  async run(ctx, { params }) {
    await call(ctx, 'campaignResume', { id: params.campaignId });
    return SUCCESS_BODY;
  },
});

export const campaigns = [create, list, getEndpoint, remove, schedule, pause, resume];
