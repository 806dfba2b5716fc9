import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import { defineEndpoint, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { instantSchema } from '../instants.ts';
import { referToShape } from '../shape-references.ts';
import { EmailId, SentBatch, SentBody } from '../shapes/email.ts';
import { EmailBatch, EmailChange, EmailRequest } from '../shapes/email-request.ts';
import { buildWholeNumberSchema, domainNumber, pageQuery } from '../whole-number.ts';

const idempotency = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(limits.call.idempotencyKey)
    .optional()
    .openapi({
      description:
        `Makes retries safe: for ${limits.call.idempotencyHours} hours, a request with the same key and ` +
        'body returns the first response without sending again.',
    }),
});

const send = defineEndpoint({
  route: {
    method: 'post',
    path: '/v1/emails',
    operationId: 'sendEmail',
    tags: ['Emails'],
    summary: 'Send an email',
    request: { headers: idempotency },
    responses: buildResponses(
      'Accepted for sending. Returns the id of the email.',
      SentBody,
      400,
      404,
      409,
      413,
    ),
  },
  body: EmailRequest,
  operation: 'emailSend',
  async run(ctx, { body, idempotencyKey }) {
    const emailId = await call(ctx, 'emailSend', { input: body, idempotencyKey });
    return JSON.stringify({ emailId, data: { emailId } });
  },
});

const sendBatch = defineEndpoint({
  route: {
    method: 'post',
    path: '/v1/emails/batch',
    operationId: 'sendEmailBatch',
    tags: ['Emails'],
    summary: `Send up to ${limits.email.batch} emails, all or none`,
    request: { headers: idempotency },
    responses: buildResponses('The ids of the emails.', SentBatch, 400, 404, 409, 413),
  },
  body: EmailBatch,
  operation: 'emailsSend',
  async run(ctx, { body, idempotencyKey }) {
    const ids = await call(ctx, 'emailsSend', { inputs: body, idempotencyKey });
    return JSON.stringify({ data: ids.map((emailId) => ({ emailId })) });
  },
});

const PageQuery = z.object({
  page: pageQuery,
  limit: buildWholeNumberSchema(1, limits.email.page)
    .optional()
    .openapi({ default: limits.email.page, description: 'Emails per page.' }),
  startDate: instantSchema.optional().openapi({ description: 'Created at or after this time.' }),
  endDate: instantSchema.optional().openapi({ description: 'Created at or before this time.' }),
  domainId: z
    .union([domainNumber.transform((id) => [id]), z.array(domainNumber)], {
      error: 'must be the id of a domain',
    })
    .optional()
    .openapi({
      type: 'array',
      items: { type: 'integer' },
      description: 'Only emails sent from this domain. Repeat the parameter for several domains.',
    }),
});

const list = defineEndpoint({
  route: {
    method: 'get',
    path: '/v1/emails',
    operationId: 'listEmails',
    tags: ['Emails'],
    summary: 'List sent emails, newest first',
    responses: buildResponses('One page of emails.', referToShape('EmailPage'), 400),
  },
  query: PageQuery,
  run: (ctx, { query: { domainId, ...page } }) =>
    runTextOperation(ctx, 'emailPage', { ...page, domainIds: domainId }),
});

const EmailParams = z.object({ emailId: z.string().describe('Id returned when the email was accepted.') });

const getEndpoint = defineEndpoint({
  route: {
    method: 'get',
    path: '/v1/emails/{emailId}',
    operationId: 'getEmail',
    tags: ['Emails'],
    summary: 'Get an email with its events',
    request: { params: EmailParams },
    responses: buildResponses(
      'The email with its content and its events, oldest first.',
      referToShape('Email'),
      400,
      404,
    ),
  },
  run: (ctx, { params }) => runTextOperation(ctx, 'emailRead', { id: params.emailId! }),
});

const change = defineEndpoint({
  route: {
    method: 'patch',
    path: '/v1/emails/{emailId}',
    operationId: 'updateEmail',
    tags: ['Emails'],
    summary: 'Reschedule a scheduled email',
    request: { params: EmailParams },
    responses: buildResponses('The id of the email.', EmailId, 400, 404),
  },
  body: EmailChange,
  operation: 'emailReschedule',
  async run(ctx, { params, body }) {
    const emailId = await call(ctx, 'emailReschedule', { id: params.emailId!, ...body });
    return JSON.stringify({ emailId });
  },
});

const cancel = defineEndpoint({
  route: {
    method: 'post',
    path: '/v1/emails/{emailId}/cancel',
    operationId: 'cancelEmail',
    tags: ['Emails'],
    summary: 'Cancel a scheduled email',
    request: { params: EmailParams },
    responses: buildResponses('The id of the email.', EmailId, 400, 404),
  },
  async run(ctx, { params }) {
    return JSON.stringify({ emailId: await call(ctx, 'emailCancel', { id: params.emailId! }) });
  },
});

export const emails = [send, sendBatch, list, getEndpoint, change, cancel];
