import type { DnsRecord } from '../../../schema/email/domains/dns-records.ts';
import { verifyDomain } from '../../../schema/email/domains/domain-verify.ts';
import { addDomain, parseDomainName } from '../../../schema/email/domains/domains.ts';
import { getZoneDomain } from '../../../schema/email/domains/zone.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { formatInstantFields } from '../instant.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { runAsWorkspace } from './run-as-workspace.ts';
import { runInWorkspace } from './run-in-workspace.ts';
import { findWorkspaceId } from './workspace-id.ts';

export const runDomainAdd = (workspace: string, name: string) =>
  runInWorkspace(
    workspace,
    'domain.add',
    { name },
    async (ctx) => {
      const id = await addDomain(ctx, name);
      return { id, name: parseDomainName(name), ...(await describeMailboxes(ctx, name)) };
    },
    false,
  );

export const runDomainList = (slug?: string) =>
  runOnRuntime(async (runtime) => {
    const workspace = await findWorkspaceId(runtime, slug);
    const rows = await runtime.db.rows<{ created: string }>(
      sql`select d.id, w.slug as workspace, d.name, d.status, d.region, d.create_date as created,
         d.error_message as error
       from svc_domain d join workspace w on w.id = d.workspace_id
       where ${workspace}::int is null or w.id = ${workspace} order by w.id, d.id`,
    );
    return rows.map((row) => formatInstantFields(row, 'created'));
  });

export const runDomainVerify = (workspace: string, name: string) =>
  runInWorkspace(
    workspace,
    'domain.verify',
    { name },
    async (ctx) => ({ ...(await verifyDomain(ctx, name)), ...(await describeMailboxes(ctx, name)) }),
    false,
  );

/**
 * Describes the mailboxes that get addresses on a newly verified domain. Only the first verified domain gets addresses.
 */
async function describeMailboxes(ctx: Ctx, name: string): Promise<object> {
  const [row] = await ctx.db.rows<{ mailboxes: number; example: string | null; former: string | null }>(
    sql`select count(*)::int as mailboxes, min(m.address) as example, min(a.address) as former
     from svc_mail_address m
     left join svc_mail_address a on a.workspace_id = ${ctx.workspace.id} and a.account_id = m.account_id
       and a.kind = 'alias' and a.address = split_part(m.address, '@', 1) || ${`@${ctx.workspace.slug}.localhost`}
     where m.workspace_id = ${ctx.workspace.id} and m.kind = 'main' and m.address like ${`%@${parseDomainName(name)}`}`,
  );
  const { mailboxes, example, former } = row!;
  if (mailboxes === 0) return {};
  return {
    mailboxes,
    note:
      `Mailboxes now have addresses on this domain, such as ${example}. ` +
      "New users' mailboxes will receive one as well." +
      (former ? ` They still receive mail for their former addresses, such as ${former}.` : ''),
  };
}

export const runDomainRemove = (workspace: string, domainName: string) =>
  runAsWorkspace(workspace, async (ctx) => {
    const { id, name } = await findDomainByName(ctx, domainName);
    await call(ctx, 'domainDelete', { id });
    return { id, name, removed: true };
  });

/** Lists a domain's DNS records with fully qualified names. */
export const listDomainRecords = (workspace: string, domainName: string) =>
  runAsWorkspace(workspace, async (ctx) => {
    const { name: domain, subdomain, dnsRecords, cnameRecords } = await findDomainByName(ctx, domainName);
    const records = [...cnameRecords.map((record) => ({ ...record, type: 'CNAME' as const })), ...dnsRecords];
    return records.map(({ type, name, value, priority, status, recommended }) => ({
      type,
      name: `${name}.${getZoneDomain(domain, subdomain)}`,
      value,
      priority: priority ?? null,
      status,
      required: !recommended,
    }));
  });

/** @returns the DNS records to publish, including the new one */
export async function runDomainRotateKey(workspace: string, domainName: string) {
  await runAsWorkspace(workspace, async (ctx) => {
    const { id } = await findDomainByName(ctx, domainName);
    await call(ctx, 'domainRotateKey', { id });
  });
  return listDomainRecords(workspace, domainName);
}

interface DomainDetails {
  id: number;
  name: string;
  subdomain: string | null;
  dnsRecords: DnsRecord[];
  cnameRecords: Omit<DnsRecord, 'type'>[];
}

/** @throws NOT_FOUND */
async function findDomainByName(ctx: Ctx, domainName: string): Promise<DomainDetails> {
  const name = parseDomainName(domainName);
  const domains = (await call(ctx, 'domainList', {})).value<DomainDetails[]>();
  const domain = domains.find((domain) => domain.name === name);
  if (!domain) throw errors.notFound(`Domain ${name}`);
  return domain;
}
