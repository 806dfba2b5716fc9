import './site.css';
import { type ReactNode, useMemo } from 'react';
import { Loading } from '../shell/loading.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Select } from '../ui/form/field.tsx';
import { SitesDocument, type SitesQuery } from './generated.ts';
import { siteStrings } from './strings.ts';

/** `root` is the path under which the website is served without its own domain. */
export type Site = SitesQuery['websites']['nodes'][number] & { root: string };

interface SiteScreenProps {
  title: string;
  at: string | undefined;
  onSite(site: string): void;
  actions?(site: Site): ReactNode;
  children(site: Site): ReactNode;
}

/** Adds a drop-down if the workspace has several websites. */
export function SiteScreen({ title, at, onSite, actions, children }: SiteScreenProps) {
  const { sites, refusal, reload } = useSites();
  const site = sites?.find(({ id }) => id === at) ?? sites?.[0];
  return (
    <Screen title={title} actions={site && actions?.(site)}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!sites && !refusal && <Loading />}
      {sites && !site && <EmptyState title={siteStrings.noSite} text={siteStrings.noSiteText} />}
      {sites && sites.length > 1 && (
        <div className="site-choice">
          <Select
            label={siteStrings.site}
            value={site!.id}
            options={sites.map(
              ({ id, name, domain }) => [id, domain ? `${name} · ${domain}` : name] as const,
            )}
            onChange={({ target }) => onSite(target.value)}
          />
        </div>
      )}
      {site && <div key={site.id}>{children(site)}</div>}
    </Screen>
  );
}

export function useSites() {
  const { workspace } = useViewer();
  const { data, refusal, reload } = useGraphqlQuery(SitesDocument, {});
  const sites = useMemo(
    () => data?.websites.nodes.map((site): Site => ({ ...site, root: `/site/${workspace.slug}~${site.id}` })),
    [data, workspace.slug],
  );
  return { sites, refusal, reload };
}
