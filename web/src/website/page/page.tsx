import './page.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useReloadOnChange } from '../../graphql/live.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { SITE_PAGE_TABS, type SitePageView } from '../address.ts';
import { type Site, useSites } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import { SitePageActions } from './actions.tsx';
import { SitePageConflict } from './conflict.tsx';
import type { PageFacts, PageGroups, PageMarkup } from './facts.ts';
import { SiteMarkupSetDocument, SitePageDocument, SitePageMarkupDocument } from './generated.ts';
import { SiteMarkup } from './markup.tsx';
import { SitePageProperties } from './properties.tsx';
import { SitePageVersions } from './versions.tsx';

export function SitePagePage() {
  const { id } = useParams({ from: '/website/pages/$id' });
  const view = useSearch({ from: '/website/pages/$id' });
  const { sites, refusal: sitesFailure, reload: reexecute } = useSites();
  const { data, refusal: pageFailure, reload } = useGraphqlQuery(SitePageDocument, { id, site: view.site });
  const page = data?.websitePage;
  const site = sites?.find((site) => site.id === (page?.websiteId ?? view.site)) ?? sites?.[0];
  const error = sitesFailure ?? pageFailure;
  if (page && site)
    return (
      <PageLoader
        key={`${site.id} ${view.lang}`}
        site={site}
        page={page}
        groups={data.groups.nodes}
        reload={reload}
      />
    );
  return (
    <Screen title={siteStrings.page} needs="websiteOutline">
      <Back site={view.site} />
      {error && <LoadError refusal={error} onAgain={sitesFailure ? reexecute : reload} />}
      {data && sites && <EmptyState title={siteStrings.pageNotFound} />}
      {!error && !(data && sites) && <Loading />}
    </Screen>
  );
}

const Back = ({ site }: { site: string | undefined }) => (
  <p>
    <Link to="/website" search={{ site }} className="site-back">
      ‹ {siteStrings.pages}
    </Link>
  </p>
);

interface PageLoaderProps {
  site: Site;
  page: PageFacts;
  groups: PageGroups;
  reload(): void;
}

function PageLoader({ site, page, groups, reload }: PageLoaderProps) {
  const { lang } = useSearch({ from: '/website/pages/$id' });
  const markupVariables = { id: page.id, site: site.id, lang };
  const { data, refusal, reload: reexecute } = useGraphqlQuery(SitePageMarkupDocument, markupVariables);
  const reloadAll = () => {
    reload();
    reexecute();
  };
  useReloadOnChange('website.page', reloadAll);
  useReloadOnChange('ir.ui.view', reloadAll);
  if (data)
    return (
      <PageEditor
        site={site}
        page={page}
        groups={groups}
        markup={data.websitePageMarkup}
        reload={reloadAll}
      />
    );
  return (
    <Screen title={page.name ?? siteStrings.page} needs="websiteOutline">
      <Back site={site.id} />
      {refusal ? <LoadError refusal={refusal} onAgain={reexecute} /> : <Loading />}
    </Screen>
  );
}

function PageEditor({ site, page, groups, markup, reload }: PageLoaderProps & { markup: PageMarkup }) {
  const view = useSearch({ from: '/website/pages/$id' });
  const navigate = useNavigate({ from: '/website/pages/$id' });
  const [base, setBase] = useState(markup);
  const [arch, setArch] = useState(markup.arch);
  const [isAnswered, setIsAnswered] = useState(false);
  const { isBusy, refusal, act } = useFormAction();
  const isDirty = arch !== base.arch;
  const loadMarkup = useCallback((next: PageMarkup) => {
    setBase(next);
    setArch(next.arch);
  }, []);
  useEffect(() => {
    // Changes by other users appear immediately, unless there are unsaved edits.
    if (isDirty || markup === base) return;
    if (markup.pageId !== base.pageId || markup.version >= base.version) loadMarkup(markup);
  }, [markup, base, isDirty, loadMarkup]);
  const followPage = (id: string) => {
    if (id !== page.id)
      void navigate({
        params: { id },
        search: (old: SitePageView) => old,
        replace: true,
        ignoreBlocker: true,
      });
  };
  const save = (expectedVersion: number) =>
    act(async () => {
      setIsAnswered(false);
      const variables = { id: page.id, site: site.id, lang: view.lang, arch, expectedVersion };
      const { websiteMarkupSet } = await runMutation(SiteMarkupSetDocument, variables);
      const version = websiteMarkupSet!.view!.versions.nodes[0]!.number;
      setBase({ ...base, pageId: websiteMarkupSet!.id, arch, version, hasOwn: true });
      showToast(siteStrings.savedAs(version));
      followPage(websiteMarkupSet!.id);
      reload();
    });
  const saveMine = () => void (isDirty && !isBusy && save(base.version));
  const show = (changedView: SitePageView) =>
    void navigate({ search: (old: SitePageView) => ({ ...old, ...changedView }), replace: true });
  const name = page.name || siteStrings.unnamed;
  const tab = view.tab ?? 'markup';
  return (
    <Screen
      title={name}
      needs="websiteOutline"
      actions={
        <SitePageActions site={site} page={page} markup={base} onChanged={reload} onFollow={followPage} />
      }
    >
      <Back site={site.id} />
      <UnsavedGuard isDirty={isDirty} />
      {page.websiteId === null && <p className="quiet small">{siteStrings.sharedText}</p>}
      <div className="site-page">
        <Tabs
          label={siteStrings.views}
          tabs={SITE_PAGE_TABS.map((sitePageTab) => [sitePageTab, siteStrings.tabs[sitePageTab]])}
          at={tab}
          onGo={(next) => show({ tab: next === 'markup' ? undefined : next, version: undefined })}
        >
          {tab === 'markup' && (
            <SiteMarkup
              site={site}
              name={name}
              markup={base}
              arch={arch}
              isDirty={isDirty}
              unsaved={refusal}
              view={view}
              show={show}
              onChange={setArch}
              onSave={saveMine}
            />
          )}
          {tab === 'properties' && (
            <SitePageProperties
              key={`${page.updatedAt} ${base.title} ${base.description}`}
              site={site}
              page={page}
              groups={groups}
              markup={base}
              lang={view.lang}
              onSaved={(id) => {
                followPage(id);
                reload();
              }}
            />
          )}
          {tab === 'versions' && (
            <SitePageVersions
              site={site}
              page={page}
              isDirty={isDirty}
              view={view}
              show={show}
              onRestored={reload}
            />
          )}
        </Tabs>
        {tab === 'markup' && (
          <div className="buttons site-save">
            <Button look="primary" isBusy={isBusy} disabled={!isDirty} onClick={saveMine}>
              {siteStrings.save}
            </Button>
            {isDirty && <Button onClick={() => loadMarkup(markup)}>{siteStrings.discard}</Button>}
            <span className="quiet small">{siteStrings.version(base.version)}</span>
          </div>
        )}
      </div>
      {refusal?.argument === 'expectedVersion' && !isAnswered && (
        <SitePageConflict
          id={page.id}
          site={site.id}
          lang={view.lang}
          onMine={save}
          onTheirs={(theirs) => {
            setIsAnswered(true);
            loadMarkup(theirs);
          }}
          onClose={() => setIsAnswered(true)}
        />
      )}
    </Screen>
  );
}
