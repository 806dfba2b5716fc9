import type { RequestFailure } from '../../graphql/request-error.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Field, Select } from '../../ui/form/field.tsx';
import { Form, FormError } from '../../ui/form/form.tsx';
import { BodyField } from '../blocks/body-field.tsx';
import { buildStarterDocument } from '../blocks/starter-document.ts';
import type { CampaignDraft } from './draft.ts';
import { CampaignChoicesDocument, type CampaignFactsFragment } from './generated.ts';
import { campaignStrings } from './strings.ts';

export const CAMPAIGN_FORM_ID = 'campaign-content';

const UNSUBSCRIBE_VARIABLE = 'usesend_unsubscribe_url';

interface CampaignContentProps {
  campaign: CampaignFactsFragment;
  draft: CampaignDraft;
  setDraft(draft: CampaignDraft): void;
  refusal: RequestFailure | null;
  mayChange: boolean;
  onSave(): void;
}

export function CampaignContent({
  campaign,
  draft,
  setDraft,
  refusal,
  mayChange,
  onSave,
}: CampaignContentProps) {
  const at = refusal?.argument?.split('.').at(-1) ?? '';
  const bindField = (field: keyof CampaignDraft) => ({
    value: draft[field],
    error: at === field ? refusal!.message : null,
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [field]: target.value }),
  });
  const names = ['firstName', 'lastName', 'email', ...(campaign.book?.variables ?? [])];
  return (
    <Form id={CAMPAIGN_FORM_ID} onSubmit={onSave}>
      {!mayChange && <p>{campaignStrings.notEditable}</p>}
      <FormError message={at in draft || at === 'expectedVersion' ? null : refusal?.message} />
      <fieldset className="stack campaign-form" disabled={!mayChange}>
        <CampaignHeaders book={campaign.book} bindField={bindField} />
        <BodyField
          html={draft.html}
          htmlHint={campaignStrings.htmlHint(names.map((name) => `{{${name}}}`).join(', '))}
          content={draft.content}
          starter={buildStarterDocument(campaignStrings.starter)}
          variables={[...names, UNSUBSCRIBE_VARIABLE]}
          hasFallbacks
          needsFooter
          disabled={!mayChange}
          error={{ html: bindField('html').error, content: bindField('content').error }}
          onChange={(body) => setDraft({ ...draft, ...body })}
        />
        <SendingRate bindField={bindField} />
      </fieldset>
    </Form>
  );
}

interface FieldProps {
  value: string;
  error: string | null;
  onChange(event: { target: { value: string } }): void;
}

interface CampaignFieldsProps {
  bindField(field: keyof CampaignDraft): FieldProps;
}

function CampaignHeaders({ book, bindField }: CampaignFieldsProps & { book: CampaignFactsFragment['book'] }) {
  const { data } = useGraphqlQuery(CampaignChoicesDocument, {});
  const books = data?.contactBooks.nodes ?? (book ? [book] : []);
  return (
    <div className="campaign-heads">
      <Field label={campaignStrings.name} hint={campaignStrings.nameHint} {...bindField('name')} />
      <Select
        label={campaignStrings.book}
        options={[
          ...(book ? [] : [['', campaignStrings.bookDeleted] as const]),
          ...books.map(({ id, name }) => [id, name] as const),
        ]}
        {...bindField('contactBookId')}
      />
      <Field label={campaignStrings.from} hint={campaignStrings.fromHint} {...bindField('from')} />
      <Field label={campaignStrings.replyTo} hint={campaignStrings.replyToHint} {...bindField('replyTo')} />
      <Field label={campaignStrings.subject} {...bindField('subject')} />
      <Field
        label={campaignStrings.previewText}
        hint={campaignStrings.previewTextHint}
        {...bindField('previewText')}
      />
    </div>
  );
}

const SendingRate = ({ bindField }: CampaignFieldsProps) => (
  <div className="campaign-heads">
    <Field type="number" min={1} label={campaignStrings.batchSize} {...bindField('batchSize')} />
    <Field
      type="number"
      min={0}
      label={campaignStrings.batchWindow}
      hint={campaignStrings.batchHint}
      {...bindField('batchWindowMinutes')}
    />
  </div>
);
