import { language } from '../../i18n/language.ts';
import './own-models.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/form/field.tsx';
import { OwnModelChoicesDocument, OwnModelsDocument } from './generated.ts';
import { getModelChoices } from './model-choices.ts';
import { ownModelStrings } from './strings.ts';

export function OwnModels() {
  const navigate = useNavigate();
  const { data, refusal, reload } = useGraphqlQuery(OwnModelsDocument, {});
  const models = data?.irModels.nodes;
  const create = () => void navigate({ to: '/records/models/$model', params: { model: 'new' } });
  const createButton = (
    <Button look="primary" icon="plus" onClick={create}>
      {ownModelStrings.create}
    </Button>
  );
  return (
    <Screen title={ownModelStrings.title} actions={createButton}>
      <div className="own-models">
        <p className="quiet">{ownModelStrings.text}</p>
        {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
        {models?.length === 0 && (
          <EmptyState title={ownModelStrings.none} text={ownModelStrings.noneText}>
            {createButton}
          </EmptyState>
        )}
        <ul>
          {models?.map(({ id, model, name, count }) => (
            <li key={id} className="card">
              <div className="grow">
                <Link to="/records/models/$model" params={{ model }}>
                  {name}
                </Link>{' '}
                <code className="quiet small">{model}</code>
              </div>
              <Link to="/records/$model" params={{ model }}>
                {formatCount(count, ownModelStrings.recordCount)}
              </Link>
            </li>
          ))}
        </ul>
        <ExtendModelForm />
      </div>
    </Screen>
  );
}

function ExtendModelForm() {
  const navigate = useNavigate();
  const { data } = useGraphqlQuery(OwnModelChoicesDocument, { lang: language });
  const [model, setModel] = useState('');
  const open = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/records/models/$model', params: { model } });
  };
  return (
    <section className="card">
      <h2>{ownModelStrings.extend}</h2>
      <p className="quiet">{ownModelStrings.extendText}</p>
      <form className="own-models-extend" onSubmit={open}>
        <Select
          label={ownModelStrings.model}
          value={model}
          required
          options={[['', '']]}
          groups={data && getModelChoices(data)}
          onChange={({ target }) => setModel(target.value)}
        />
        <Button type="submit">{ownModelStrings.open}</Button>
      </form>
    </section>
  );
}
