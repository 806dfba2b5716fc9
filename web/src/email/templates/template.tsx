import './template.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useLive } from '../../graphql/live.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { Unsaved } from '../../shell/unsaved.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { say } from '../../ui/toasts.tsx';
import { Actions } from './actions.tsx';
import { TEMPLATE_TABS, type TemplateView } from './address.ts';
import { Conflict } from './conflict.tsx';
import { CONTENT_FORM, Content } from './content.tsx';
import { changesOf, draftOf, isChanged } from './draft.ts';
import { TemplateDocument, type TemplateFactsFragment, TemplateUpdateDocument } from './generated.ts';
import { Preview } from './preview.tsx';
import { Versions } from './versions.tsx';
import { templateWords } from './words.ts';

/** One template: its content, how it looks, and what it was. */
export function TemplatePage() {
  const { id } = useParams({ from: '/email/templates/$id' });
  const { data, refusal, reload } = useAnswer(TemplateDocument, { id });
  useLive('svc.template', reload);
  const template = data?.template;
  if (template) return <Editor key={id} template={template} />;
  return (
    <Screen title={templateWords.template} needs="templates">
      <Back />
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {data ? <Empty title={templateWords.noTemplate} /> : <p role="status">{shellWords.loading}</p>}
    </Screen>
  );
}

const Back = () => (
  <p>
    <Link to="/email/templates">‹ {templateWords.title}</Link>
  </p>
);

function Editor({ template }: { template: TemplateFactsFragment }) {
  const view = useSearch({ from: '/email/templates/$id' });
  const navigate = useNavigate({ from: '/email/templates/$id' });
  const { can } = useViewer();
  const [base, setBase] = useState(template);
  const [draft, setDraft] = useState(draftOf(template));
  const [samples, setSamples] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(draft, base);
  const isDirty = isChanged(changes);
  const take = useCallback((next: TemplateFactsFragment) => {
    setBase(next);
    setDraft(draftOf(next));
    setRefusal(null);
  }, []);
  useEffect(() => {
    // What somebody else saves shows at once where nothing is typed over it.
    if (!isDirty && template.updatedAt > base.updatedAt) take(template);
  }, [template, base, isDirty, take]);
  const save = async (expectedVersion: number) => {
    setBusy(true);
    setRefusal(null);
    try {
      const variables = { id: template.id, template: changes, expectedVersion };
      const { templateUpdate } = await change(TemplateUpdateDocument, variables);
      const isNew = templateUpdate.version !== base.version;
      say(isNew ? templateWords.saved(templateUpdate.version) : templateWords.unchanged);
      take(templateUpdate);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefusal(error.refusal);
    } finally {
      setBusy(false);
    }
  };
  const saveMine = () => isDirty && void save(base.version);
  const show = (changed: TemplateView) =>
    void navigate({ search: (old: TemplateView) => ({ ...old, ...changed }), replace: true });
  const tab = view.tab ?? 'edit';
  const edited = { template: base, draft, setDraft, samples, setSamples };
  return (
    <Screen
      title={base.name}
      needs="templates"
      actions={<Actions template={base} isDirty={isDirty} samples={samples} />}
    >
      <Back />
      <Unsaved isDirty={isDirty} />
      <div className="template">
        <Tabs
          label={templateWords.views}
          tabs={TEMPLATE_TABS.map((each) => [each, templateWords.tabs[each]])}
          at={tab}
          onGo={(next) => show({ tab: next === 'edit' ? undefined : next, version: undefined })}
        >
          {tab === 'edit' && <Content {...edited} refusal={refusal} onSave={saveMine} />}
          {tab === 'preview' && <Preview {...edited} view={view} show={show} />}
          {tab === 'versions' && (
            <Versions template={base} isDirty={isDirty} view={view} show={show} onRestored={take} />
          )}
        </Tabs>
        {can.has('templateUpdate') && (
          <div className="buttons template-save">
            <Button
              {...(tab === 'edit' ? { type: 'submit', form: CONTENT_FORM } : { onClick: saveMine })}
              look="primary"
              isBusy={isBusy}
              disabled={!isDirty}
            >
              {templateWords.save}
            </Button>
            {isDirty && <Button onClick={() => take(template)}>{templateWords.discard}</Button>}
            <span className="quiet small">{templateWords.version(base.version)}</span>
          </div>
        )}
      </div>
      {refusal?.argument === 'expectedVersion' && (
        <Conflict id={base.id} onMine={save} onTheirs={take} onClose={() => setRefusal(null)} />
      )}
    </Screen>
  );
}
