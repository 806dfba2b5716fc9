import { BackLink } from '../../shell/back-link.tsx';
import './template.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ConflictDialog } from '../../shell/dialogs/conflict.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { SaveButtons } from '../../shell/save-buttons.tsx';
import { Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useDraft } from '../drafts/use-draft.ts';
import { TemplateActions } from './actions.tsx';
import { TEMPLATE_TABS, type TemplateView } from './address.ts';
import { TEMPLATE_FORM_ID, TemplateContent } from './content.tsx';
import { computeChanges, toDraft } from './draft.ts';
import { TemplateDocument, type TemplateFactsFragment, TemplateUpdateDocument } from './generated.ts';
import { TemplatePreview } from './preview.tsx';
import { templateStrings } from './strings.ts';
import { Versions } from './versions.tsx';

export function TemplatePage() {
  const { id } = useParams({ from: '/email/templates/$id' });
  const { data, refusal, reload } = useLiveQuery(TemplateDocument, { id }, 'svc.template');
  const template = data?.template;
  if (template) return <TemplateEditor key={id} template={template} reload={reload} />;
  return (
    <Screen title={templateStrings.template}>
      <BackLink to="/email/templates">{templateStrings.title}</BackLink>
      {data ? (
        <EmptyState title={templateStrings.templateNotFound} />
      ) : (
        <LoadStatus refusal={refusal} onAgain={reload} />
      )}
    </Screen>
  );
}

function TemplateEditor({ template, reload }: { template: TemplateFactsFragment; reload(): void }) {
  const view = useSearch({ from: '/email/templates/$id' });
  const navigate = useNavigate({ from: '/email/templates/$id' });
  const { can } = useViewer();
  const functions = { toDraft, computeChanges, reload };
  const { base, draft, setDraft, load, save, ...edited } = useDraft(template, functions);
  const { isDirty, refusal } = edited;
  const [samples, setSamples] = useState<Record<string, string>>({});
  const saveVersion = (expectedVersion: number) =>
    save(async (changes) => {
      const variables = { id: template.id, template: changes, expectedVersion };
      const { templateUpdate } = await runMutation(TemplateUpdateDocument, variables);
      const isNew = templateUpdate.version !== base.version;
      showToast(isNew ? templateStrings.saved(templateUpdate.version) : templateStrings.unchanged);
      return templateUpdate;
    });
  const saveOwnVersion = () => isDirty && void saveVersion(base.version);
  const show = (changedView: TemplateView) =>
    void navigate({ search: (old: TemplateView) => ({ ...old, ...changedView }), replace: true });
  const tab = view.tab ?? 'edit';
  const editorProps = { template: base, draft, setDraft, samples, setSamples };
  return (
    <Screen
      title={base.name}
      actions={<TemplateActions template={base} isDirty={isDirty} samples={samples} />}
    >
      <BackLink to="/email/templates">{templateStrings.title}</BackLink>
      <UnsavedGuard isDirty={isDirty} keepsInput={() => true} />
      <div className="stack template">
        <Tabs
          label={templateStrings.views}
          tabs={TEMPLATE_TABS.map((templateTab) => [templateTab, templateStrings.tabs[templateTab]])}
          at={tab}
          onGo={(next) => show({ tab: next === 'edit' ? undefined : next, version: undefined })}
        >
          {tab === 'edit' && <TemplateContent {...editorProps} refusal={refusal} onSave={saveOwnVersion} />}
          {tab === 'preview' && <TemplatePreview {...editorProps} view={view} show={show} />}
          {tab === 'versions' && (
            <Versions template={base} isDirty={isDirty} view={view} show={show} onRestored={load} />
          )}
        </Tabs>
        {can.has('templateUpdate') && (
          <SaveButtons
            isSticky
            form={TEMPLATE_FORM_ID}
            isDirty={isDirty}
            isBusy={edited.isBusy}
            onSave={tab === 'edit' ? undefined : saveOwnVersion}
            onDiscard={() => load(template)}
          >
            <span className="quiet small">{templateStrings.version(base.version)}</span>
          </SaveButtons>
        )}
      </div>
      {edited.isInConflict && (
        <ConflictDialog
          title={templateStrings.conflict}
          text={
            template.version > base.version
              ? templateStrings.conflictText(
                  template.updatedBy?.name ?? templateStrings.someoneElse,
                  template.version,
                )
              : undefined
          }
          onMine={() => saveVersion(template.version)}
          onTheirs={() => load(template)}
          onClose={edited.dismissRefusal}
        />
      )}
    </Screen>
  );
}
