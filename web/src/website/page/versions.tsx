import { lazy, Suspense } from 'react';
import { change } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Loading } from '../../shell/loading.tsx';
import { Failed } from '../../shell/screen.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { say } from '../../ui/toasts.tsx';
import type { SitePageView } from '../address.ts';
import type { Site } from '../site-screen.tsx';
import { siteWords } from '../words.ts';
import type { PageFacts } from './facts.ts';
import {
  SitePageRestoreDocument,
  SitePageVersionDocument,
  type SitePageVersionQuery,
  SitePageVersionsDocument,
} from './generated.ts';
import { SitePreview } from './preview.tsx';
import { useSitePreview } from './use-preview.ts';

const CodeEditor = lazy(() =>
  import('../../ui/code-editor.tsx').then((module) => ({ default: module.CodeEditor })),
);

interface SitePageVersionsProps {
  site: Site;
  page: PageFacts;
  isDirty: boolean;
  view: SitePageView;
  show(changes: SitePageView): void;
  onRestored(): void;
}

/** As many as are kept. */
const MOST = 100;

/** What a page was, the newest first; the open one is shown below. */
export function SitePageVersions({ site, page, isDirty, view, show, onRestored }: SitePageVersionsProps) {
  const asked = { view: page.view!.id, first: MOST };
  const { data, refusal, reload } = useAnswer(SitePageVersionsDocument, asked);
  const { isBusy, act } = useAct();
  const restore = (version: string) =>
    act(async () => {
      await change(SitePageRestoreDocument, { id: page.id, site: site.id, version });
      say(siteWords.restored);
      reload();
      onRestored();
    });
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { nodes } = data.websiteVersions;
  if (nodes.length === 0) return <Empty title={siteWords.noVersions} />;
  const several = new Set(nodes.map(({ lang }) => lang)).size > 1;
  return (
    <div className="site-part">
      <p className="quiet">{siteWords.versionsText}</p>
      {isDirty && <p>{siteWords.saveFirst}</p>}
      <ul className="site-rows">
        {nodes.map(({ id, number, lang, createdAt, createdBy }, at) => (
          <li key={id} className="card">
            <div>
              <strong>{siteWords.version(number)}</strong>{' '}
              <span className="quiet small">
                <time dateTime={createdAt}>{formatInstant(createdAt)}</time>
                {createdBy && ` ${siteWords.by(createdBy.displayName)}`}
                {several && ` · ${lang}`}
              </span>
            </div>
            {at === 0 && <StatusBadge tone="good">{siteWords.current}</StatusBadge>}
            <div className="buttons">
              {at > 0 && !isDirty && (
                <Button isBusy={isBusy} aria-label={siteWords.restoreOf(number)} onClick={() => restore(id)}>
                  {siteWords.restore}
                </Button>
              )}
              <Button
                aria-pressed={view.version === id}
                aria-label={siteWords.lookAt(number)}
                onClick={() => show({ version: view.version === id ? undefined : id })}
              >
                {siteWords.look}
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
  const { data, refusal, reload } = useAnswer(SitePageVersionDocument, { id });
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  if (!data.websiteVersion) return <Empty title={siteWords.noVersion} />;
  return <Rendered key={id} version={data.websiteVersion} {...rest} />;
}

type Kept = NonNullable<SitePageVersionQuery['websiteVersion']>;

function Rendered({ site, page, view, show, version }: VersionProps & { version: Kept }) {
  const { number, arch, lang } = version;
  const name = page.name || siteWords.unnamed;
  const { shown, refusal } = useSitePreview({ site: site.id, name, arch, lang });
  const label = siteWords.version(number);
  return (
    <section className="site-part" aria-label={label}>
      <h2>{label}</h2>
      {refusal && <p role="alert">{refusal.message}</p>}
      <div className="site-editing">
        <div className="site-code">
          <Suspense fallback={<Loading />}>
            <CodeEditor label={label} value={arch} wrong={null} goes={0} isReadOnly onChange={ignored} />
          </Suspense>
        </div>
        <SitePreview site={site} name={name} shown={shown} isOld={refusal !== null} view={view} show={show} />
      </div>
    </section>
  );
}

/** It is only looked at. */
const ignored = (): void => {};
