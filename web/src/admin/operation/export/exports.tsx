import { ActionButton } from '../../../shell/action-buttons.tsx';
import './exports.css';
import { leavePage } from '../../../connection/reload.ts';
import { runMutation } from '../../../graphql/client.ts';
import { formatInstant, formatNumber, formatSize } from '../../../i18n/format.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { operationStrings } from '../strings.ts';
import {
  type ExportFactsFragment,
  WorkspaceExportLinkDocument,
  WorkspaceExportStartDocument,
  WorkspaceExportsDocument,
} from './generated.ts';

const TONES: Record<ExportFactsFragment['state'], StatusTone> = {
  WAITING: 'waiting',
  RUNNING: 'waiting',
  DONE: 'good',
  FAILED: 'bad',
  EXPIRED: 'plain',
};

const isInProgress = ({ state }: ExportFactsFragment): boolean => state === 'WAITING' || state === 'RUNNING';

export function Exports() {
  const { data, refusal, reload } = useLiveQuery(WorkspaceExportsDocument, {}, 'svc.workspace.export');
  const exports = data?.workspaceExports.nodes ?? [];
  const start = async () => {
    await runMutation(WorkspaceExportStartDocument, {}).finally(reload);
    showToast(operationStrings.exportStarted);
  };
  return (
    <Screen
      title={operationStrings.export}
      actions={
        data &&
        !exports.some(isInProgress) && (
          <ActionButton look="primary" onAct={start}>
            {operationStrings.startExport}
          </ActionButton>
        )
      }
    >
      <p className="measure quiet">{operationStrings.exportText}</p>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && exports.length === 0 && (
        <EmptyState title={operationStrings.noExports} text={operationStrings.noExportsText} />
      )}
      <ul className="card-list">
        {exports.map((item) => (
          <ExportRow key={item.id} one={item} />
        ))}
      </ul>
    </Screen>
  );
}

function ExportRow({ one }: { one: ExportFactsFragment }) {
  const download = async () => {
    const { workspaceExportLink } = await runMutation(WorkspaceExportLinkDocument, { id: one.id });
    // The response is a download, so the page stays open.
    await leavePage(workspaceExportLink);
  };
  return (
    <li className="card">
      <div>
        <p>
          <StatusBadge tone={TONES[one.state]}>{operationStrings.exportStates[one.state]}</StatusBadge>{' '}
          <strong>{formatInstant(one.createdAt)}</strong>
        </p>
        <p className="quiet small">
          {[
            one.user && operationStrings.startedBy(one.user.displayName),
            one.state === 'DONE' && formatSize(one.size),
            one.state === 'DONE' && operationStrings.exportRecords(formatNumber(one.total)),
            one.state === 'DONE' &&
              one.expiresAt &&
              operationStrings.availableUntil(formatInstant(one.expiresAt)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {one.error && <p className="error-note">{one.error}</p>}
        {isInProgress(one) && <Progress one={one} />}
      </div>
      {one.state === 'DONE' && (
        <ActionButton
          onAct={download}
          aria-label={operationStrings.downloadNamed(formatInstant(one.createdAt))}
        >
          {operationStrings.download}
        </ActionButton>
      )}
    </li>
  );
}

/** Shows an indeterminate progress bar until the records have been counted. */
const Progress = ({ one: { done, total } }: { one: ExportFactsFragment }) => (
  <div className="export-progress">
    <progress
      max={Math.max(1, total)}
      value={total > 0 ? done : undefined}
      aria-label={operationStrings.exportStates.RUNNING}
    />
    <p className="small figures" role="status">
      {total > 0
        ? operationStrings.exportProgress(formatNumber(done), formatNumber(total))
        : operationStrings.exportPending}
    </p>
  </div>
);
