import type { DnsRecord } from '../../../schema/send/domains/dns-records.ts';
import { verifyDomain } from '../../../schema/send/domains/domain-verify.ts';
import { addDomain, domainName } from '../../../schema/send/domains/domains.ts';
import { zoneDomain } from '../../../schema/send/domains/zone.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/verb/call.ts';
import { errors } from '../../../src/errors.ts';
import { withInstants } from '../instant.ts';
import { onRuntime } from '../on-runtime.ts';
import { asWorkspace } from './as-workspace.ts';
import { inWorkspace } from './in-workspace.ts';
import { workspaceId } from './workspace-id.ts';

export const domainAdd = (workspace: string, name: string) =>
  inWorkspace(
    workspace,
    'domain.add',
    { name },
    async (ctx) => {
      const id = await addDomain(ctx, name);
      return { id, name: domainName(name), ...(await mailboxesAt(ctx, name)) };
    },
    false,
  );

export const domainList = (slug?: string) =>
  onRuntime(async (runtime) => {
    const workspace = await workspaceId(runtime, slug);
    const rows = await runtime.db.rows<{ created: string }>(
      sql`select d.id, w.slug as workspace, d.name, d.status, d.region, d.create_date as created,
         d.error_message as error
       from svc_domain d join workspace w on w.id = d.workspace_id
       where ${workspace}::int is null or w.id = ${workspace} order by w.id, d.id`,
    );
    return rows.map((row) => withInstants(row, 'created'));
  });

export const domainVerify = (workspace: string, name: string) =>
  inWorkspace(
    workspace,
    'domain.verify',
    { name },
    async (ctx) => ({ ...(await verifyDomain(ctx, name)), ...(await mailboxesAt(ctx, name)) }),
    false,
  );

/** What a verified domain means for mailboxes: the first one gives them addresses. */
async function mailboxesAt(ctx: Ctx, name: string): Promise<object> {
  const [row] = await ctx.db.rows<{ mailboxes: number; example: string | null; former: string | null }>(
    sql`select count(*)::int as mailboxes, min(m.address) as example, min(a.address) as former
     from svc_mail_address m
     left join svc_mail_address a on a.workspace_id = ${ctx.workspace.id} and a.account_id = m.account_id
       and a.kind = 'alias' and a.address = split_part(m.address, '@', 1) || ${`@${ctx.workspace.slug}.localhost`}
     where m.workspace_id = ${ctx.workspace.id} and m.kind = 'main' and m.address like ${`%@${domainName(name)}`}`,
  );
  const { mailboxes, example, former } = row!;
  if (mailboxes === 0) return {};
  return {
    mailboxes,
    note:
      `Mailboxes have addresses on the domain now, such as ${example}, and so will those of new users.` +
      (former ? ` Mail for the former addresses, such as ${former}, reaches them too.` : ''),
  };
}

export const domainRemove = (workspace: string, given: string) =>
  asWorkspace(workspace, async (ctx) => {
    const { id, name } = await domainNamed(ctx, given);
    await call(ctx, 'domainDelete', { id });
    return { id, name, removed: true };
  });

/** The records to publish, with their whole names. */
export const domainRecords = (workspace: string, given: string) =>
  asWorkspace(workspace, async (ctx) => {
    const { name: domain, subdomain, dnsRecords, cnameRecords } = await domainNamed(ctx, given);
    const records = [...cnameRecords.map((record) => ({ ...record, type: 'CNAME' as const })), ...dnsRecords];
    return records.map(({ type, name, value, priority, status, recommended }) => ({
      type,
      name: `${name}.${zoneDomain(domain, subdomain)}`,
      value,
      priority: priority ?? null,
      status,
      required: !recommended,
    }));
  });

/** Gives the domain a new DKIM key. @returns the records to publish, with the new one */
export async function domainRotateKey(workspace: string, given: string) {
  await asWorkspace(workspace, async (ctx) => {
    const { id } = await domainNamed(ctx, given);
    await call(ctx, 'domainRotateKey', { id });
  });
  return domainRecords(workspace, given);
}

interface Shown {
  id: number;
  name: string;
  subdomain: string | null;
  dnsRecords: DnsRecord[];
  cnameRecords: Omit<DnsRecord, 'type'>[];
}

/** @throws NOT_FOUND */
async function domainNamed(ctx: Ctx, given: string): Promise<Shown> {
  const name = domainName(given);
  const domains = (await call(ctx, 'domainList', {})).value<Shown[]>();
  const domain = domains.find((each) => each.name === name);
  if (!domain) throw errors.notFound(`Domain ${name}`);
  return domain;
}
