import { Link } from '@tanstack/react-router';
import { runMutation } from '../../../graphql/client.ts';
import { formatCount, formatInstant, formatNumber } from '../../../i18n/format.ts';
import { ActionButton } from '../../../shell/action-buttons.tsx';
import { DialogButtons } from '../../../shell/dialogs/dialog-buttons.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { shellStrings } from '../../../shell/strings.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { useViewer } from '../../../shell/viewer.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { showErrorToast, showToast } from '../../../ui/toasts.tsx';
import { operationStrings } from '../strings.ts';
import { SubjectLinks } from '../subject-links.tsx';
import { formatArguments, parseRecordIds } from '../summary.ts';
import { AgentCallUndoDocument, McpCallDocument, type McpCallQuery } from './generated.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

export function CallDialog({ id, agent, onClose }: { id: string; agent: string; onClose(): void }) {
  const { data, refusal, reload } = useGraphqlQuery(McpCallDocument, { id });
  // A URL of one agent must not show another agent's call.
  const call = data?.mcpCall?.agentId === agent ? data.mcpCall : null;
  return (
    <Dialog title={call?.tool ?? operationStrings.call} onClose={onClose}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !call && <p>{operationStrings.callNotFound}</p>}
      {call && <CallDetails call={call} />}
      <DialogButtons leave={shellStrings.close} onClose={onClose}>
        {call && <UndoButton call={call} reload={reload} />}
      </DialogButtons>
    </Dialog>
  );
}

type Call = NonNullable<McpCallQuery['mcpCall']>;

const CallDetails = ({ call }: { call: Call }) => (
  <>
    <p>
      <OutcomeBadge outcome={call.outcome} success={call.success} />{' '}
      {call.outcome && operationStrings.outcomeMeanings[call.outcome]}
    </p>
    {call.error && <p className="error-note">{call.error}</p>}
    <Facts
      facts={[
        [operationStrings.when, formatInstant(call.createdAt)],
        [
          operationStrings.records,
          call.modelName ? (
            <SubjectLinks
              key="records"
              subject={{ model: call.modelName, ids: parseRecordIds(call.summary) }}
            />
          ) : (
            call.recordCount > 0 && formatCount(call.recordCount, operationStrings.recordCount)
          ),
        ],
        [operationStrings.duration, operationStrings.milliseconds(formatNumber(call.durationMs))],
        [operationStrings.program, call.clientName],
        [operationStrings.request, call.requestId && <CopyValue value={call.requestId} />],
      ]}
    />
    {call.requestId && (
      <p>
        <Link to="/admin/audit" search={{ request: call.requestId }}>
          {operationStrings.requestEvents}
        </Link>
      </p>
    )}
    {call.summary && (
      <>
        <h3 className="small-heading">{operationStrings.arguments}</h3>
        <pre className="sunk">{formatArguments(call.summary)}</pre>
        <p className="quiet small">{operationStrings.redacted}</p>
      </>
    )}
  </>
);

/** Only the agent's user can undo changes to messages. */
function UndoButton({ call, reload }: { call: Call; reload(): void }) {
  const { viewer } = useViewer();
  if (call.undoToken === null || call.userId !== viewer.userId) return null;
  const token = call.undoToken;
  const undo = async () => {
    const { mailUndo } = await runMutation(AgentCallUndoDocument, { token });
    if (!mailUndo.ok) return showErrorToast(mailUndo.error ?? operationStrings.notUndone);
    showToast(formatCount(mailUndo.undone ?? 0, operationStrings.undoneCount));
    reload();
  };
  return (
    <ActionButton needs="mailUndo" icon="reply" onAct={undo}>
      {operationStrings.undo}
    </ActionButton>
  );
}
