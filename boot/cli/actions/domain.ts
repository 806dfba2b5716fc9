import { verifyDomain } from '../../../schema/send/domains/domain-verify.ts';
import { addDomain, domainName } from '../../../schema/send/domains/domains.ts';
import { sql } from '../../../src/db/sql.ts';
import { onRuntime } from '../on-runtime.ts';
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
