import { z } from '@hono/zod-openapi';
import { call } from '../../src/engine/call.ts';
import type { RawJson } from '../../src/engine/records.ts';
import { Domain } from './domain-shapes.ts';
import { endpoint } from './endpoint.ts';
import { BEARER, responses } from './envelope.ts';

const list = endpoint({
  route: {
    method: 'get',
    path: '/v1/domains',
    operationId: 'listDomains',
    tags: ['Domains'],
    summary: 'List the sending domains, newest first',
    security: BEARER,
    responses: responses('Every domain of the Team.', z.array(Domain)),
  },
  body: null,
  query: null,
  run: async (ctx) => (await call<RawJson>(ctx, 'sendingDomains', {})).text,
});

export const domains = [list];
