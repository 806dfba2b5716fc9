import { language } from '../../../i18n/language.ts';
import { DialogOpener } from '../../../shell/action-buttons.tsx';
import { BackLink } from '../../../shell/back-link.tsx';
import '../subject-links.css';
import './apps.css';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../i18n/format.ts';
import { Loading } from '../../../shell/loading.tsx';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { usePoll } from '../../../shell/use-poll.ts';
import { refreshViewer, useViewer } from '../../../shell/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { type AppFactsFragment, OneAppDocument } from './generated.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { AppSettings } from './settings.tsx';
import { APP_TONES } from './tones.ts';

export function AppPage() {
  const { name } = useParams({ from: '/admin/apps/$name' });
  const { data, refusal, reload } = useGraphqlQuery(OneAppDocument, { name, lang: language });
  const app = data?.app;
  const labels = new Map(data?.apps.map((app) => [app.name, app.label]));
  usePoll(app?.state === 'TO_REMOVE', reload);
  useViewerRefresh(app?.state);
  return (
    <Screen title={app?.label ?? operationStrings.app}>
      <BackLink to="/admin/apps" search={{}}>
        {operationStrings.apps}
      </BackLink>
      {refusal &&
        (refusal.code === 'NOT_FOUND' ? (
          <EmptyState title={operationStrings.appNotFound} />
        ) : (
          <LoadError refusal={refusal} onAgain={reload} />
        ))}
      {!data && !refusal && <Loading />}
      {app && <AppDetails key={app.name} app={app} labels={labels} reload={reload} />}
    </Screen>
  );
}

function useViewerRefresh(state: AppFactsFragment['state'] | undefined): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== undefined && state !== undefined && before.current !== state) void refreshViewer();
    before.current = state;
  }, [state]);
}

interface AppDetailsProps {
  app: AppFactsFragment;
  labels: ReadonlyMap<string, string>;
  reload(): void;
}

function AppDetails({ app, labels, reload }: AppDetailsProps) {
  const { can } = useViewer();
  const [pendingAction, setPendingAction] = useState<'INSTALL' | 'UPGRADE' | null>(null);
  return (
    <>
      <section className="card app-card" aria-label={operationStrings.app}>
        <p>{app.summary}</p>
        <Facts
          facts={[
            [
              operationStrings.status,
              <StatusBadge key="state" tone={APP_TONES[app.state]}>
                {operationStrings.appStates[app.state]}
              </StatusBadge>,
            ],
            [operationStrings.installedVersion, app.installedVersion],
            [operationStrings.newestVersion, app.version],
            [operationStrings.author, app.author],
            [operationStrings.name, <code key="name">{app.name}</code>],
            [operationStrings.dependsOn, <AppLinks key="on" names={app.dependencies} labels={labels} />],
            [
              operationStrings.requiredBy,
              app.dependents.length > 0 && <AppLinks names={app.dependents} labels={labels} />,
            ],
          ]}
        />
        {app.removal && <RemovalProgress removal={app.removal} />}
        <div className="buttons">
          {app.changes.includes('INSTALL') && can.has('appInstall') && (
            <Button look="primary" icon="plus" onClick={() => setPendingAction('INSTALL')}>
              {operationStrings.install}
            </Button>
          )}
          {app.changes.includes('UPGRADE') && can.has('appUpgrade') && (
            <Button look="primary" icon="up" onClick={() => setPendingAction('UPGRADE')}>
              {operationStrings.upgradeTo(app.version)}
            </Button>
          )}
        </div>
        {pendingAction && (
          <ChangeDialog
            app={app}
            change={pendingAction}
            labels={labels}
            onClose={() => setPendingAction(null)}
            onDone={reload}
          />
        )}
      </section>
      {app.state === 'INSTALLED' && app.settings > 0 && <AppSettings app={app.name} />}
      {app.state === 'INSTALLED' && <UninstallCard app={app} labels={labels} reload={reload} />}
    </>
  );
}

const AppLinks = ({ names, labels }: { names: string[]; labels: ReadonlyMap<string, string> }) =>
  names.length === 0 ? (
    operationStrings.none
  ) : (
    <span className="subject-links">
      {names.map((name) => (
        <Link key={name} to="/admin/apps/$name" params={{ name }}>
          {labels.get(name) ?? name}
        </Link>
      ))}
    </span>
  );

const RemovalProgress = ({
  removal: { rows, deleted },
}: {
  removal: NonNullable<AppFactsFragment['removal']>;
}) => (
  <div className="op-progress">
    <progress max={Math.max(1, rows)} value={deleted} aria-label={operationStrings.deletingData} />
    <p role="status">{operationStrings.deletionProgress(formatNumber(deleted), formatNumber(rows))}</p>
  </div>
);

/** Shows an explanation instead of the button if the operator has disabled removal. */
function UninstallCard({ app, labels, reload }: AppDetailsProps) {
  const { can } = useViewer();
  if (!can.has('appUninstall')) return null;
  return (
    <section className="card app-card" aria-label={operationStrings.uninstall}>
      <h2>{operationStrings.uninstall}</h2>
      {app.changes.includes('UNINSTALL') ? (
        <>
          <p>{operationStrings.uninstallText}</p>
          <div className="buttons">
            <DialogOpener icon="trash" label={operationStrings.uninstallAsk}>
              {(onClose) => <RemoveDialog app={app} labels={labels} onClose={onClose} onDone={reload} />}
            </DialogOpener>
          </div>
        </>
      ) : (
        <p className="quiet">{operationStrings.uninstallDisabled}</p>
      )}
    </section>
  );
}
