import { Link, useNavigate } from '@tanstack/react-router';
import { runMutation, runQuery } from '../../graphql/client.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { DialogForm } from '../../shell/dialogs/form-dialog.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
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
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && data.contactBooks.nodes.length === 0 && (
        <>
          <p>{campaignStrings.noBooks}</p>
          <p>
            <Link to="/email/contacts">{campaignStrings.createBook}</Link>
          </p>
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
  const create = async (form: FormData) => {
    const starterContent = await loadStarterContent(getText(form, 'template'));
    const campaign = {
      name: getText(form, 'name'),
      from: getText(form, 'from'),
      contactBookId: getText(form, 'contactBookId'),
      ...starterContent,
    };
    const { campaignCreate } = await runMutation(CampaignCreateDocument, { campaign });
    await navigate({ to: '/email/campaigns/$id', params: { id: campaignCreate.id } });
  };
  const domain = sendingDomains.nodes[0]?.name;
  return (
    <DialogForm submit={campaignStrings.create} onSubmit={create} onClose={onClose}>
      <p>{campaignStrings.createText}</p>
      <Field name="name" label={campaignStrings.name} hint={campaignStrings.nameHint} required autoFocus />
      <Field
        name="from"
        label={campaignStrings.from}
        hint={campaignStrings.fromHint}
        required
        defaultValue={domain && `news@${domain}`}
      />
      <Select
        name="contactBookId"
        label={campaignStrings.book}
        options={contactBooks.nodes.map(({ id, name }) => [id, name])}
      />
      {can.has('templates') && <TemplateChoice />}
    </DialogForm>
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
