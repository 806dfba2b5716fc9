import './transfer.css';
import { formatCount } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { getFolderName } from '../folder-tree.tsx';
import { MailExportFoldersDocument } from './generated.ts';
import { transferStrings } from './strings.ts';

/** Exports the folders of a mailbox. Large folders are split into several files. */
export function MailExportPanel({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailExportFoldersDocument, { mailbox });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { folders, messagesPerRequest } = data.mailExportInfo;
  return (
    <>
      <p className="quiet">{transferStrings.exportText}</p>
      <ul className="card-list">
        {folders.map(({ folderId, name, role, count, requests }) => {
          const folder = getFolderName({ type: role, name });
          return (
            <li key={folderId} className="card">
              <strong className="grow">
                <bdi>{folder}</bdi>
              </strong>
              <span className="quiet small figures">{formatCount(count, transferStrings.messageCount)}</span>
              {Array.from({ length: requests }, (_, index) => (
                <a
                  key={folderId + String(index)}
                  className="button plain"
                  href={`/svc_mail/export/${folderId}${index > 0 ? `?offset=${index * messagesPerRequest}` : ''}`}
                  download
                  aria-label={transferStrings.downloadNamed(folder, index + 1, requests)}
                >
                  {requests > 1 ? transferStrings.downloadPart(index + 1) : transferStrings.download}
                </a>
              ))}
            </li>
          );
        })}
      </ul>
    </>
  );
}
