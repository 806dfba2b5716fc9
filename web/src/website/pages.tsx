import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useReloadOnChange } from '../graphql/live.ts';
import { formatCount } from '../i18n/format.ts';
import { DialogOpener } from '../shell/action-buttons.tsx';
import { LoadStatus } from '../shell/loading.tsx';
import { SearchField } from '../shell/search-field.tsx';
import { useLiveQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { SiteListView } from './address.ts';
import { CreateSitePageDialog } from './create-page.tsx';
import { SitePagesDocument } from './generated.ts';
import { SitePageRow } from './page-row.tsx';
import { type Site, SiteScreen } from './site-screen.tsx';
import { siteStrings } from './strings.ts';

export function SitePages() {
  const view = useSearch({ from: '/website' });
  const navigate = useNavigate({ from: '/website' });
  return (
    <SiteScreen
      title={siteStrings.pages}
      at={view.site}
      onSite={(site) => void navigate({ search: { site } })}
      actions={(site) => (
        <DialogOpener look="primary" icon="plus" label={siteStrings.create}>
          {(onClose) => <CreateSitePageDialog site={site} onClose={onClose} />}
        </DialogOpener>
      )}
    >
      {(site) => <SitePageList site={site} view={view} />}
    </SiteScreen>
  );
}

/** Number of rows shown initially and added by each click on "more". */
const PAGE_SIZE = 100;

function SitePageList({ site, view: { q } }: { site: Site; view: SiteListView }) {
  const navigate = useNavigate({ from: '/website' });
  const { data, refusal, reload } = useLiveQuery(SitePagesDocument, { site: site.id }, 'website.page');
  const [limit, setLimit] = useState(PAGE_SIZE);
  useReloadOnChange('ir.ui.view', reload);
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { pages } = data.websiteOutline;
  const search = (text: string | undefined) =>
    void navigate({ search: (old: SiteListView) => ({ ...old, q: text }) });
  if (pages.length === 0) return <EmptyState title={siteStrings.none} text={siteStrings.noneText} />;
  const matches = q ? pages.filter(({ name, url }) => containsText(name, q) || containsText(url, q)) : pages;
  return (
    <div className="stack site-part">
      <search className="site-search">
        <SearchField hint={siteStrings.searchHint} value={q} onSearch={search} />
      </search>
      <p className="quiet small" role="status">
        {formatCount(matches.length, siteStrings.count)}
      </p>
      {matches.length === 0 && (
        <EmptyState title={siteStrings.noMatches}>
          <Button onClick={() => search(undefined)}>{siteStrings.showAll}</Button>
        </EmptyState>
      )}
      <ul className="card-list">
        {matches.slice(0, limit).map((page) => (
          <SitePageRow key={page.url} site={site} page={page} reload={reload} />
        ))}
      </ul>
      {matches.length > limit && (
        <Button onClick={() => setLimit(limit + PAGE_SIZE)}>
          {siteStrings.showMore(matches.length - limit)}
        </Button>
      )}
    </div>
  );
}

const containsText = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
