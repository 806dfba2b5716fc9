import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import { createEndpointFactory, runTextOperation } from '../endpoint.ts';
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

/** Its sender uses the domain that is created at the first start. */
const email = {
  from: 'Acme <hello@main.localhost>',
  to: 'ann@example.com',
  subject: 'Your receipt',
  html: '<p>Thank you, Ann.</p>',
  text: 'Thank you, Ann.',
};

const defineEndpoint = createEndpointFactory('Emails', {
  emailId: z.string().describe('Id returned when the email was accepted.'),
});

export const emails = [
  defineEndpoint({
    at: 'POST /v1/emails',
    operationId: 'sendEmail',
    summary: 'Send an email',
    description:
      'Accepts the email and returns its id before it is sent. `GET /v1/emails/{emailId}` and webhooks report ' +
      'its status. Recipients on the suppression list are left out.',
    example: { ...email, tags: { kind: 'receipt' } },
    headers: idempotency,
    responses: buildResponses(
      'Accepted for sending. Returns the id of the email.',
      SentBody,
      400,
      404,
      409,
      413,
    ),
    body: EmailRequest,
    operation: 'emailSend',
    async run(ctx, { body, idempotencyKey }) {
      const emailId = await call(ctx, 'emailSend', { input: body, idempotencyKey });
      return JSON.stringify({ emailId, data: { emailId } });
    },
  }),
  defineEndpoint({
    at: 'POST /v1/emails/batch',
    operationId: 'sendEmailBatch',
    summary: `Send up to ${limits.email.batch} emails, all or none`,
    description: `Accepts up to ${limits.email.batch} emails in one transaction: if one is rejected, none is accepted.`,
    example: [
      email,
      { ...email, to: 'bob@example.com', text: 'Thank you, Bob.', html: '<p>Thank you, Bob.</p>' },
    ],
    headers: idempotency,
    responses: buildResponses('The ids of the emails.', SentBatch, 400, 404, 409, 413),
    body: EmailBatch,
    operation: 'emailsSend',
    async run(ctx, { body, idempotencyKey }) {
      const ids = await call(ctx, 'emailsSend', { inputs: body, idempotencyKey });
      return JSON.stringify({ data: ids.map((emailId) => ({ emailId })) });
    },
  }),
  defineEndpoint({
    at: 'GET /v1/emails',
    operationId: 'listEmails',
    summary: 'List sent emails, newest first',
    description: 'Page numbers start at 1. A page past the last one is empty.',
    responses: buildResponses('One page of emails.', referToShape('EmailPage'), 400),
    query: PageQuery,
    run: (ctx, { query: { domainId, ...page } }) =>
      runTextOperation(ctx, 'emailPage', { ...page, domainIds: domainId }),
  }),
  defineEndpoint({
    at: 'GET /v1/emails/{emailId}',
    operationId: 'getEmail',
    summary: 'Get an email with its events',
    description:
      'Includes the status and its reason, every event (oldest first), and the content as long as it is stored.',
    responses: buildResponses(
      'The email with its content and its events, oldest first.',
      referToShape('Email'),
      400,
      404,
    ),
    run: (ctx, { params }) => runTextOperation(ctx, 'emailRead', { id: params.emailId! }),
  }),
  defineEndpoint({
    at: 'PATCH /v1/emails/{emailId}',
    operationId: 'updateEmail',
    summary: 'Reschedule a scheduled email',
    description: 'Returns 400 if the email has already been sent, canceled or rejected.',
    example: { scheduledAt: '2099-01-31T09:00:00Z' },
    responses: buildResponses('The id of the email.', EmailId, 400, 404),
    body: EmailChange,
    operation: 'emailReschedule',
    async run(ctx, { params, body }) {
      const emailId = await call(ctx, 'emailReschedule', { id: params.emailId!, ...body });
      return JSON.stringify({ emailId });
    },
  }),
  defineEndpoint({
    at: 'POST /v1/emails/{emailId}/cancel',
    operationId: 'cancelEmail',
    summary: 'Cancel a scheduled email',
    description: 'Only works before the email is sent. Returns 400 if the email has already been canceled.',
    responses: buildResponses('The id of the email.', EmailId, 400, 404),
    async run(ctx, { params }) {
      return JSON.stringify({ emailId: await call(ctx, 'emailCancel', { id: params.emailId! }) });
    },
  }),
];
