import { NOW_ROW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { getReadableModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { listScheduledJobs } from '../../../src/engine/work/jobs.ts';
import { errors } from '../../../src/errors.ts';
import { computeInterval, computeNextRun } from './cron-times.ts';

/**
 * The platform's scheduled jobs, which administrators can view and run manually. A job runs once for all workspaces,
 * and `code` is its name. Administrators may deactivate the records, because classic clients do so before they start.
 * The platform's schedule is not affected.
 */
defineModel('ir.cron', {
  group: 'data',
  display: 'cron_name',
  order: 'cron_name',
  access: { 'base.group_system': 'rw' },
  ceiling: 'rw',
  computed: { name: { type: 'char', label: 'Name', sql: (row) => sql`${row}.cron_name` } },
  accepts: ['name'],
  beforeWrite: (_ctx, values) => {
    if (values.name !== undefined) values.cron_name ??= values.name;
    rejectInvalidInterval(values);
  },
});

function rejectInvalidInterval({ interval_number: number }: Values): void {
  if (number !== undefined && !(Number(number) > 0))
    throw errors.validation('The interval of a scheduled action must be at least 1.');
}

/** Adds records for new jobs. Does nothing until there is an administrator to own them. */
export async function addCrons(ctx: Ctx): Promise<void> {
  const now = Date.now();
  const workspace = sql.param(ctx.workspace.id);
  const rows = listScheduledJobs().map(({ name, cron }) => ({
    name,
    label: name[0]!.toUpperCase() + name.slice(1).replaceAll('-', ' '),
    next: new Date(computeNextRun(cron, now)).toISOString(),
    ...computeInterval(cron),
  }));
  await ctx.db.rows(
    sql`insert into ir_cron (workspace_id, id, cron_name, code, user_id, interval_number, interval_type, nextcall)
     select ${workspace}, (${await allocateIds(ctx, 'ir_cron', rows.length)}::int[])[row_number() over ()],
       j.label, j.name, u.id, j.number, j.type, j.next
     from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
       as j(name text, label text, number int, type text, next timestamp)
     cross join (
       select min(r.uid) as id from res_groups_users_rel r
       join res_groups g on g.workspace_id = ${workspace} and g.id = r.gid
         and g.external_id = 'base.group_system'
       where r.workspace_id = ${workspace}) u
     where u.id is not null
       and not exists (select 1 from ir_cron c where c.workspace_id = ${workspace} and c.code = j.name)`,
  );
}

const JobRun = builder.objectRef<{ success: boolean; message: string | null }>('JobRun').implement({
  description: 'Result of running scheduled actions.',
  fields: (t) => ({
    success: t.exposeBoolean('success', { description: 'True if all jobs ran to completion.' }),
    message: t.exposeString('message', {
      nullable: true,
      description: 'Reason for the failure. Null on success.',
    }),
  }),
});

export const cronRun = defineOperation('cronRun', {
  effects: ['writes'],
  address: 'ir.cron/method_direct_trigger',
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'cron.run' },
  description:
    'Runs the jobs of the given scheduled actions now. Returns true, or a client action that shows the failure.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  type: JobRun,
  returns: facadeResult.json,
  run: async (ctx, { ids }) => {
    const model = getReadableModel(ctx, 'ir.cron');
    await assertRowsExist(ctx, model, ids, 'read');
    await rejectIfOtherWorkspacesExist(ctx);
    for (const id of ids) {
      const failure = await runJob(ctx, id);
      if (failure) return failure;
    }
    return true;
  },
  answer: (_ctx, done) => ({
    success: done === true,
    message: done === true ? null : done.params.data.message,
  }),
});

/** @throws FORBIDDEN if there are other workspaces, because a job runs for all of them */
async function rejectIfOtherWorkspacesExist(ctx: Ctx): Promise<void> {
  const otherRows = await ctx.db.rows(sql`select 1 from workspace where id <> ${ctx.workspace.id} limit 1`);
  if (otherRows.length > 0)
    throw errors.notAllowed(
      'Scheduled actions run for all workspaces of this installation, so only the operator can run one manually.',
    );
}

type FailureAction = ReturnType<typeof buildFailureAction>;

/** @returns the client action that reports a failure, or null @throws USER_ERROR if the job is already running */
async function runJob(ctx: Ctx, id: number): Promise<FailureAction | null> {
  const code = await ctx.db.value<string>(
    sql`select code from ir_cron where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  const job = listScheduledJobs().find((scheduledJob) => scheduledJob.name === code);
  if (!job) throw errors.user('The job of this scheduled action no longer exists.');
  const hasLock = await ctx.db.value<boolean>(
    sql`select pg_try_advisory_xact_lock(hashtext('job ' || ${job.name}))`,
  );
  if (!hasLock)
    throw errors.user('This scheduled action is already running. Try again when it has finished.');
  const { runtime } = ctx;
  try {
    await job.run({ db: runtime.db, config: runtime.config, log: ctx.log.child({ job: job.name }) }, {});
    await ctx.db.rows(
      sql`update ir_cron set lastcall = now(), failure_count = 0, first_failure_date = null,
         nextcall = ${new Date(computeNextRun(job.cron, Date.now())).toISOString().slice(0, 19)}
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
    return null;
  } catch (error) {
    ctx.log.error({ err: error, job: job.name }, 'a manually started job failed');
    await ctx.db.rows(
      sql`update ir_cron set failure_count = failure_count + 1,
         first_failure_date = coalesce(first_failure_date, n.now) from ${NOW_ROW}
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
    return buildFailureAction(ctx);
  }
}

/** Makes Odoo's web client show a failure. The log contains the cause under the request id. */
const buildFailureAction = ({ requestId }: Ctx) => ({
  type: 'ir.actions.client',
  tag: 'display_exception',
  params: {
    code: 0,
    message: 'Odoo Server Error',
    data: {
      name: 'builtins.Exception',
      message: `The job failed. See the log for request ${requestId}`,
      arguments: [],
      context: {},
      debug: '',
    },
  },
});
