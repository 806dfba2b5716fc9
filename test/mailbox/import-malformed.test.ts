import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { type ImapScript, startImap } from '../standins/imap.ts';
import { startImport, waitForJob } from './jobs.ts';
import { setUpMailbox } from './mailboxes.ts';

const app = setUpApp({ MAIL_IMPORT_ALLOW_PRIVATE: '1' });
const mailbox = setUpMailbox(app);
beforeAll(() => app.doMailJobs());

async function importAll(script: ImapScript) {
  const server = await startImap(script);
  const conn = { host: 'localhost', port: server.port, username: 'alice', password: 'secret' };
  const { jobId } = await startImport(app, mailbox, conn);
  return waitForJob(app, jobId).finally(server.close);
}

test('omits folders whose names cannot be stored', async () => {
  const names = ['INBOX', '"&AAA-x"', '"&2D0-"', '""'];
  const list = (tag: string) =>
    `${names.map((name) => `* LIST () "/" ${name}\r\n`).join('')}${tag} OK done\r\n`;
  const job = await importAll({ list });
  expect(job).toMatchObject({ state: 'DONE', error: null, folders: [{ folder: 'INBOX', isDone: true }] });
});

test('limits the number of messages that a server reports', async () => {
  const job = await importAll({
    status: (tag) => `* STATUS INBOX (MESSAGES 4294967295)\r\n${tag} OK done\r\n`,
    examine: (tag) => `* 4294967295 EXISTS\r\n* OK [UIDNEXT 2]\r\n${tag} OK done\r\n`,
  });
  expect(job).toMatchObject({ state: 'DONE', total: 2 ** 31 - 1 });
});

test('skips a message on which the connection broke in several attempts, and reports it', async () => {
  const fetch = (tag: string, args: string) =>
    args.includes('BODY')
      ? null
      : `* 1 FETCH (UID 1 RFC822.SIZE 9)\r\n* 2 FETCH (UID 2 RFC822.SIZE 9)\r\n${tag} OK done\r\n`;
  const job = await importAll({ fetch });
  expect(job).toMatchObject({ state: 'DONE', failed: 1, error: null });
  expect(job.failures).toEqual([
    { folder: 'INBOX', uid: 1, error: 'The server did not return the message.' },
  ]);
});
