import './own-models.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { language } from '../../i18n/language.ts';
import { ConfirmButton } from '../../shell/action-buttons.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { OwnModelChoicesDocument, OwnModelDeleteDocument, OwnModelDocument } from './generated.ts';
import { NewOwnModel } from './new-model.tsx';
import { OwnFields, type OwnModelFacts } from './own-fields.tsx';
import { OwnRights } from './own-rights.tsx';
import { ownModelStrings } from './strings.ts';

export function OwnModelPage() {
  const { model } = useParams({ from: '/records/models/$model' });
  return model === 'new' ? <NewOwnModel /> : <OwnModelContent key={model} name={model} />;
}

function OwnModelContent({ name }: { name: string }) {
  const { data, refusal, reload } = useGraphqlQuery(OwnModelDocument, { model: name });
  const model = data?.irModels.nodes[0];
  const label = useGraphqlQuery(OwnModelChoicesDocument, { lang: language }).data?.models.find(
    (model) => model.model === name,
  )?.name;
  return (
    <Screen
      title={label ?? model?.name ?? ownModelStrings.title}
      actions={model && <ModelActions model={model} />}
    >
      <p className="small">
        <Link to="/records/models">‹ {ownModelStrings.title}</Link> <code className="quiet">{name}</code>
      </p>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !model && (
        <EmptyState title={ownModelStrings.modelNotFound} text={ownModelStrings.modelNotFoundText} />
      )}
      {model && (
        <div className="own-model">
          <OwnFields model={model} reload={reload} />
          <OwnRights model={model} reload={reload} />
        </div>
      )}
    </Screen>
  );
}

function ModelActions({ model: { id, model, name, state } }: { model: OwnModelFacts }) {
  const navigate = useNavigate();
  const remove = async () => {
    await runWithToast(OwnModelDeleteDocument, { id }, ownModelStrings.deleted(name));
    await navigate({ to: '/records/models', ignoreBlocker: true });
  };
  return (
    <>
      <Link className="button" to="/records/$model" params={{ model }}>
        {ownModelStrings.openList}
      </Link>
      <Link className="button primary" to="/records/$model/$id" params={{ model, id: 'new' }}>
        {ownModelStrings.addRecord}
      </Link>
      {state === 'MANUAL' && (
        <ConfirmButton
          icon="trash"
          label={ownModelStrings.delete}
          title={ownModelStrings.deleteNamed(name)}
          text={ownModelStrings.deleteText}
          onYes={remove}
        />
      )}
    </>
  );
}
