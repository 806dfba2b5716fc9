import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { readResourceById, readResourceList } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { buildJsonParts } from '../kit/shape.ts';
import { buildDnsRecords, type PublishedDomain } from './dns-records.ts';
import { domainResource, domainShape, SendingDomain } from './domain-shape.ts';

export const listDomains = defineOperation('domainList', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `sendingDomains`.',
  policy: TEAM_READ_POLICY,
  description:
    'Returns all sending domains in the format of the email REST API. In GraphQL, use `sendingDomains`.',
  args: () => ({}),
  type: [SendingDomain],
  async run(ctx) {
    const domains = await loadDomains(ctx, getBoundDomain(ctx));
    return new RawJson(JSON.stringify(domains), domains.length);
  },
  read: (ctx, _args, info) => readResourceList(ctx, domainResource, info),
});

export const readDomain = defineOperation('domainRead', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `sendingDomain`.',
  policy: TEAM_READ_POLICY,
  description:
    'Returns a sending domain in the format of the email REST API. In GraphQL, use `sendingDomain`.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Domain id.' }) }),
  type: SendingDomain,
  nullable: true,
  async run(ctx, { id }) {
    const number = parseRowId(id);
    const boundDomain = getBoundDomain(ctx);
    const [domain] = boundDomain === null || boundDomain === number ? await loadDomains(ctx, number) : [];
    if (!domain) throw errors.notFound('Domain');
    return new RawJson(JSON.stringify(domain), 1);
  },
  read: (ctx, { id }, info) => readResourceById(ctx, domainResource, id, info),
});

export const PUBLISHED_DOMAIN_JSON = sql`json_build_object('subdomain', subdomain, 'region', region, 'status', status,
  'public_key', public_key, 'dkim_next_selector', dkim_next_selector, 'dkim_next_public', dkim_next_public,
  'dkim_former_selector', dkim_former_selector, 'dkim_former_public', dkim_former_public,
  'dkim_selector', dkim_selector, 'dkim_tokens', dkim_tokens, 'dkim_status', dkim_status,
  'spf_details', spf_details, 'dns_seen', dns_seen)`;

/** @param id null for all domains */
async function loadDomains(ctx: Ctx, id: number | null): Promise<object[]> {
  const rows = await ctx.db.rows<{ shown: object; published: PublishedDomain }>(
    sql`select json_build_object(${buildJsonParts(domainShape, 'd')}) as shown,
       ${PUBLISHED_DOMAIN_JSON} as published
     from svc_domain d where workspace_id = ${ctx.workspace.id} and ${id === null ? sql`true` : sql`id = ${id}`}
     order by id desc`,
  );
  return rows.map(({ shown, published }) => {
    const records = buildDnsRecords(published);
    return {
      ...shown,
      dnsRecords: records.filter(({ type }) => type !== 'CNAME'),
      cnameRecords: records.flatMap(({ type, ...record }) => (type === 'CNAME' ? record : [])),
    };
  });
}
