import type { App } from '../harness/app.ts';
import { until } from '../harness/wait.ts';
import { type Mailbox, queryGraphql } from './mailboxes.ts';

const JOB_FIELDS = `id kind state total done skipped failed server code error endedAt
  folders { folder kind messages done skipped failed isDone } failures { folder uid error }`;

export interface JobView {
  id: string;
  kind: string;
  state: string;
  total: number | null;
  done: number;
  skipped: number;
  failed: number;
  server: string | null;
  code: string | null;
  error: string | null;
  endedAt: string | null;
  folders: { folder: string; kind: string; messages: number; done: number; isDone: boolean }[];
  failures: { folder: string; uid: number; error: string }[];
}

export async function runMutation(app: App, text: string, variables: object = {}, head = '') {
  const { data, errors } = await queryGraphql(app, `mutation${head} { it: ${text} }`, variables);
  if (!data?.it) throw new Error(JSON.stringify(errors));
  return data.it;
}

export async function loadJob(app: App, id: string, key?: string): Promise<JobView | null> {
  const { data, errors } = await queryGraphql(
    app,
    `query ($id: ID!) { mailJob(id: $id) { ${JOB_FIELDS} } }`,
    { id },
    key,
  );
  if (!data) throw new Error(JSON.stringify(errors));
  return data.mailJob;
}

export async function waitForJob(app: App, id: string, patience?: number): Promise<JobView> {
  let job: JobView | null = null;
  const hasEnded = async () => {
    job = await loadJob(app, id);
    return job?.endedAt != null;
  };
  await until(hasEnded, `job ${id} ends`, patience);
  return job!;
}

export const startImport = (app: App, { id }: Mailbox, conn: object, folders: object[] | null = null) =>
  runMutation(
    app,
    `mailImportStart(accountId: ${id}, conn: $conn, folders: $folders) { ok error code jobId }`,
    { conn, folders },
    ' ($conn: MailImapAccount!, $folders: [MailImportFolderInput!])',
  );

export const cancelJob = (app: App, id: string) =>
  runMutation(app, `mailJobCancel(jobId: ${id}) { ok error }`);
