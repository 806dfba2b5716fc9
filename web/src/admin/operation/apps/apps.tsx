import { language } from '../../../i18n/language.ts';
import './apps.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatNumber } from '../../../i18n/format.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { usePoll } from '../../../shell/use-poll.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { operationStrings } from '../strings.ts';
import { APPS_TABS } from './address.ts';
import { type AppFactsFragment, AppsDocument } from './generated.ts';
import { ReleaseNotes } from './release-notes.tsx';
import { APP_TONES } from './tones.ts';

export function Apps() {
  const { tab = 'apps' } = useSearch({ from: '/admin/apps' });
  const navigate = useNavigate({ from: '/admin/apps' });
  return (
    <Screen title={operationStrings.apps}>
      <Tabs
        label={operationStrings.apps}
        tabs={APPS_TABS.map((appsTab) => [appsTab, operationStrings.appsTabs[appsTab]])}
        at={tab}
        onGo={(next) => void navigate({ search: { tab: next } })}
      >
        {tab === 'apps' ? <AppList /> : <ReleaseNotes />}
      </Tabs>
    </Screen>
  );
}

function AppList() {
  const { data, refusal, reload } = useGraphqlQuery(AppsDocument, { lang: language });
  const apps = data?.apps ?? [];
  usePoll(
    apps.some(({ removal }) => removal !== null),
    reload,
  );
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const installedApps = apps.filter(({ state }) => state !== 'UNINSTALLED');
  const available = apps.filter(({ state }) => state === 'UNINSTALLED');
  return (
    <div className="apps">
      <AppSection
        title={operationStrings.installedApps}
        apps={installedApps}
        none={operationStrings.noAppInstalled}
      />
      <AppSection
        title={operationStrings.availableApps}
        apps={available}
        none={operationStrings.allInstalled}
      />
    </div>
  );
}

const AppSection = ({ title, apps, none }: { title: string; apps: AppFactsFragment[]; none: string }) => (
  <section aria-label={title}>
    <h2>
      {title} <span className="quiet figures">{formatNumber(apps.length)}</span>
    </h2>
    {apps.length === 0 && <p className="quiet">{none}</p>}
    <ul className="apps-grid">
      {apps.map((app) => (
        <li key={app.name} className="card">
          <header>
            <Link to="/admin/apps/$name" params={{ name: app.name }}>
              {app.label}
            </Link>
            <StatusBadge tone={APP_TONES[app.state]}>{operationStrings.appStates[app.state]}</StatusBadge>
          </header>
          <p>{app.summary}</p>
          <p className="quiet small">
            {operationStrings.version(app.installedVersion ?? app.version)}
            {app.changes.includes('UPGRADE') && ` · ${operationStrings.availableVersion(app.version)}`}
          </p>
        </li>
      ))}
    </ul>
  </section>
);
