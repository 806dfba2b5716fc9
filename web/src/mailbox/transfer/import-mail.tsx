import './transfer.css';
import { useState } from 'react';
import { LoadStatus } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { getFolders, isFeatureOn } from '../address.ts';
import { MailboxesDocument } from '../generated.ts';
import { FileImport } from './file-import.tsx';
import { MailJobsHereDocument } from './generated.ts';
import { ImapImport } from './imap-import.tsx';
import { JobProgress } from './job-progress.tsx';
import { useJobPolling } from './running-jobs.tsx';
import { transferStrings } from './strings.ts';

export function MailImportPanel({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailboxesDocument, {});
  const [started, setStarted] = useState(0);
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const folders = getFolders(data.mailState.folders, mailbox).filter(({ type }) => type !== 'drafts');
  const hasImap = isFeatureOn(data.mailState, 'mail.import_imap');
  return (
    <>
      <FileImport mailbox={mailbox} folders={folders} onDone={reload} />
      <section className="card mail-transfer">
        <h2>{transferStrings.importFromServer}</h2>
        {hasImap ? (
          <ImapImport key={started} mailbox={mailbox} onStarted={() => setStarted(started + 1)} />
        ) : (
          <p className="quiet">{transferStrings.imapDisabled}</p>
        )}
      </section>
      <ImportJobs key={`jobs ${started}`} mailbox={mailbox} />
    </>
  );
}

/** Lists imports from the last few weeks. Imports continue after the page is closed. */
function ImportJobs({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailJobsHereDocument, { mailbox });
  const jobs = (data?.mailJobs.nodes ?? []).filter(({ kind }) => kind === 'IMPORT');
  useJobPolling(
    jobs.some(({ state }) => state === 'WAITING' || state === 'RUNNING'),
    reload,
  );
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (jobs.length === 0) return null;
  return (
    <section className="mail-transfer" aria-label={transferStrings.imports}>
      <h2>{transferStrings.imports}</h2>
      <ul className="card-list">
        {jobs.map((job) => (
          <li key={job.id} className="card">
            <JobProgress job={job} reload={reload} />
            {job.failures.length > 0 && (
              <details>
                <summary>{transferStrings.notImported}</summary>
                <ul>
                  {job.failures.map(({ folder, uid, error }) => (
                    <li key={`${folder} ${uid}`} className="small">
                      {folder}: {error}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
