import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { formatCount, formatNumber } from '../../../i18n/format.ts';
import { language } from '../../../i18n/language.ts';
import { DialogButtons } from '../../../shell/dialogs/dialog-buttons.tsx';
import { LoadError } from '../../../shell/screen.tsx';
import { useFormAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { operationStrings } from '../strings.ts';
import {
  type AppFactsFragment,
  AppPreviewDocument,
  type AppPreviewQuery,
  AppUninstallDocument,
} from './generated.ts';

interface RemoveDialogProps {
  app: AppFactsFragment;
  labels: ReadonlyMap<string, string>;
  onClose(): void;
  onDone(): void;
}

/** Shows how many records would be deleted. Removes the app after the user has entered its name. */
export function RemoveDialog({ app, labels, onClose, onDone }: RemoveDialogProps) {
  const variables = { name: app.name, change: 'UNINSTALL', lang: language } as const;
  const { data, refusal: loadError, reload } = useGraphqlQuery(AppPreviewDocument, variables);
  const [typed, setTyped] = useState('');
  const { isBusy, refusal, act } = useFormAction();
  const preview = data?.appPreview;
  const isConfirmed = typed.trim() === app.name;
  const remove = () => {
    if (!isConfirmed) return;
    void act(async () => {
      const { appUninstall } = await runMutation(AppUninstallDocument, { name: app.name });
      const isGone = appUninstall.app.state === 'UNINSTALLED';
      showToast((isGone ? operationStrings.uninstalled : operationStrings.uninstalling)(app.label));
      onDone();
      onClose();
    });
  };
  return (
    <Dialog title={operationStrings.uninstallTitle(app.label)} onClose={onClose}>
      {loadError && <LoadError refusal={loadError} onAgain={reload} />}
      {!preview && !loadError && <p role="status">{operationStrings.countingRows}</p>}
      {preview && <RemovalPreview preview={preview} app={app} labels={labels} />}
      {preview?.isPossible ? (
        <Form onSubmit={remove}>
          <Field
            label={operationStrings.confirmationPrompt(app.name)}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoCapitalize="none"
            spellCheck={false}
          />
          {isBusy && <p role="status">{operationStrings.inProgress}</p>}
          {refusal && (
            <p className="error-note" role="alert">
              {refusal.message}
            </p>
          )}
          <DialogButtons onClose={onClose}>
            <Button type="submit" look="danger" disabled={!isConfirmed} isBusy={isBusy}>
              {operationStrings.uninstall}
            </Button>
          </DialogButtons>
        </Form>
      ) : (
        <DialogButtons onClose={onClose} />
      )}
    </Dialog>
  );
}

interface RemovalPreviewProps {
  preview: AppPreviewQuery['appPreview'];
  app: AppFactsFragment;
  labels: ReadonlyMap<string, string>;
}

function RemovalPreview({ preview, app, labels }: RemovalPreviewProps) {
  const others = preview.apps.filter((name) => name !== app.name);
  const counts = [...preview.models, ...preview.attached].filter(({ records }) => records > 0);
  return (
    <>
      {!preview.isPossible && <p className="error-note">{operationStrings.uninstallDisabled}</p>}
      <p>
        <strong>{formatCount(preview.rows, operationStrings.rowsDeleted)}</strong>{' '}
        {operationStrings.irreversibleWarning}
      </p>
      {others.length > 0 && (
        <p>{operationStrings.alsoUninstalled(others.map((name) => labels.get(name) ?? name).join(', '))}</p>
      )}
      {counts.length > 0 && (
        <table className="figures-table">
          <thead>
            <tr>
              <th scope="col">{operationStrings.model}</th>
              <th scope="col" className="number">
                {operationStrings.records}
              </th>
            </tr>
          </thead>
          <tbody>
            {counts.map(({ model, label, records }) => (
              <tr key={model}>
                <td>{label}</td>
                <td className="number">{formatNumber(records)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {preview.fields.length > 0 && (
        <p>
          {operationStrings.deletedFields(
            preview.fields.map(({ model, name }) => `${model}.${name}`).join(', '),
          )}
        </p>
      )}
      {preview.rules.length > 0 && (
        <p className="error-note">
          {operationStrings.brokenRules(preview.rules.map(({ name }) => name).join(', '))}
        </p>
      )}
    </>
  );
}
