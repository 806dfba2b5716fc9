import { Link } from '@tanstack/react-router';
import { runMutation } from '../graphql/client.ts';
import { formatInstant } from '../i18n/format.ts';
import { ActionButton, ConfirmButton } from '../shell/action-buttons.tsx';
import { runWithToast } from '../shell/run-with-toast.ts';
import { Icon } from '../ui/icon.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SitePageDeleteDocument, SitePagePublishDocument, type SitePagesQuery } from './generated.ts';
import type { Site } from './site-screen.tsx';
import { siteStrings } from './strings.ts';

type Page = SitePagesQuery['websiteOutline']['pages'][number];

export function SitePageRow({ site, page, reload }: { site: Site; page: Page; reload(): void }) {
  const { id, url, name, published, websiteSpecific } = page;
  const publish = async () => {
    await runMutation(SitePagePublishDocument, { site: site.id, id, published: !published });
    showToast(published ? siteStrings.unpublished(name) : siteStrings.publishedNotice(name));
    reload();
  };
  const remove = () => runWithToast(SitePageDeleteDocument, { id }, siteStrings.deleted(name)).then(reload);
  return (
    <li className="card">
      <div>
        <Link to="/website/pages/$id" params={{ id }} search={{ site: site.id }}>
          {name || siteStrings.unnamed}
        </Link>
        <p className="site-url" dir="ltr">
          {url}
        </p>
      </div>
      <PageStatus page={page} />
      <div className="buttons page-buttons">
        <ActionButton
          onAct={publish}
          aria-label={published ? siteStrings.unpublishNamed(name) : siteStrings.publishNamed(name)}
        >
          {published ? siteStrings.unpublish : siteStrings.publish}
        </ActionButton>
        <a
          className="button ghost square"
          href={`${site.root}${url}`}
          target="_blank"
          rel="noreferrer"
          aria-label={siteStrings.openNamed(name)}
          title={siteStrings.openNamed(name)}
        >
          <Icon name="external" />
        </a>
        <ConfirmButton
          isIcon
          label={siteStrings.deleteNamed(name)}
          disabled={!websiteSpecific}
          title={siteStrings.deleteTitle(name)}
          text={siteStrings.deleteText}
          yes={siteStrings.delete}
          onYes={remove}
        />
      </div>
    </li>
  );
}

function PageStatus({ page }: { page: Page }) {
  const { inMenu, indexed, visibility, websiteSpecific, changedAt } = page;
  const facts = [
    inMenu && siteStrings.inMenu,
    !indexed && siteStrings.notIndexed,
    visibility && getVisibilityName(visibility),
    !websiteSpecific && siteStrings.shared,
  ].filter(Boolean);
  return (
    <div className="site-facts">
      <PublishBadge page={page} />
      <p className="quiet small">
        {facts.map((fact) => `${fact} · `)}
        <Timestamp at={changedAt} format={siteStrings.changedAt} />
      </p>
    </div>
  );
}

const getVisibilityName = (visibility: string): string =>
  siteStrings.visibilities[visibility as keyof typeof siteStrings.visibilities] ?? visibility;

/** Shows the publication status. A published page may still be waiting for its publication time. */
function PublishBadge({ page: { published, publishAt } }: { page: Page }) {
  if (!published) return <StatusBadge tone="plain">{siteStrings.unpublishedState}</StatusBadge>;
  if (publishAt && Date.parse(publishAt) > Date.now())
    return <StatusBadge tone="waiting">{siteStrings.publishedFrom(formatInstant(publishAt))}</StatusBadge>;
  return <StatusBadge tone="good">{siteStrings.published}</StatusBadge>;
}
