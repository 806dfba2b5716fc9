import { sql } from '../../../src/db/sql.ts';
import { getModel, getReadableModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { getToday } from '../../../src/engine/ctx/call-context.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { read, search } from '../../../src/engine/read/records.ts';
import { create, unlink, write } from '../../../src/engine/write/write.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { findNamedRecord } from '../ir/data.ts';
import { getActivityModel } from './thread.ts';

const policy: Policy = { auth: ['USER'], scope: 'write' };

export const activityFeedback = defineOperation('activityFeedback', {
  effects: ['writes', 'deletes'],
  address: 'mail.activity/action_feedback',
  onRecords: true,
  policy,
  description:
    "Marks activities as done and posts a message to each record's thread. Returns the id of the last " +
    'message, or false if none was posted.',
  args: (arg) => ({
    ids: arg.recordIds({ required: true }),
    feedback: arg.string({ description: 'Text to add to the message.' }),
    attachmentIds: arg.recordIds({ description: 'Attachments to add to the message.' }),
  }),
  ...returnRecord('mail.message', facadeResult.json, (message: number | false) => message || null),
  run: (ctx, { ids, feedback, attachmentIds: files }) =>
    ctx.tx((tx) => finishActivityBatch(tx, ids, feedback ?? '', files ?? [])),
});

export const activityDone = defineOperation('activityDone', {
  effects: ['writes', 'deletes'],
  address: 'mail.activity/action_done',
  onRecords: true,
  policy,
  description: 'Marks activities as done. Returns the id of the last message, or false if none was posted.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecord('mail.message', facadeResult.json, (message: number | false) => message || null),
  run: (ctx, { ids }) => ctx.tx((tx) => finishActivityBatch(tx, ids, '', [])),
});

export const recordActivityFeedback = defineOperation('recordActivityFeedback', {
  effects: ['writes', 'deletes'],
  address: '*/activity_feedback',
  needs: 'activity_ids',
  policy,
  description:
    "Marks open activities of the given types as done, and posts a message to each record's thread. " +
    'Returns false if no type exists.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    actTypeXmlids: arg.stringList({ required: true, description: 'External ids of activity types.' }),
    userId: arg.recordId({ description: 'Only activities that are assigned to this user.' }),
    feedback: arg.string({ description: 'Text to add to the message.' }),
    attachmentIds: arg.recordIds({ description: 'Attachments to add to the message.' }),
    onlyAutomated: arg.boolean({
      defaultValue: true,
      description: 'Only activities that were created by `activity_schedule`.',
    }),
  }),
  type: 'Boolean',
  run: (ctx, args) =>
    ctx.tx((tx) => finishActivities(tx, getActivityModel(tx, args.model, 'activity_feedback').name, args)),
});

interface FinishRequest {
  ids: number[];
  actTypeXmlids: string[];
  userId?: number | null;
  feedback?: string | null;
  attachmentIds?: number[] | null;
  onlyAutomated?: boolean | null;
}

async function finishActivities(ctx: Ctx, model: string, request: FinishRequest): Promise<boolean> {
  const typeRecords = await Promise.all(
    request.actTypeXmlids.map((xmlid) => {
      const [module = '', ...name] = xmlid.split('.');
      return findNamedRecord(ctx, module, name.join('.'));
    }),
  );
  const types = typeRecords.flatMap((typeRecord) =>
    typeRecord?.model === 'mail.activity.type' ? typeRecord.id : [],
  );
  if (types.length === 0) return false;
  const domain: unknown[] = [
    ['res_model', '=', model],
    ['res_id', 'in', request.ids],
    ['activity_type_id', 'in', types],
    ...(request.userId ? [['user_id', '=', request.userId]] : []),
    ...(request.onlyAutomated === false ? [] : [['automated', '=', true]]),
  ];
  const ids = await search(ctx, 'mail.activity', domain);
  if (ids.length > 0)
    await finishActivityBatch(ctx, ids, request.feedback ?? '', request.attachmentIds ?? []);
  return true;
}

interface Activity {
  id: number;
  res_model: string | false;
  res_id: number;
  activity_type_id: [number, string] | false;
  summary: string | false;
  user_id: [number, string] | false;
}

const ACTIVITY_FIELDS = ['res_model', 'res_id', 'activity_type_id', 'summary', 'user_id'];

async function finishActivityBatch(
  ctx: Ctx,
  ids: number[],
  feedback: string,
  files: number[],
): Promise<number | false> {
  await assertRowsExist(ctx, getModel(ctx, 'mail.activity'), ids, 'write');
  await checkFiles(ctx, files);
  const activities = (await read(ctx, { model: 'mail.activity', ids, fields: ACTIVITY_FIELDS })).value<
    Activity[]
  >();
  let message: number | false = false;
  for (const activity of activities) {
    message = await postFeedback(ctx, activity, feedback, files);
    await closeActivity(ctx, activity, feedback);
  }
  return message;
}

async function checkFiles(ctx: Ctx, files: number[]): Promise<void> {
  if (files.length === 0) return;
  const model = getReadableModel(ctx, 'ir.attachment');
  await assertRowsExist(ctx, model, files, 'read');
}

/** Posts as the system, because completing an activity requires no right to post. */
async function postFeedback(
  ctx: Ctx,
  activity: Activity,
  feedback: string,
  files: number[],
): Promise<number | false> {
  const { res_model: model, res_id: id } = activity;
  if (!model || !id) return false;
  const subtype = await findNamedRecord(ctx, 'mail', 'mt_activities');
  const [message] = await create(ctx.system(), 'mail.message', [
    {
      model,
      res_id: id,
      body: buildFeedbackBody(activity, feedback),
      message_type: 'notification',
      subtype_id: subtype?.id ?? false,
      ...(files.length && { attachment_ids: [[6, 0, files]] }),
    },
  ]);
  return message!;
}

function buildFeedbackBody({ activity_type_id: type, summary }: Activity, feedback: string): string {
  const summaryText = [type ? type[1] : '', summary || ''].filter(Boolean).map(escapeHtml).join(': ');
  const feedbackHtml = feedback ? `<p>${escapeHtml(feedback).replaceAll('\n', '<br>')}</p>` : '';
  return `<p><b>${summaryText || 'Activity'}</b> done</p>${feedbackHtml}`;
}

/** Deletes the activity unless its type keeps completed activities. */
async function closeActivity(
  ctx: Ctx,
  { id, activity_type_id: type }: Activity,
  feedback: string,
): Promise<void> {
  const [row] = type
    ? await ctx.db.rows<{ kept: boolean }>(
        sql`select keep_done as kept from mail_activity_type
         where workspace_id = ${ctx.workspace.id} and id = ${type[0]}`,
      )
    : [];
  if (row && !row.kept) await unlink(ctx, 'mail.activity', [id]);
  else
    await write(ctx, 'mail.activity', [id], {
      active: false,
      date_done: getToday(ctx),
      feedback: feedback || false,
    });
}
