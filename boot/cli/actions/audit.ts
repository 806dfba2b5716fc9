import { type AuditVerdict, verifyLogs } from '../../../schema/base/workspace/audit-verify.ts';
import { sql } from '../../../src/db/sql.ts';
import { errors } from '../../../src/errors.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { findWorkspaceId } from './workspace-id.ts';

/** @throws USER_ERROR that names the first invalid block of each log whose hash chain does not verify */
export const runAuditVerify = (slug?: string): Promise<Omit<AuditVerdict, 'changed'>[]> =>
  runOnRuntime(async (runtime) => {
    const workspaceId = await findWorkspaceId(runtime, slug);
    const workspaces = await runtime.db.rows<{ id: number; slug: string }>(
      sql`select id, slug from workspace where ${workspaceId}::int is null or id = ${workspaceId} order by id`,
    );
    const verdicts: AuditVerdict[] = [];
    for (const workspace of workspaces) verdicts.push(...(await verifyLogs(runtime, workspace)));
    const changedVerdicts = verdicts.filter((verdict) => verdict.changed !== null);
    if (changedVerdicts.length > 0) throw errors.user(changedVerdicts.map(describeFailure).join('\n'));
    return verdicts.map(({ changed: _, ...verdict }) => verdict);
  });

const describeFailure = ({ workspace, log, changed }: AuditVerdict): string =>
  `${workspace}: ${log} was changed outside of Atrium at ${changed}.`;
