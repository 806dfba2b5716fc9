import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { runMutation, runQuery } from '../../graphql/client.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { addFooter, buildStarterDocument } from '../blocks/starter-document.ts';
import { addUnsubscribeLink } from './draft.ts';
import {
  CampaignChoicesDocument,
  type CampaignChoicesQuery,
  CampaignCreateDocument,
  CampaignTemplateDocument,
  CampaignTemplatesDocument,
} from './generated.ts';
import { campaignStrings } from './strings.ts';

export function CreateCampaignDialog({ onClose }: { onClose(): void }) {
  const { data, refusal, reload } = useGraphqlQuery(CampaignChoicesDocument, {});
  return (
    <Dialog title={campaignStrings.create} onClose={onClose}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <Loading />}
      {data && data.contactBooks.nodes.length === 0 && (
        <>
          <p>{campaignStrings.noBooks}</p>
          <DialogButtons onClose={onClose} />
        </>
      )}
      {data && data.contactBooks.nodes.length > 0 && <NewCampaignForm choices={data} onClose={onClose} />}
    </Dialog>
  );
}

interface NewCampaignFormProps {
  choices: CampaignChoicesQuery;
  onClose(): void;
}

function NewCampaignForm({ choices: { contactBooks, sendingDomains }, onClose }: NewCampaignFormProps) {
  const { can } = useViewer();
  const navigate = useNavigate();
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const getText = (field: string) => String(form.get(field) ?? '').trim();
    setIsBusy(true);
    try {
      const starterContent = await loadStarterContent(getText('template'));
      const campaign = {
        name: getText('name'),
        from: getText('from'),
        contactBookId: getText('contactBookId'),
        ...starterContent,
      };
      const { campaignCreate } = await runMutation(CampaignCreateDocument, { campaign });
      await navigate({ to: '/email/campaigns/$id', params: { id: campaignCreate.id } });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRejection(error.failure);
      setIsBusy(false);
    }
  };
  const at = rejection?.argument?.split('.').at(-1) ?? '';
  const getFieldError = (field: string) => (at === field ? rejection!.message : null);
  const domain = sendingDomains.nodes[0]?.name;
  return (
    <form className="campaign-form" onSubmit={create}>
      <p>{campaignStrings.createText}</p>
      <Field
        name="name"
        label={campaignStrings.name}
        hint={campaignStrings.nameHint}
        required
        autoFocus
        autoComplete="off"
        error={getFieldError('name')}
      />
      <Field
        name="from"
        label={campaignStrings.from}
        hint={campaignStrings.fromHint}
        required
        defaultValue={domain && `news@${domain}`}
        error={getFieldError('from')}
      />
      <Select
        name="contactBookId"
        label={campaignStrings.book}
        options={contactBooks.nodes.map(({ id, name }) => [id, name])}
        error={getFieldError('contactBookId')}
      />
      {can.has('templates') && <TemplateChoice />}
      {rejection && !['name', 'from', 'contactBookId'].includes(at) && (
        <p role="alert" className="campaign-wrong">
          {rejection.message}
        </p>
      )}
      <DialogButtons onClose={onClose}>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {campaignStrings.create}
        </Button>
      </DialogButtons>
    </form>
  );
}

function TemplateChoice() {
  const { data } = useGraphqlQuery(CampaignTemplatesDocument, {});
  const templates = data?.templates.nodes ?? [];
  return (
    <Select
      name="template"
      label={campaignStrings.template}
      options={[['', campaignStrings.blank], ...templates.map(({ id, name }) => [id, name] as const)]}
    />
  );
}

interface StarterContent {
  subject: string;
  html?: string;
  content?: string;
}

async function loadStarterContent(templateId: string): Promise<StarterContent> {
  const { subject: ownSubject, ...own } = campaignStrings.starter;
  const blank = { subject: ownSubject, content: buildStarterDocument(own) };
  if (!templateId) return blank;
  const { template } = await runQuery(CampaignTemplateDocument, { id: templateId });
  if (!template) return blank;
  const { subject, html, content } = template;
  return content
    ? { subject, content: addFooter(content, own.footer) }
    : { subject, html: addUnsubscribeLink(html ?? '', campaignStrings.unsubscribeLink) };
}
