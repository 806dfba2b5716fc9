import { useEffect, useState } from 'react';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Field } from '../../ui/form/field.tsx';
import { PreviewFrame } from '../templates/preview-frame.tsx';
import type { CampaignView } from './address.ts';
import { type CampaignChanges, CampaignPreviewDocument } from './generated.ts';
import { Recipients } from './recipients.tsx';
import { campaignStrings } from './strings.ts';

interface CampaignPreviewProps {
  id: string;
  /** True before sending starts, while the preview also shows the number of recipients. */
  isEditable: boolean;
  changes: CampaignChanges;
  view: CampaignView;
  show(changes: CampaignView): void;
}

/** Delay after the last keystroke. */
const TYPING_DELAY_MS = 400;

export function CampaignPreview({ id, isEditable, changes, view, show }: CampaignPreviewProps) {
  const [typed, setTyped] = useState(view.contact ?? '');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() !== (view.contact ?? '')) show({ contact: typed.trim() || undefined });
    }, TYPING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, view.contact, show]);
  const { data, refusal, reload } = useGraphqlQuery(CampaignPreviewDocument, {
    id,
    campaign: changes,
    contact: view.contact,
  });
  const isContactError = refusal?.argument === 'contact';
  const preview = refusal ? undefined : data?.campaignPreview;
  return (
    <div className="stack">
      <Field
        type="email"
        label={campaignStrings.previewAsContact}
        placeholder={campaignStrings.previewAsContactHint}
        value={typed}
        error={isContactError ? refusal.message : null}
        onChange={({ target }) => setTyped(target.value)}
      />
      {refusal && !isContactError && <LoadError refusal={refusal} onAgain={reload} />}
      {!preview && !refusal && <Loading />}
      {preview && (
        <>
          {isEditable && (
            <Recipients unknownVariables={preview.unknownVariables} recipients={preview.recipients} />
          )}
          <p className="quiet">
            {preview.contact
              ? campaignStrings.previewFor(preview.contact)
              : campaignStrings.previewWithoutContact}
          </p>
          <PreviewFrame
            subject={preview.subject}
            html={preview.html}
            text={preview.text}
            view={view}
            show={show}
          />
        </>
      )}
    </div>
  );
}
