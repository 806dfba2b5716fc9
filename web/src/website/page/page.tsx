import './page.css';
import { useParams, useSearch } from '@tanstack/react-router';
import { useReloadOnChange } from '../../graphql/live.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Site, useSites } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import { BackToPagesLink } from './back-to-pages.tsx';
import type { PageFacts, PageGroups } from './facts.ts';
import { SitePageDocument, SitePageMarkupDocument } from './generated.ts';
import { PageEditor } from './page-editor.tsx';

export function SitePageScreen() {
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
    <Screen title={siteStrings.page}>
      <BackToPagesLink site={view.site} />
      {error && <LoadError refusal={error} onAgain={sitesFailure ? reexecute : reload} />}
      {data && sites && <EmptyState title={siteStrings.pageNotFound} />}
      {!error && !(data && sites) && <Loading />}
    </Screen>
  );
}

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
    <Screen title={page.name ?? siteStrings.page}>
      <BackToPagesLink site={site.id} />
      {refusal ? <LoadError refusal={refusal} onAgain={reexecute} /> : <Loading />}
    </Screen>
  );
}
