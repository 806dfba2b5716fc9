import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoader } from '../../../src/engine/ctx/loader.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import type { ImapKind } from './imap-folder.ts';

/** Cost of a job's folders in a GraphQL document, in response values. */
const JOB_FOLDERS_COST = 5_000;
export const MAX_RECORDED_FAILURES = 100;

export interface ImportedFolder {
  folder: string;
  /** Null until the remote server has reported the kind. */
  kind: ImapKind | null;
  /** Null if the server could not count the messages. */
  messages: number | null;
  uidNext: number;
  uidvalidity: number | null;
  done: number;
  skipped: number;
  failed: number;
  isDone: boolean;
}

export interface ImportPlan {
  /** Null if all folders are to be imported and have not been listed yet. */
  folders: ImportedFolder[] | null;
  failures: { folder: string; uid: number; error: string }[];
}

/** @param kind null if the remote server is to report it */
export const createImportedFolder = (folder: string, kind: ImapKind | null): ImportedFolder => ({
  folder,
  kind,
  messages: null,
  uidNext: 1,
  uidvalidity: null,
  done: 0,
  skipped: 0,
  failed: 0,
  isDone: false,
});

const FolderShape = defineTypedShape(
  'MailJobFolder',
  'A folder on another mail server, and the progress of its import.',
  {
    folder: { type: 'String', description: 'Path of the folder.' },
    kind: {
      type: 'String',
      nullable: true,
      description: 'Kind of folder, such as sent. Null until it is known.',
    },
    messages: {
      type: 'Int',
      nullable: true,
      description: 'Number of messages in the folder. Null until they are counted.',
    },
    done: { type: 'Int', description: 'Number of imported messages.' },
    skipped: { type: 'Int', description: 'Number of messages that the mailbox already contained.' },
    failed: { type: 'Int', description: 'Number of messages that could not be imported.' },
    isDone: { type: 'Boolean', description: 'True if the import of the folder is complete.' },
  },
);

const FailureShape = defineTypedShape('MailJobFailure', 'A message that was not imported.', {
  folder: { type: 'String', description: 'Path of the folder that contains the message.' },
  uid: { type: 'Float', description: 'UID of the message in the folder.' },
  error: { type: 'String', description: 'Reason for the failure.' },
});

const JobRef = getRecordRef('svc.mail.job');

builder.objectField(JobRef, 'folders', (t) =>
  t.field({
    type: [FolderShape.ref],
    description: 'Folders of an import, in import order. Empty until they are known.',
    extensions: { cost: JOB_FOLDERS_COST },
    resolve: async ({ id }, _args, ctx) => ((await loadPlan(ctx, id)).folders ?? []) as never,
  }),
);

builder.objectField(JobRef, 'failures', (t) =>
  t.field({
    type: [FailureShape.ref],
    description: `The first ${MAX_RECORDED_FAILURES} messages that could not be imported, and why.`,
    extensions: { cost: JOB_FOLDERS_COST },
    resolve: async ({ id }, _args, ctx) => ((await loadPlan(ctx, id)).failures ?? []) as never,
  }),
);

/** Returns an empty plan for other kinds of jobs. */
const loadPlan = (ctx: Ctx, id: number): Promise<Partial<ImportPlan>> =>
  getLoader<Partial<ImportPlan>>(
    ctx,
    'mail job plans',
    async (ids) => {
      const rows = await ctx.db.rows<{ id: number; plan: ImportPlan }>(
        sql`select j.id, j.plan from svc_mail_job j
         where j.workspace_id = ${ctx.workspace.id} and j.id = any(${ids}::int[]) and j.kind = 'import'`,
      );
      return new Map(rows.map(({ id: job, plan }) => [job, plan]));
    },
    {},
  ).load(id);
