import { runMutation as changeIt } from '../../../graphql/client.ts';
import { language } from '../../../i18n/language.ts';
import { DialogButtons } from '../../../shell/dialogs/dialog-buttons.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { useFormAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { operationStrings } from '../strings.ts';
import {
  type AppFactsFragment,
  AppInstallDocument,
  AppPreviewDocument,
  AppUpgradeDocument,
} from './generated.ts';

interface ChangeDialogProps {
  app: AppFactsFragment;
  change: 'INSTALL' | 'UPGRADE';
  labels: ReadonlyMap<string, string>;
  onClose(): void;
  onDone(): void;
}

/** Shows an app's dependencies, then installs or upgrades the app. */
export function ChangeDialog({ app, change, labels, onClose, onDone }: ChangeDialogProps) {
  const {
    data,
    refusal: loadError,
    reload,
  } = useGraphqlQuery(AppPreviewDocument, {
    name: app.name,
    change,
    lang: language,
  });
  const { isBusy, refusal, act } = useFormAction();
  const isInstall = change === 'INSTALL';
  const runChange = () =>
    act(async () => {
      await changeIt(isInstall ? AppInstallDocument : AppUpgradeDocument, { name: app.name });
      showToast(isInstall ? operationStrings.installed(app.label) : operationStrings.upgraded(app.label));
      onDone();
      onClose();
    });
  const preview = data?.appPreview;
  const others = preview?.apps.filter((name) => name !== app.name) ?? [];
  return (
    <Dialog
      title={isInstall ? operationStrings.installTitle(app.label) : operationStrings.upgradeTitle(app.label)}
      onClose={onClose}
    >
      {!preview && <LoadStatus refusal={loadError} onAgain={reload} />}
      {preview && (
        <>
          <p>{isInstall ? operationStrings.installText : operationStrings.upgradeText}</p>
          {others.length > 0 && (
            <p>{operationStrings.alsoInstalled(others.map((name) => labels.get(name) ?? name).join(', '))}</p>
          )}
          {preview.models.length > 0 && (
            <details>
              <summary>{operationStrings.newModels}</summary>
              <p className="quiet">{preview.models.map(({ label }) => label).join(', ')}</p>
            </details>
          )}
        </>
      )}
      {isBusy && <p role="status">{operationStrings.inProgress}</p>}
      {refusal && (
        <p className="error-note" role="alert">
          {refusal.message}
        </p>
      )}
      <DialogButtons onClose={onClose}>
        {preview?.isPossible && (
          <Button look="primary" isBusy={isBusy} onClick={runChange}>
            {isInstall ? operationStrings.install : operationStrings.upgrade}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
