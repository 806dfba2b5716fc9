import './site.css';
import { type ReactNode, useMemo } from 'react';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Select } from '../ui/field.tsx';
import { SitesDocument, type SitesQuery } from './generated.ts';
import { siteStrings } from './strings.ts';

/** A website, and where it answers without a host of its own. */
export type Site = SitesQuery['websites']['nodes'][number] & { root: string };

interface SiteScreenProps {
  title: string;
  /** The operation that it cannot do without. */
  needs: string;
  /** The website that the address names. */
  at: string | undefined;
  onSite(site: string): void;
  actions?(site: Site): ReactNode;
  children(site: Site): ReactNode;
}

/** A screen about one website; where there are several, they can be chosen. */
export function SiteScreen({ title, needs, at, onSite, actions, children }: SiteScreenProps) {
  const { can } = useViewer();
  if (!can.has(needs))
    return (
      <Screen title={title} needs={needs}>
        {null}
      </Screen>
    );
  return <SiteContent title={title} at={at} onSite={onSite} actions={actions} render={children} />;
}

type SiteContentProps = Omit<SiteScreenProps, 'needs' | 'children'> & { render: SiteScreenProps['children'] };

function SiteContent({ title, at, onSite, actions, render }: SiteContentProps) {
  const { sites, refusal, reload } = useSites();
  const site = sites?.find(({ id }) => id === at) ?? sites?.[0];
  return (
    <Screen title={title} measure="broad" actions={site && actions?.(site)}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!sites && !refusal && <p role="status">{shellStrings.loading}</p>}
      {sites && !site && (
        <EmptyState title={siteStrings.noSite}>
          <p>{siteStrings.noSiteText}</p>
        </EmptyState>
      )}
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
      {site && <div key={site.id}>{render(site)}</div>}
    </Screen>
  );
}

/** The websites of the workspace, in their order. */
export function useSites() {
  const { workspace } = useViewer();
  const { data, refusal, reload } = useGraphqlQuery(SitesDocument, {});
  const sites = useMemo(
    () => data?.websites.nodes.map((site): Site => ({ ...site, root: `/site/${workspace.slug}~${site.id}` })),
    [data, workspace.slug],
  );
  return { sites, refusal, reload };
}
