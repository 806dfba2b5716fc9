import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmButton } from '../shell/action-buttons.tsx';
import { LoadStatus } from '../shell/loading.tsx';
import { runWithToast } from '../shell/run-with-toast.ts';
import { SearchField } from '../shell/search-field.tsx';
import { useLiveQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
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
  const { data, refusal, reload } = useLiveQuery(
    SiteRedirectsDocument,
    {
      site: site.id,
      q,
      first: MAX_REDIRECTS,
    },
    'website.rewrite',
  );
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { nodes, totalCount } = data.websiteRewrites;
  const search = (text: string | undefined) =>
    void navigate({ search: (old: SiteListView) => ({ ...old, q: text }) });
  return (
    <div className="stack site-part">
      <p className="quiet">{siteStrings.redirectsText}</p>
      <SiteRedirectTest site={site} />
      {(totalCount > 0 || q) && (
        <search className="site-search">
          <SearchField hint={siteStrings.redirectSearchHint} value={q} onSearch={search} />
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
      <ul className="card-list">
        {nodes.map((redirect) => (
          <RedirectRow
            key={redirect.id}
            redirect={redirect}
            onChange={() => setForm(redirect)}
            reload={reload}
          />
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
    </div>
  );
}

interface RedirectRowProps {
  redirect: Redirect;
  onChange(): void;
  reload(): void;
}

function RedirectRow({ redirect, onChange, reload }: RedirectRowProps) {
  const { id, urlFrom, urlTo, redirectType, active } = redirect;
  const remove = () =>
    runWithToast(SiteRedirectDeleteDocument, { id }, siteStrings.deleted(urlFrom)).then(reload);
  return (
    <li className="card">
      <div>
        <p className="site-url" dir="ltr">
          {urlFrom} → {urlTo}
        </p>
        <p className="quiet small">{siteStrings.types[redirectType]}</p>
      </div>
      {!active && <StatusBadge tone="plain">{siteStrings.off}</StatusBadge>}
      <div className="buttons">
        <Button icon="pen" aria-label={siteStrings.redirectChange(urlFrom)} onClick={onChange}>
          {siteStrings.edit}
        </Button>
        <ConfirmButton
          icon="trash"
          label={siteStrings.delete}
          aria-label={siteStrings.deleteNamed(urlFrom)}
          title={siteStrings.deleteTitle(urlFrom)}
          text={siteStrings.redirectDeleteText}
          onYes={remove}
        />
      </div>
    </li>
  );
}
