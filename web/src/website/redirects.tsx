import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { useReloadOnChange } from '../graphql/live.ts';
import { Confirm } from '../shell/dialogs/confirm.tsx';
import { Loading } from '../shell/loading.tsx';
import { LoadError } from '../shell/screen.tsx';
import { SearchField } from '../shell/search-field.tsx';
import { useAction } from '../shell/use-action.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { showToast } from '../ui/toasts.tsx';
import type { SiteListView } from './address.ts';
import { SiteRedirectDeleteDocument, SiteRedirectsDocument } from './generated.ts';
import { type Redirect, SiteRedirectForm } from './redirect-form.tsx';
import { SiteRedirectTest } from './redirect-test.tsx';
import { type Site, SiteScreen } from './site-screen.tsx';
import { siteStrings } from './strings.ts';

export function SiteRedirects() {
  const view = useSearch({ from: '/website/redirects' });
  const navigate = useNavigate({ from: '/website/redirects' });
  const [form, setForm] = useState<EditedRedirect>();
  return (
    <SiteScreen
      title={siteStrings.redirects}
      needs="websiteRedirectAdd"
      at={view.site}
      onSite={(site) => void navigate({ search: { site } })}
      actions={() => <AddRedirectButton onClick={() => setForm('new')} />}
    >
      {(site) => <RedirectList site={site} view={view} form={form} setForm={setForm} />}
    </SiteScreen>
  );
}

const AddRedirectButton = ({ onClick }: { onClick(): void }) => (
  <Button look="primary" icon="plus" onClick={onClick}>
    {siteStrings.redirectAdd}
  </Button>
);

/** The server's page size limit. */
const MAX_REDIRECTS = 500;

type EditedRedirect = Redirect | 'new' | undefined;

interface RedirectListProps {
  site: Site;
  view: SiteListView;
  form: EditedRedirect;
  setForm(form: EditedRedirect): void;
}

function RedirectList({ site, view: { q }, form, setForm }: RedirectListProps) {
  const navigate = useNavigate({ from: '/website/redirects' });
  const { data, refusal, reload } = useGraphqlQuery(SiteRedirectsDocument, {
    site: site.id,
    q,
    first: MAX_REDIRECTS,
  });
  const [deleted, setDeleted] = useState<Redirect>();
  const { act } = useAction();
  useReloadOnChange('website.rewrite', reload);
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <Loading />;
  const { nodes, totalCount } = data.websiteRewrites;
  const search = (text: string | undefined) =>
    void navigate({ search: (old: SiteListView) => ({ ...old, q: text }) });
  const remove = ({ id, urlFrom }: Redirect) =>
    act(async () => {
      await runMutation(SiteRedirectDeleteDocument, { id });
      showToast(siteStrings.deleted(urlFrom));
      reload();
    });
  return (
    <div className="site-part">
      <p className="quiet">{siteStrings.redirectsText}</p>
      <SiteRedirectTest site={site} />
      {(totalCount > 0 || q) && (
        <search className="site-search">
          <SearchField
            label={siteStrings.search}
            hint={siteStrings.redirectSearchHint}
            value={q}
            onSearch={search}
          />
        </search>
      )}
      {totalCount === 0 && (
        <EmptyState title={q ? siteStrings.noMatchingRedirects : siteStrings.redirectNone}>
          {q ? (
            <Button onClick={() => search(undefined)}>{siteStrings.showAll}</Button>
          ) : (
            <>
              <p>{siteStrings.redirectNoneText}</p>
              <AddRedirectButton onClick={() => setForm('new')} />
            </>
          )}
        </EmptyState>
      )}
      <ul className="site-rows">
        {nodes.map((redirect) => (
          <li key={redirect.id} className="card">
            <div>
              <p className="site-url" dir="ltr">
                {redirect.urlFrom} → {redirect.urlTo}
              </p>
              <p className="quiet small">{siteStrings.types[redirect.redirectType]}</p>
            </div>
            {!redirect.active && <StatusBadge tone="plain">{siteStrings.off}</StatusBadge>}
            <div className="buttons">
              <Button
                icon="pen"
                aria-label={siteStrings.redirectChange(redirect.urlFrom)}
                onClick={() => setForm(redirect)}
              >
                {siteStrings.change}
              </Button>
              <Button
                icon="trash"
                aria-label={siteStrings.deleteEntry(redirect.urlFrom)}
                onClick={() => setDeleted(redirect)}
              >
                {siteStrings.delete}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {totalCount > nodes.length && (
        <p className="quiet small">{siteStrings.showingFirst(nodes.length, totalCount)}</p>
      )}
      {form && (
        <SiteRedirectForm
          site={site}
          redirect={form === 'new' ? undefined : form}
          onSaved={reload}
          onClose={() => setForm(undefined)}
        />
      )}
      {deleted && (
        <Confirm
          title={siteStrings.deleteTitle(deleted.urlFrom)}
          yes={siteStrings.delete}
          onYes={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>{siteStrings.redirectDeleteText}</p>
        </Confirm>
      )}
    </div>
  );
}
