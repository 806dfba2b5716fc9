import { useEffect, useState } from 'react';
import { useAnswer } from '../../shell/answer.ts';
import { Failed } from '../../shell/screen.tsx';
import { shellWords } from '../../shell/words.ts';
import { Field } from '../../ui/field.tsx';
import { PreviewFrame } from '../templates/preview-frame.tsx';
import type { CampaignView } from './address.ts';
import { type CampaignChanges, CampaignPreviewDocument } from './generated.ts';
import { Recipients } from './recipients.tsx';
import { campaignWords } from './words.ts';

interface PreviewProps {
  id: string;
  /** What is not saved. */
  changes: CampaignChanges;
  view: CampaignView;
  show(changes: CampaignView): void;
}

/** Milliseconds without a key before an address is asked for. */
const PAUSE = 400;

/** A campaign as a contact gets it, and how many do. */
export function Preview({ id, changes, view, show }: PreviewProps) {
  const [typed, setTyped] = useState(view.contact ?? '');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() !== (view.contact ?? '')) show({ contact: typed.trim() || undefined });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed, view.contact, show]);
  const { data, refusal, reload } = useAnswer(CampaignPreviewDocument, {
    id,
    campaign: changes,
    contact: view.contact,
  });
  const isOfContact = refusal?.argument === 'contact';
  const shown = refusal ? undefined : data?.campaignPreview;
  return (
    <div className="campaign-form">
      <Field
        type="email"
        label={campaignWords.asContact}
        placeholder={campaignWords.asContactHint}
        value={typed}
        error={isOfContact ? refusal.message : null}
        onChange={({ target }) => setTyped(target.value)}
      />
      {refusal && !isOfContact && <Failed refusal={refusal} onAgain={reload} />}
      {!shown && !refusal && <p role="status">{shellWords.loading}</p>}
      {shown && (
        <>
          <Recipients unknownVariables={shown.unknownVariables} recipients={shown.recipients} />
          <p className="quiet">
            {shown.contact ? campaignWords.shownFor(shown.contact) : campaignWords.shownForNone}
          </p>
          <PreviewFrame subject={shown.subject} html={shown.html} text={shown.text} view={view} show={show} />
        </>
      )}
    </div>
  );
}
