import { language } from '../../../i18n/language.ts';
import '../workspace.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/form/field.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { adminStrings } from '../strings.ts';
import { ACCESS_TABS, type AccessView } from './address.ts';
import { AccessExplainer } from './explain.tsx';
import { ModelsDocument } from './generated.ts';
import { Rights } from './rights.tsx';
import { Rules } from './rules.tsx';
import { AllowedUsers } from './who.tsx';

export function Access() {
  const view = useSearch({ from: '/admin/access' });
  const navigate = useNavigate({ from: '/admin/access' });
  const show = (changes: AccessView) => void navigate({ search: (old) => ({ ...old, ...changes }) });
  const { model, tab = 'who' } = view;
  return (
    <Screen title={adminStrings.access}>
      <div className="admin-page">
        <ModelChoice model={model} onChoose={(model) => show({ model, record: undefined })} />
        {model ? (
          <Tabs
            label={adminStrings.access}
            tabs={ACCESS_TABS.map((accessTab) => [accessTab, adminStrings.accessTabs[accessTab]])}
            at={tab}
            onGo={(next) => show({ tab: next })}
          >
            {tab === 'who' && <AllowedUsers key={model} model={model} view={view} show={show} />}
            {tab === 'rights' && <Rights key={model} model={model} />}
            {tab === 'rules' && <Rules key={model} model={model} />}
            {tab === 'explain' && <AccessExplainer key={model} model={model} view={view} show={show} />}
          </Tabs>
        ) : (
          <EmptyState title={adminStrings.chooseModel} text={adminStrings.chooseModelText} />
        )}
      </div>
    </Screen>
  );
}

function ModelChoice({ model, onChoose }: { model: string | undefined; onChoose(model?: string): void }) {
  const { data, refusal, reload } = useGraphqlQuery(ModelsDocument, { lang: language });
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  const models = [...(data?.models ?? [])].sort((a, b) => a.name.localeCompare(b.name));
  const options = models.map((model) => [model.model, `${model.name} (${model.model})`] as const);
  const isKnown = !model || options.some(([name]) => name === model);
  return (
    <Select
      label={adminStrings.model}
      value={model ?? ''}
      options={[['', adminStrings.choose], ...(isKnown ? [] : [[model, model] as const]), ...options]}
      onChange={({ target }) => onChoose(target.value || undefined)}
    />
  );
}
