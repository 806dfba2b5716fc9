import { useState } from 'react';
import { change } from '../graphql/client.ts';
import { useFresh } from '../graphql/live.ts';
import { formatWhen } from '../i18n/format.ts';
import { useAct, useFormAct } from '../shell/act.ts';
import { useAnswer } from '../shell/answer.ts';
import { useViewer } from '../shell/viewer.ts';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { say, sayWrong } from '../ui/toasts.tsx';
import {
  HeldApproveDocument,
  HeldForMeDocument,
  type HeldForMeQuery,
  HeldRejectDocument,
} from './generated.ts';
import { profileWords } from './words.ts';

/** What the user's agents asked for and a person decides about. */
export function HeldForMe() {
  const { viewer } = useViewer();
  const { data, reload } = useAnswer(HeldForMeDocument, { user: viewer.userId! });
  useFresh('svc.agent.held', reload);
  const held = (data?.heldActions.nodes ?? []).filter(
    ({ expiresAt }) => new Date(expiresAt).getTime() > Date.now(),
  );
  if (held.length === 0) return null;
  return (
    <section className="card">
      <h2>{profileWords.held}</h2>
      <p className="quiet">{profileWords.heldText}</p>
      <ul className="profile-rows">
        {held.map((each) => (
          <HeldRow key={each.id} action={each} reload={reload} />
        ))}
      </ul>
    </section>
  );
}

interface HeldProps {
  action: HeldForMeQuery['heldActions']['nodes'][number];
  reload(): void;
}

function HeldRow({ action, reload }: HeldProps) {
  const { id, title, tool, preview, createdAt, agent } = action;
  const { isBusy, act } = useAct();
  const [isRefusing, setRefusing] = useState(false);
  const approve = () =>
    act(async () => {
      const done = (await change(HeldApproveDocument, { id })).heldActionApprove;
      if (done?.state === 'FAILED') sayWrong(done.error ?? '');
      else say(profileWords.approved);
      reload();
    });
  return (
    <li>
      <div>
        <strong>{title}</strong> <code>{tool}</code>
        <p className="quiet small">
          {profileWords.heldFrom(
            agent?.clientName || agent?.keyName || profileWords.agentUnnamed,
            formatWhen(createdAt),
          )}
        </p>
        <pre>{preview}</pre>
      </div>
      <div className="buttons">
        <Button look="primary" isBusy={isBusy} onClick={approve} aria-label={profileWords.approveOf(title)}>
          {profileWords.approve}
        </Button>
        <Button onClick={() => setRefusing(true)} aria-label={profileWords.refuseOf(title)}>
          {profileWords.refuse}
        </Button>
      </div>
      {isRefusing && <Refuse action={action} reload={reload} onClose={() => setRefusing(false)} />}
    </li>
  );
}

function Refuse({ action: { id, title }, reload, onClose }: HeldProps & { onClose(): void }) {
  const { isBusy, refusal, act } = useFormAct();
  return (
    <Dialog title={profileWords.refuseOf(title)} onClose={onClose}>
      <form
        className="profile-form"
        onSubmit={(event) => {
          event.preventDefault();
          const reason = String(new FormData(event.currentTarget).get('reason')).trim();
          void act(async () => {
            await change(HeldRejectDocument, { id, reason: reason || null });
            say(profileWords.refused);
            reload();
            onClose();
          });
        }}
      >
        <Field
          name="reason"
          label={profileWords.refuseReason}
          hint={profileWords.refuseReasonHint}
          autoComplete="off"
          error={refusal?.message}
        />
        <div className="buttons">
          <Button type="submit" look="danger" isBusy={isBusy}>
            {profileWords.refuse}
          </Button>
          <Button onClick={onClose}>{shellWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
