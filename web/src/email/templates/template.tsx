import './template.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useLiveChanges } from '../../graphql/live.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { TemplateActions } from './actions.tsx';
import { TEMPLATE_TABS, type TemplateView } from './address.ts';
import { TemplateConflict } from './conflict.tsx';
import { TEMPLATE_FORM_ID, TemplateContent } from './content.tsx';
import { computeChanges, hasChanges, toDraft } from './draft.ts';
import { TemplateDocument, type TemplateFactsFragment, TemplateUpdateDocument } from './generated.ts';
import { TemplatePreview } from './preview.tsx';
import { templateStrings } from './strings.ts';
import { Versions } from './versions.tsx';

export function TemplatePage() {
  const { id } = useParams({ from: '/email/templates/$id' });
  const { data, refusal, reload } = useGraphqlQuery(TemplateDocument, { id });
  useLiveChanges('svc.template', reload);
  const template = data?.template;
  if (template) return <TemplateEditor key={id} template={template} />;
  return (
    <Screen title={templateStrings.template} needs="templates">
      <Back />
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data ? <EmptyState title={templateStrings.templateNotFound} /> : <Loading />}
    </Screen>
  );
}

const Back = () => (
  <p>
    <Link to="/email/templates">‹ {templateStrings.title}</Link>
  </p>
);

function TemplateEditor({ template }: { template: TemplateFactsFragment }) {
  const view = useSearch({ from: '/email/templates/$id' });
  const navigate = useNavigate({ from: '/email/templates/$id' });
  const { can } = useViewer();
  const [base, setBase] = useState(template);
  const [draft, setDraft] = useState(toDraft(template));
  const [samples, setSamples] = useState<Record<string, string>>({});
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const changes = computeChanges(draft, base);
  const isDirty = hasChanges(changes);
  const loadTemplate = useCallback((next: TemplateFactsFragment) => {
    setBase(next);
    setDraft(toDraft(next));
    setRejection(null);
  }, []);
  useEffect(() => {
    // Changes by other users appear immediately, unless there are unsaved edits.
    if (!isDirty && template.updatedAt > base.updatedAt) loadTemplate(template);
  }, [template, base, isDirty, loadTemplate]);
  const save = async (expectedVersion: number) => {
    setIsBusy(true);
    setRejection(null);
    try {
      const variables = { id: template.id, template: changes, expectedVersion };
      const { templateUpdate } = await runMutation(TemplateUpdateDocument, variables);
      const isNew = templateUpdate.version !== base.version;
      showToast(isNew ? templateStrings.saved(templateUpdate.version) : templateStrings.unchanged);
      loadTemplate(templateUpdate);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRejection(error.failure);
    } finally {
      setIsBusy(false);
    }
  };
  const saveMine = () => isDirty && void save(base.version);
  const show = (changedView: TemplateView) =>
    void navigate({ search: (old: TemplateView) => ({ ...old, ...changedView }), replace: true });
  const tab = view.tab ?? 'edit';
  const edited = { template: base, draft, setDraft, samples, setSamples };
  return (
    <Screen
      title={base.name}
      needs="templates"
      actions={<TemplateActions template={base} isDirty={isDirty} samples={samples} />}
    >
      <Back />
      <UnsavedGuard isDirty={isDirty} />
      <div className="template">
        <Tabs
          label={templateStrings.views}
          tabs={TEMPLATE_TABS.map((templateTab) => [templateTab, templateStrings.tabs[templateTab]])}
          at={tab}
          onGo={(next) => show({ tab: next === 'edit' ? undefined : next, version: undefined })}
        >
          {tab === 'edit' && <TemplateContent {...edited} refusal={rejection} onSave={saveMine} />}
          {tab === 'preview' && <TemplatePreview {...edited} view={view} show={show} />}
          {tab === 'versions' && (
            <Versions template={base} isDirty={isDirty} view={view} show={show} onRestored={loadTemplate} />
          )}
        </Tabs>
        {can.has('templateUpdate') && (
          <div className="buttons template-save">
            <Button
              {...(tab === 'edit' ? { type: 'submit', form: TEMPLATE_FORM_ID } : { onClick: saveMine })}
              look="primary"
              isBusy={isBusy}
              disabled={!isDirty}
            >
              {templateStrings.save}
            </Button>
            {isDirty && <Button onClick={() => loadTemplate(template)}>{templateStrings.discard}</Button>}
            <span className="quiet small">{templateStrings.version(base.version)}</span>
          </div>
        )}
      </div>
      {rejection?.argument === 'expectedVersion' && (
        <TemplateConflict
          id={base.id}
          onMine={save}
          onTheirs={loadTemplate}
          onClose={() => setRejection(null)}
        />
      )}
    </Screen>
  );
}
