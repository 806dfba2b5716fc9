import { language } from '../i18n/language.ts';
import './home.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useShortcuts } from '../shell/keys/shortcuts.ts';
import { LoadStatus } from '../shell/loading.tsx';
import { Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field } from '../ui/form/field.tsx';
import { RecordModelsDocument } from './generated.ts';
import { groupModels } from './list/model-groups.ts';
import { recordStrings } from './strings.ts';

export function RecordsHome() {
  const { q } = useSearch({ from: '/records' });
  const navigate = useNavigate({ from: '/records' });
  const { data, refusal, reload } = useGraphqlQuery(RecordModelsDocument, { lang: language });
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: recordStrings.keys.search, run: () => search.current?.focus() }]);
  const groups =
    data && groupModels(data.models, data.apps, q ?? '', recordStrings.contacts, recordStrings.ownModels);
  return (
    <Screen title={recordStrings.title}>
      <search className="models-search">
        <Field
          ref={search}
          type="search"
          label={recordStrings.search}
          placeholder={recordStrings.searchModelsHint}
          value={q ?? ''}
          onChange={({ target }) =>
            void navigate({ search: { q: target.value || undefined }, replace: true })
          }
        />
      </search>
      {!groups && <LoadStatus refusal={refusal} onAgain={reload} />}
      {groups?.length === 0 && <EmptyState title={recordStrings.noModels} />}
      <div className="models">
        {groups?.map(({ label, models }) => (
          <section key={label} className="card">
            <h2>{label}</h2>
            <ul>
              {models.map(({ model, pluralName }) => (
                <li key={model}>
                  <Link to="/records/$model" params={{ model }}>
                    {pluralName}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Screen>
  );
}
