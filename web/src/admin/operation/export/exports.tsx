import '../operation.css';
import './exports.css';
import { change } from '../../../graphql/client.ts';
import { useFresh } from '../../../graphql/live.ts';
import { formatInstant, formatNumber, sizeText } from '../../../i18n/format.ts';
import { useAct } from '../../../shell/act.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed, Screen } from '../../../shell/screen.tsx';
import { useViewer } from '../../../shell/viewer.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/status-badge.tsx';
import { say } from '../../../ui/toasts.tsx';
import { operationWords } from '../words.ts';
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

const isUnderWay = ({ state }: ExportFactsFragment): boolean => state === 'WAITING' || state === 'RUNNING';

/** Archives of the whole workspace: the one that is made, and those that can be downloaded. */
export function Exports() {
  const { can } = useViewer();
  const { isBusy, act } = useAct();
  const { data, refusal, reload } = useAnswer(WorkspaceExportsDocument, {});
  useFresh('svc.workspace.export', reload);
  const exports = data?.workspaceExports.nodes ?? [];
  const start = () =>
    act(async () => {
      await change(WorkspaceExportStartDocument, {});
      say(operationWords.exportStarted);
    }).finally(reload);
  return (
    <Screen
      title={operationWords.export}
      needs="workspaceExportStart"
      measure="middle"
      actions={
        can.has('workspaceExportStart') &&
        data &&
        !exports.some(isUnderWay) && (
          <Button look="primary" isBusy={isBusy} onClick={start}>
            {operationWords.startExport}
          </Button>
        )
      }
    >
      <p className="op-text quiet">{operationWords.exportText}</p>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && exports.length === 0 && (
        <Empty title={operationWords.noExports}>
          <p>{operationWords.noExportsText}</p>
        </Empty>
      )}
      <ul className="op-cards">
        {exports.map((each) => (
          <ExportRow key={each.id} one={each} />
        ))}
      </ul>
    </Screen>
  );
}

function ExportRow({ one }: { one: ExportFactsFragment }) {
  const { isBusy, act } = useAct();
  const download = () =>
    act(async () => {
      const { workspaceExportLink } = await change(WorkspaceExportLinkDocument, { id: one.id });
      // The answer is a file: the page stays.
      location.assign(workspaceExportLink);
    });
  return (
    <li className="card">
      <div>
        <p>
          <StatusBadge tone={TONES[one.state]}>{operationWords.exportStates[one.state]}</StatusBadge>{' '}
          <strong>{formatInstant(one.createdAt)}</strong>
        </p>
        <p className="quiet small">
          {[
            one.user && operationWords.startedBy(one.user.displayName),
            one.state === 'DONE' && sizeText(one.size),
            one.state === 'DONE' && operationWords.exportRecords(formatNumber(one.total)),
            one.state === 'DONE' &&
              one.expiresAt &&
              operationWords.availableUntil(formatInstant(one.expiresAt)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {one.error && <p className="op-wrong">{one.error}</p>}
        {isUnderWay(one) && <Progress one={one} />}
      </div>
      {one.state === 'DONE' && (
        <Button
          isBusy={isBusy}
          onClick={download}
          aria-label={operationWords.downloadOf(formatInstant(one.createdAt))}
        >
          {operationWords.download}
        </Button>
      )}
    </li>
  );
}

/** Until the records are counted there is no end to measure by. */
const Progress = ({ one: { done, total } }: { one: ExportFactsFragment }) => (
  <div className="export-progress">
    <progress
      max={Math.max(1, total)}
      value={total > 0 ? done : undefined}
      aria-label={operationWords.exportStates.RUNNING}
    />
    <p className="small figures" role="status">
      {total > 0
        ? operationWords.exportedOf(formatNumber(done), formatNumber(total))
        : operationWords.exportWaits}
    </p>
  </div>
);
