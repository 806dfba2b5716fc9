import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { defineEndpoint, runTextOperation } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { buildShapeList } from '../shape-references.ts';
import { DeletedDomain, DomainBody, NewDomain, VerificationMessage } from '../shapes/domain.ts';
import { domainNumber } from '../whole-number.ts';

const params = z.object({
  id: z.string().openapi({ type: 'integer', description: 'Id of the sending domain.' }),
});

/** Parses a domain id. @throws NOT_FOUND for any other string */
function parseDomainId(text: string | undefined): number {
  const id = domainNumber.safeParse(text);
  if (!id.success) throw errors.notFound('Domain');
  return id.data;
}

const list = defineEndpoint({
  route: {
    method: 'get',
    path: '/v1/domains',
    operationId: 'listDomains',
    tags: ['Domains'],
    summary: 'List sending domains, newest first',
    responses: buildResponses(
      'All domains of the Team. A key bound to one domain sees only that one.',
      buildShapeList('Domain'),
    ),
  },
  run: (ctx) => runTextOperation(ctx, 'domainList', {}),
});

const create = defineEndpoint({
  route: {
    method: 'post',
    path: '/v1/domains',
    operationId: 'createDomain',
    tags: ['Domains'],
    summary: 'Add a sending domain',
    responses: buildResponses('The domain with the DNS records to publish.', DomainBody, 400, 409),
  },
  body: NewDomain,
  operation: 'domainAdd',
  async run(ctx, { body }) {
    const id = await call(ctx, 'domainAdd', body);
    return runTextOperation(ctx, 'domainRead', { id });
  },
});

const getEndpoint = defineEndpoint({
  route: {
    method: 'get',
    path: '/v1/domains/{id}',
    operationId: 'getDomain',
    tags: ['Domains'],
    summary: 'Get a sending domain',
    request: { params },
    responses: buildResponses('The domain with the DNS records to publish.', DomainBody, 404),
  },
  run: (ctx, { params }) => runTextOperation(ctx, 'domainRead', { id: parseDomainId(params.id) }),
});

const verify = defineEndpoint({
  route: {
    method: 'put',
    path: '/v1/domains/{id}/verify',
    operationId: 'verifyDomain',
    tags: ['Domains'],
    summary: 'Verify a sending domain now',
    request: { params },
    responses: buildResponses('The current verification status, in words.', VerificationMessage, 400, 404),
  },
  async run(ctx, { params }) {
    const status = await call(ctx, 'domainVerify', { id: parseDomainId(params.id) });
    return JSON.stringify({ message: `The domain was checked; its status is ${status}.` });
  },
});

const remove = defineEndpoint({
  route: {
    method: 'delete',
    path: '/v1/domains/{id}',
    operationId: 'deleteDomain',
    tags: ['Domains'],
    summary: 'Delete a sending domain',
    request: { params },
    responses: buildResponses('The domain was deleted.', DeletedDomain, 404),
  },
  async run(ctx, { params }) {
    const id = parseDomainId(params.id);
    const name = await call(ctx, 'domainDelete', { id });
    return JSON.stringify({ id, success: true, message: `The domain ${name} was deleted.` });
  },
});

export const domains = [list, create, getEndpoint, verify, remove];
