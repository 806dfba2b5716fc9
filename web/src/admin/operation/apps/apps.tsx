import { language } from '../../../i18n/language.ts';
import '../operation.css';
import './apps.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatNumber } from '../../../i18n/format.ts';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { usePoll } from '../../../shell/use-poll.ts';
import { shellWords } from '../../../shell/words.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { operationWords } from '../words.ts';
import { APPS_TABS } from './address.ts';
import { type AppFactsFragment, AppsDocument } from './generated.ts';
import { ReleaseNotes } from './release-notes.tsx';
import { APP_TONES } from './tones.ts';

/** What the workspace has installed, and what it could have. */
export function Apps() {
  const { tab = 'apps' } = useSearch({ from: '/admin/apps' });
  const navigate = useNavigate({ from: '/admin/apps' });
  return (
    <Screen title={operationWords.apps} needs="appPreview">
      <Tabs
        label={operationWords.apps}
        tabs={APPS_TABS.map((each) => [each, operationWords.appsTabs[each]])}
        at={tab}
        onGo={(next) => void navigate({ search: { tab: next } })}
      >
        {tab === 'apps' ? <List /> : <ReleaseNotes />}
      </Tabs>
    </Screen>
  );
}

function List() {
  const { data, refusal, reload } = useGraphqlQuery(AppsDocument, { lang: language });
  const apps = data?.apps ?? [];
  usePoll(
    apps.some(({ removal }) => removal !== null),
    reload,
  );
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const installed = apps.filter(({ state }) => state !== 'UNINSTALLED');
  const available = apps.filter(({ state }) => state === 'UNINSTALLED');
  return (
    <div className="apps">
      <AppSection
        title={operationWords.installedApps}
        apps={installed}
        none={operationWords.noAppInstalled}
      />
      <AppSection title={operationWords.availableApps} apps={available} none={operationWords.allInstalled} />
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
            <StatusBadge tone={APP_TONES[app.state]}>{operationWords.appStates[app.state]}</StatusBadge>
          </header>
          <p>{app.summary}</p>
          <p className="quiet small">
            {operationWords.version(app.installedVersion ?? app.version)}
            {app.changes.includes('UPGRADE') && ` · ${operationWords.canUpgrade(app.version)}`}
          </p>
        </li>
      ))}
    </ul>
  </section>
);
