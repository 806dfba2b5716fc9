import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { createEndpointFactory, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { buildShapeList } from '../shape-references.ts';
import { DeletedDomain, DomainBody, NewDomain, VerificationMessage } from '../shapes/domain.ts';
import { domainNumber } from '../whole-number.ts';

/** Parses a domain id. @throws NOT_FOUND for any other string */
function parseDomainId(text: string | undefined): number {
  const id = domainNumber.safeParse(text);
  if (!id.success) throw errors.notFound('Domain');
  return id.data;
}

const defineEndpoint = createEndpointFactory('Domains', {
  id: z.string().openapi({ type: 'integer', description: 'Id of the sending domain.' }),
});

export const domains = [
  defineEndpoint({
    at: 'GET /v1/domains',
    operationId: 'listDomains',
    summary: 'List sending domains, newest first',
    description: 'Returns each domain with its verification status and the DNS records to publish.',
    responses: buildResponses(
      'All domains of the Team. A key bound to one domain sees only that one.',
      buildShapeList('Domain'),
    ),
    run: (ctx) => runTextOperation(ctx, 'domainList', {}),
  }),
  defineEndpoint({
    at: 'POST /v1/domains',
    operationId: 'createDomain',
    summary: 'Add a sending domain',
    description:
      'Publish the returned records in DNS, then verify the domain. A domain belongs to one workspace. ' +
      'Without an email provider, no records are returned: the domain is verified at once, and emails to its ' +
      'addresses are delivered to the mailboxes of this server or bounce.',
    example: (region) => ({ name: 'mail.example.com', region }),
    responses: buildResponses('The domain with the DNS records to publish.', DomainBody, 400, 409),
    body: NewDomain,
    operation: 'domainAdd',
    async run(ctx, { body }) {
      const id = await call(ctx, 'domainAdd', body);
      return runTextOperation(ctx, 'domainRead', { id });
    },
  }),
  defineEndpoint({
    at: 'GET /v1/domains/{id}',
    operationId: 'getDomain',
    summary: 'Get a sending domain',
    description: 'Includes the DNS records to publish and the status of each check.',
    responses: buildResponses('The domain with the DNS records to publish.', DomainBody, 404),
    run: (ctx, { params }) => runTextOperation(ctx, 'domainRead', { id: parseDomainId(params.id) }),
  }),
  defineEndpoint({
    at: 'PUT /v1/domains/{id}/verify',
    operationId: 'verifyDomain',
    summary: 'Verify a sending domain now',
    description: 'Checks DNS and the provider now instead of waiting for the next scheduled check.',
    responses: buildResponses('The current verification status, in words.', VerificationMessage, 400, 404),
    async run(ctx, { params }) {
      const status = await call(ctx, 'domainVerify', { id: parseDomainId(params.id) });
      return JSON.stringify({ message: `The domain was checked; its status is ${status}.` });
    },
  }),
  defineEndpoint({
    at: 'DELETE /v1/domains/{id}',
    operationId: 'deleteDomain',
    summary: 'Delete a sending domain',
    description: 'Queued emails from the domain are canceled; sent emails are kept.',
    responses: buildResponses('The domain was deleted.', DeletedDomain, 404),
    async run(ctx, { params }) {
      const id = parseDomainId(params.id);
      const name = await call(ctx, 'domainDelete', { id });
      return JSON.stringify({ id, success: true, message: `The domain ${name} was deleted.` });
    },
  }),
];
