import type { DnsRecord } from '../../../schema/send/domains/dns-records.ts';
import { verifyDomain } from '../../../schema/send/domains/domain-verify.ts';
import { addDomain, domainName } from '../../../schema/send/domains/domains.ts';
import { zoneDomain } from '../../../schema/send/domains/zone.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/verb/call.ts';
import { errors } from '../../../src/errors.ts';
import { onRuntime } from '../on-runtime.ts';
import { asWorkspace } from './as-workspace.ts';
import { inWorkspace } from './in-workspace.ts';
import { workspaceId } from './workspace-id.ts';

export const domainAdd = (workspace: string, name: string) =>
  inWorkspace(
    workspace,
    'domain.add',
    { name },
    async (ctx) => ({ id: await addDomain(ctx, name), name: domainName(name) }),
    false,
  );

export const domainList = (slug?: string) =>
  onRuntime(async (runtime) => {
    const workspace = await workspaceId(runtime, slug);
    return runtime.db.rows(
      sql`select d.id, w.slug as workspace, d.name, d.status, d.region, d.create_date as created,
         d.error_message as error
       from svc_domain d join workspace w on w.id = d.workspace_id
       where ${workspace}::int is null or w.id = ${workspace} order by w.id, d.id`,
    );
  });

export const domainVerify = (workspace: string, name: string) =>
  inWorkspace(workspace, 'domain.verify', { name }, (ctx) => verifyDomain(ctx, name), false);

export const domainRemove = (workspace: string, given: string) =>
  asWorkspace(workspace, async (ctx) => {
    const { id, name } = await domainNamed(ctx, given);
    await call(ctx, 'domainDelete', { id });
    return { id, name, removed: true };
  });

/** The records to publish, with their whole names. */
export const domainRecords = (workspace: string, given: string) =>
  asWorkspace(workspace, async (ctx) => {
    const { name: domain, subdomain, dnsRecords } = await domainNamed(ctx, given);
    return dnsRecords.map(({ type, name, value, priority, status, recommended }) => ({
      type,
      name: `${name}.${zoneDomain(domain, subdomain)}`,
      value,
      priority: priority ?? null,
      status,
      required: !recommended,
    }));
  });

interface Shown {
  id: number;
  name: string;
  subdomain: string | null;
  dnsRecords: DnsRecord[];
}

/** @throws NOT_FOUND */
async function domainNamed(ctx: Ctx, given: string): Promise<Shown> {
  const name = domainName(given);
  const domains = (await call(ctx, 'domainList', {})).value<Shown[]>();
  const domain = domains.find((each) => each.name === name);
  if (!domain) throw errors.notFound(`Domain ${name}`);
  return domain;
}
