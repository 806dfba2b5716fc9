import type { FormEvent } from 'react';
import type { Refusal } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { beginning } from '../blocks/begin.ts';
import { BodyField } from '../blocks/body-field.tsx';
import type { CampaignDraft } from './draft.ts';
import { CampaignChoicesDocument, type CampaignFactsFragment } from './generated.ts';
import { campaignWords } from './words.ts';

/** The id of the form, for the button that saves it. */
export const CAMPAIGN_FORM = 'campaign-content';

/** The address by which readers leave. */
const LEAVE = 'usesend_unsubscribe_url';

interface ContentProps {
  campaign: CampaignFactsFragment;
  draft: CampaignDraft;
  setDraft(draft: CampaignDraft): void;
  /** Why it was not saved. */
  refusal: Refusal | null;
  mayChange: boolean;
  onSave(): void;
}

/** Who gets a campaign, who sends it, what it says and how fast it goes out. */
export function Content({ campaign, draft, setDraft, refusal, mayChange, onSave }: ContentProps) {
  const { data } = useAnswer(CampaignChoicesDocument, {});
  const at = refusal?.argument?.split('.').at(-1) ?? '';
  const bound = (field: keyof CampaignDraft) => ({
    value: draft[field],
    error: at === field ? refusal!.message : null,
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [field]: target.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  const books = data?.contactBooks.nodes ?? (campaign.book ? [campaign.book] : []);
  const names = ['firstName', 'lastName', 'email', ...(campaign.book?.variables ?? [])];
  return (
    <form id={CAMPAIGN_FORM} onSubmit={submit}>
      {!mayChange && <p>{campaignWords.fixed}</p>}
      {refusal && !(at in draft) && (
        <p role="alert" className="campaign-wrong">
          {refusal.message}
        </p>
      )}
      <fieldset className="campaign-form" disabled={!mayChange}>
        <div className="campaign-heads">
          <Field label={campaignWords.name} hint={campaignWords.nameHint} {...bound('name')} />
          <Choice
            label={campaignWords.book}
            options={[
              ...(campaign.book ? [] : [['', campaignWords.noBook] as const]),
              ...books.map(({ id, name }) => [id, name] as const),
            ]}
            {...bound('contactBookId')}
          />
          <Field label={campaignWords.from} hint={campaignWords.fromHint} {...bound('from')} />
          <Field label={campaignWords.replyTo} hint={campaignWords.replyToHint} {...bound('replyTo')} />
          <Field label={campaignWords.subject} {...bound('subject')} />
          <Field
            label={campaignWords.previewText}
            hint={campaignWords.previewTextHint}
            {...bound('previewText')}
          />
        </div>
        <BodyField
          html={draft.html}
          htmlHint={campaignWords.htmlHint(names.map((name) => `{{${name}}}`).join(', '))}
          content={draft.content}
          starter={beginning(campaignWords.starter)}
          variables={[...names, LEAVE]}
          hasFallbacks
          disabled={!mayChange}
          error={{ html: bound('html').error, content: bound('content').error }}
          onChange={(body) => setDraft({ ...draft, ...body })}
        />
        <div className="campaign-heads">
          <Field type="number" min={1} label={campaignWords.batchSize} {...bound('batchSize')} />
          <Field
            type="number"
            min={0}
            label={campaignWords.batchWindow}
            hint={campaignWords.batchHint}
            {...bound('batchWindowMinutes')}
          />
        </div>
      </fieldset>
    </form>
  );
}
