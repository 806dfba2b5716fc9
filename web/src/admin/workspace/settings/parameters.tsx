import { useState } from 'react';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { LoadError } from '../../../shell/screen.tsx';
import { shellStrings } from '../../../shell/strings.ts';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { adminStrings } from '../strings.ts';
import {
  OneParameterDocument,
  type ParameterDetailsFragment,
  ParameterSaveDocument,
  ParametersDocument,
} from './generated.ts';

/** The server's page size limit. */
const MAX_PARAMETERS = 500;

export function Parameters() {
  const { data, refusal, reload } = useLiveQuery(
    ParametersDocument,
    { first: MAX_PARAMETERS },
    'ir.config_parameter',
  );
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return null;
  return (
    <section className="card" aria-label={adminStrings.parameters}>
      <h2>{adminStrings.parameters}</h2>
      <p className="quiet">{adminStrings.parametersText}</p>
      <ul className="item-rows">
        {data.irConfigParameters.nodes.map((parameter) => (
          <Parameter key={parameter.id} parameter={parameter} reload={reload} />
        ))}
      </ul>
    </section>
  );
}

function Parameter({ parameter, reload }: { parameter: ParameterDetailsFragment; reload(): void }) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, key, value } = parameter;
  return (
    <li>
      <div>
        <code>{key}</code>
        {!isOpen && <p className="quiet">{value}</p>}
      </div>
      <Button
        aria-expanded={isOpen}
        aria-label={isOpen ? adminStrings.closeNamed(key) : adminStrings.editNamed(key)}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? shellStrings.close : adminStrings.edit}
      </Button>
      {isOpen && (
        <div className="wide">
          <GuardedForm
            label={key}
            fields={[{ name: 'value', label: adminStrings.value, required: true }]}
            facts={parameter}
            loadCurrent={async () => (await runQuery(OneParameterDocument, { id })).irConfigParameter}
            save={(input, { version: expectedVersion }) =>
              runMutation(ParameterSaveDocument, { id, input, expectedVersion })
            }
            onSaved={reload}
          />
        </div>
      )}
    </li>
  );
}
