import { Suspense } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { ActionButton } from '../../shell/action-buttons.tsx';
import { Loading, LoadStatus } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { SitePageView } from '../address.ts';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import type { PageFacts } from './facts.ts';
import {
  SitePageRestoreDocument,
  SitePageVersionDocument,
  type SitePageVersionQuery,
  SitePageVersionsDocument,
} from './generated.ts';
import { SitePreview } from './preview.tsx';
import { useSitePreview } from './use-site-preview.ts';

const CodeEditor = lazy(() => import('../../ui/code-editor.tsx'), 'CodeEditor');

interface SitePageVersionsProps {
  site: Site;
  page: PageFacts;
  isDirty: boolean;
  view: SitePageView;
  show(changes: SitePageView): void;
  onRestored(): void;
}

const MAX_VERSIONS = 100;

export function SitePageVersions({ site, page, isDirty, view, show, onRestored }: SitePageVersionsProps) {
  const variables = { view: page.view!.id, first: MAX_VERSIONS };
  const { data, refusal, reload } = useGraphqlQuery(SitePageVersionsDocument, variables);
  const restore = async (version: string) => {
    await runMutation(SitePageRestoreDocument, { id: page.id, site: site.id, version });
    showToast(siteStrings.restored);
    reload();
    onRestored();
  };
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { nodes } = data.websiteVersions;
  if (nodes.length === 0) return <EmptyState title={siteStrings.noVersions} />;
  const several = new Set(nodes.map(({ lang }) => lang)).size > 1;
  return (
    <div className="stack site-part">
      <p className="quiet">{siteStrings.versionsText}</p>
      {isDirty && <p>{siteStrings.saveFirst}</p>}
      <ul className="card-list">
        {nodes.map(({ id, number, lang, createdAt, createdBy }, index) => (
          <li key={id} className="card">
            <div>
              <strong>{siteStrings.version(number)}</strong>{' '}
              <span className="quiet small">
                <time dateTime={createdAt}>{formatInstant(createdAt)}</time>
                {createdBy && ` ${siteStrings.by(createdBy.displayName)}`}
                {several && ` · ${lang}`}
              </span>
            </div>
            {index === 0 && <StatusBadge tone="good">{siteStrings.current}</StatusBadge>}
            <div className="buttons">
              {index > 0 && !isDirty && (
                <ActionButton aria-label={siteStrings.restoreVersion(number)} onAct={() => restore(id)}>
                  {siteStrings.restore}
                </ActionButton>
              )}
              <Button
                aria-pressed={view.version === id}
                aria-label={siteStrings.viewVersion(number)}
                onClick={() => show({ version: view.version === id ? undefined : id })}
              >
                {siteStrings.view}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {view.version && <Version site={site} page={page} id={view.version} view={view} show={show} />}
    </div>
  );
}

type VersionProps = Pick<SitePageVersionsProps, 'site' | 'page' | 'view' | 'show'>;

function Version({ id, ...rest }: VersionProps & { id: string }) {
  const { data, refusal, reload } = useGraphqlQuery(SitePageVersionDocument, { id });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  if (!data.websiteVersion) return <EmptyState title={siteStrings.versionNotFound} />;
  return <VersionPreview key={id} version={data.websiteVersion} {...rest} />;
}

type SiteVersion = NonNullable<SitePageVersionQuery['websiteVersion']>;

function VersionPreview({ site, page, view, show, version }: VersionProps & { version: SiteVersion }) {
  const { number, arch, lang } = version;
  const name = page.name || siteStrings.unnamed;
  const { renderedPreview, refusal } = useSitePreview({ site: site.id, name, arch, lang });
  const label = siteStrings.version(number);
  return (
    <section className="stack site-part" aria-label={label}>
      <h2>{label}</h2>
      {refusal && <p role="alert">{refusal.message}</p>}
      <div className="site-editing">
        <div className="site-code">
          <Suspense fallback={<Loading />}>
            <CodeEditor
              label={label}
              value={arch}
              errorPosition={null}
              goes={0}
              isReadOnly
              onChange={ignoreChange}
            />
          </Suspense>
        </div>
        <SitePreview
          site={site}
          name={name}
          renderedPreview={renderedPreview}
          isOld={refusal !== null}
          view={view}
          show={show}
        />
      </div>
    </section>
  );
}

/** The preview is read-only. */
const ignoreChange = (): void => {};
