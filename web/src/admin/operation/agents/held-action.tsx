import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { useLiveChanges } from '../../../graphql/live.ts';
import { formatCount, formatInstant } from '../../../i18n/format.ts';
import { language } from '../../../i18n/language.ts';
import { ConfirmDialog } from '../../../shell/action-buttons.tsx';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { HeldDetails } from '../../../shell/held-action/held-details.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { SidePanel } from '../../../shell/side-panel.tsx';
import { shellStrings } from '../../../shell/strings.ts';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { useViewer } from '../../../shell/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { TextArea } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showErrorToast, showToast } from '../../../ui/toasts.tsx';
import { operationStrings } from '../strings.ts';
import {
  HeldActionApproveDocument,
  HeldActionDocument,
  type HeldActionQuery,
  HeldActionRejectDocument,
} from './generated.ts';
import { HELD_TONES } from './tones.ts';

type HeldAction = NonNullable<HeldActionQuery['heldAction']>;

export function HeldActionPanel({ id, onClose }: { id: string; onClose(): void }) {
  const { can } = useViewer();
  const { data, refusal, reload } = useGraphqlQuery(HeldActionDocument, { id, lang: language });
  useLiveChanges('svc.agent.held', (event) => {
    if (event.id === null || event.id === id) reload();
  });
  const action = data?.heldAction;
  const mayDecide = can.has('featureSet') || data?.agentPolicy.approvers === 'OWNER';
  return (
    <SidePanel
      label={operationStrings.action}
      title={action?.title ?? operationStrings.action}
      onClose={onClose}
    >
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !action && <EmptyState title={operationStrings.actionNotFound} />}
      {action && <HeldActionDetails action={action} mayDecide={mayDecide} reload={reload} />}
    </SidePanel>
  );
}

interface HeldActionDetailsProps {
  action: HeldAction;
  mayDecide: boolean;
  reload(): void;
}

const HeldActionDetails = ({ action, mayDecide, reload }: HeldActionDetailsProps) => (
  <>
    <p role="status">
      <StatusBadge tone={HELD_TONES[action.state]}>{operationStrings.heldStates[action.state]}</StatusBadge>{' '}
      {operationStrings.heldMeanings[action.state]}
    </p>
    {action.error && <p className="error-note">{action.error}</p>}
    {action.reason && <p className="error-note">{action.reason}</p>}
    {action.state === 'WAITING' &&
      (mayDecide ? (
        <DecisionButtons action={action} reload={reload} />
      ) : (
        <p>{operationStrings.onlyAdministratorDecides}</p>
      ))}
    <h3>{operationStrings.actionDetails}</h3>
    <HeldSentence action={action} />
    <Facts
      facts={[
        [
          operationStrings.agent,
          action.agent && (
            <Link to="/admin/agents/$id" params={{ id: action.agent.id }} search={{}}>
              {action.agent.name || operationStrings.unnamedProgram}
            </Link>
          ),
        ],
        [
          operationStrings.actsWithRightsOf,
          action.user && `${action.user.displayName} (${action.user.login})`,
        ],
        [operationStrings.tool, <code key="tool">{action.tool}</code>],
        [operationStrings.model, action.modelName && <code>{action.modelName}</code>],
        [operationStrings.requestedAt, formatInstant(action.createdAt)],
        [operationStrings.expiresAt, action.state === 'WAITING' && formatInstant(action.expiresAt)],
        [
          operationStrings.decided,
          action.decidedAt &&
            [formatInstant(action.decidedAt), action.decider?.displayName].filter(Boolean).join(' · '),
        ],
        [
          operationStrings.records,
          action.recordCount > 0 && formatCount(action.recordCount, operationStrings.recordCount),
        ],
      ]}
    />
  </>
);

function HeldSentence({ action }: { action: HeldAction }) {
  const { agent, title, summary } = action;
  const name = agent?.name || operationStrings.unnamedProgram;
  return (
    <>
      <p>
        <strong>{shellStrings.agentRequest(name, summary ?? title)}</strong>
      </p>
      <HeldDetails action={action} />
    </>
  );
}

function DecisionButtons({ action, reload }: { action: HeldAction; reload(): void }) {
  const [pendingDecision, setPendingDecision] = useState<'approve' | 'reject' | null>(null);
  const { act } = useAction();
  const approve = () =>
    act(async () => {
      const { heldActionApprove: result } = await runMutation(HeldActionApproveDocument, { id: action.id });
      if (result?.state === 'FAILED') showErrorToast(result.error ?? operationStrings.heldMeanings.FAILED);
      else showToast(operationStrings.approved);
    }).finally(reload);
  const close = () => setPendingDecision(null);
  return (
    <div className="buttons">
      <Button look="primary" icon="check" onClick={() => setPendingDecision('approve')}>
        {operationStrings.approve}
      </Button>
      <Button icon="close" onClick={() => setPendingDecision('reject')}>
        {operationStrings.reject}
      </Button>
      {pendingDecision === 'approve' && (
        <ConfirmDialog
          title={operationStrings.approveTitle(action.title)}
          isDangerous={false}
          yes={operationStrings.approve}
          text={
            <>
              <p>{operationStrings.approveText(action.user?.displayName ?? '')}</p>
              <HeldSentence action={action} />
            </>
          }
          onYes={approve}
          onClose={close}
        />
      )}
      {pendingDecision === 'reject' && <RejectDialog action={action} onClose={close} onDone={reload} />}
    </div>
  );
}

function RejectDialog({ action, onClose, onDone }: { action: HeldAction; onClose(): void; onDone(): void }) {
  const reject = async (form: FormData) => {
    await runMutation(HeldActionRejectDocument, { id: action.id, reason: getText(form, 'reason') || null });
    showToast(operationStrings.rejected);
    onDone();
  };
  return (
    <FormDialog
      title={operationStrings.rejectTitle(action.title)}
      submit={operationStrings.reject}
      look="danger"
      onSubmit={reject}
      onClose={onClose}
    >
      <p>{operationStrings.rejectText}</p>
      <TextArea name="reason" label={operationStrings.reason} hint={operationStrings.reasonHint} />
    </FormDialog>
  );
}
