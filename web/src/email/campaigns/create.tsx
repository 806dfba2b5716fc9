import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ask, change } from '../../graphql/client.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { beginning, withFooter } from '../blocks/begin.ts';
import { withLeave } from './draft.ts';
import {
  CampaignChoicesDocument,
  type CampaignChoicesQuery,
  CampaignCreateDocument,
  CampaignTemplateDocument,
  CampaignTemplatesDocument,
} from './generated.ts';
import { campaignWords } from './words.ts';

/** Begins a campaign: who gets it, who sends it, and what its words begin with. */
export function Create({ onClose }: { onClose(): void }) {
  const { data, refusal, reload } = useAnswer(CampaignChoicesDocument, {});
  return (
    <Dialog title={campaignWords.create} onClose={onClose}>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && data.contactBooks.nodes.length === 0 && (
        <>
          <p>{campaignWords.noBooks}</p>
          <div className="buttons">
            <Button onClick={onClose}>{shellWords.close}</Button>
          </div>
        </>
      )}
      {data && data.contactBooks.nodes.length > 0 && <NewCampaign choices={data} onClose={onClose} />}
    </Dialog>
  );
}

interface NewCampaignProps {
  choices: CampaignChoicesQuery;
  onClose(): void;
}

function NewCampaign({ choices: { contactBooks, sendingDomains }, onClose }: NewCampaignProps) {
  const { can } = useViewer();
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (field: string) => String(form.get(field) ?? '').trim();
    setBusy(true);
    try {
      const words = await wordsToBegin(given('template'));
      const campaign = {
        name: given('name'),
        from: given('from'),
        contactBookId: given('contactBookId'),
        ...words,
      };
      const { campaignCreate } = await change(CampaignCreateDocument, { campaign });
      await navigate({ to: '/email/campaigns/$id', params: { id: campaignCreate.id } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefusal(error.refusal);
      setBusy(false);
    }
  };
  const at = refusal?.argument?.split('.').at(-1) ?? '';
  const about = (field: string) => (at === field ? refusal!.message : null);
  const domain = sendingDomains.nodes[0]?.name;
  return (
    <form className="campaign-form" onSubmit={create}>
      <p>{campaignWords.createText}</p>
      <Field
        name="name"
        label={campaignWords.name}
        hint={campaignWords.nameHint}
        required
        autoComplete="off"
        error={about('name')}
      />
      <Field
        name="from"
        label={campaignWords.from}
        hint={campaignWords.fromHint}
        required
        defaultValue={domain && `news@${domain}`}
        error={about('from')}
      />
      <Choice
        name="contactBookId"
        label={campaignWords.book}
        options={contactBooks.nodes.map(({ id, name }) => [id, name])}
        error={about('contactBookId')}
      />
      {can.has('templates') && <TemplateChoice />}
      {refusal && !['name', 'from', 'contactBookId'].includes(at) && (
        <p role="alert" className="campaign-wrong">
          {refusal.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {campaignWords.create}
        </Button>
        <Button onClick={onClose}>{shellWords.close}</Button>
      </div>
    </form>
  );
}

function TemplateChoice() {
  const { data } = useAnswer(CampaignTemplatesDocument, {});
  const templates = data?.templates.nodes ?? [];
  return (
    <Choice
      name="template"
      label={campaignWords.template}
      options={[['', campaignWords.own], ...templates.map(({ id, name }) => [id, name] as const)]}
    />
  );
}

interface Words {
  subject: string;
  html?: string;
  content?: string;
}

/** @throws Refused */
async function wordsToBegin(templateId: string): Promise<Words> {
  const { subject: ownSubject, ...own } = campaignWords.starter;
  const anew = { subject: ownSubject, content: beginning(own) };
  if (!templateId) return anew;
  const { template } = await ask(CampaignTemplateDocument, { id: templateId });
  if (!template) return anew;
  const { subject, html, content } = template;
  return content
    ? { subject, content: withFooter(content, own.footer) }
    : { subject, html: withLeave(html ?? '', campaignWords.leave) };
}
