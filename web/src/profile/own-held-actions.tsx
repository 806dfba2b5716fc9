import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatWhen } from '../i18n/format.ts';
import { language } from '../i18n/language.ts';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { HeldDetails } from '../shell/held-action/held-details.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useAction } from '../shell/use-action.ts';
import { useLiveQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { showErrorToast, showToast } from '../ui/toasts.tsx';
import {
  HeldApproveDocument,
  HeldForMeDocument,
  type HeldForMeQuery,
  HeldRejectDocument,
} from './generated.ts';
import { profileStrings } from './strings.ts';

export function OwnHeldActions() {
  const { viewer } = useViewer();
  const { data, reload } = useLiveQuery(
    HeldForMeDocument,
    { user: viewer.userId!, lang: language },
    'svc.agent.held',
  );
  const heldActions = (data?.heldActions.nodes ?? []).filter(
    ({ expiresAt }) => new Date(expiresAt).getTime() > Date.now(),
  );
  if (heldActions.length === 0) return null;
  return (
    <section className="card">
      <h2>{profileStrings.held}</h2>
      <p className="quiet">{profileStrings.heldText}</p>
      <ul className="item-rows">
        {heldActions.map((heldAction) => (
          <HeldActionRow key={heldAction.id} action={heldAction} reload={reload} />
        ))}
      </ul>
    </section>
  );
}

interface HeldActionProps {
  action: HeldForMeQuery['heldActions']['nodes'][number];
  reload(): void;
}

function HeldActionRow({ action, reload }: HeldActionProps) {
  const { id, title, tool, summary, createdAt, agent } = action;
  const { isBusy, act } = useAction();
  const [isRejecting, setIsRejecting] = useState(false);
  const approve = () =>
    act(async () => {
      const result = (await runMutation(HeldApproveDocument, { id })).heldActionApprove;
      if (result?.state === 'FAILED') showErrorToast(result.error ?? '');
      else showToast(profileStrings.approved);
    }).finally(reload);
  return (
    <li>
      <div>
        <strong>{title}</strong> <code>{tool}</code>
        <p className="quiet small">
          {profileStrings.heldDetails(agent?.name || profileStrings.unnamedProgram, formatWhen(createdAt))}
        </p>
        {summary && <p>{shellStrings.agentRequest(agent?.name || profileStrings.unnamedProgram, summary)}</p>}
        <HeldDetails action={action} />
      </div>
      <div className="buttons">
        <Button
          look="primary"
          isBusy={isBusy}
          onClick={approve}
          aria-label={profileStrings.approveNamed(title)}
        >
          {profileStrings.approve}
        </Button>
        <Button onClick={() => setIsRejecting(true)} aria-label={profileStrings.rejectNamed(title)}>
          {profileStrings.reject}
        </Button>
      </div>
      {isRejecting && <RejectDialog action={action} reload={reload} onClose={() => setIsRejecting(false)} />}
    </li>
  );
}

function RejectDialog({ action: { id, title }, reload, onClose }: HeldActionProps & { onClose(): void }) {
  const reject = async (form: FormData) => {
    await runMutation(HeldRejectDocument, { id, reason: getText(form, 'reason') || null });
    showToast(profileStrings.rejected);
    reload();
  };
  return (
    <FormDialog
      title={profileStrings.rejectNamed(title)}
      submit={profileStrings.reject}
      look="danger"
      errorField="reason"
      onSubmit={reject}
      onClose={onClose}
    >
      <Field name="reason" label={profileStrings.reason} hint={profileStrings.rejectReasonHint} />
    </FormDialog>
  );
}
