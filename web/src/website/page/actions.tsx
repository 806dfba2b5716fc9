import { useNavigate } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { ActionButton, ConfirmButton } from '../../shell/action-buttons.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { SitePageDeleteDocument, SitePagePublishDocument } from '../generated.ts';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import type { PageFacts, PageMarkup } from './facts.ts';
import { SitePageResetDocument } from './generated.ts';

interface SitePageActionsProps {
  site: Site;
  page: PageFacts;
  markup: PageMarkup;
  onChanged(): void;
  /** Called if the page was replaced with a copy or with its original, which has another id. */
  onFollow(id: string): void;
}

export function SitePageActions(props: SitePageActionsProps) {
  const { site, page, markup } = props;
  const { publish, reset, remove } = usePageActions(props);
  const name = page.name || siteStrings.unnamed;
  return (
    <div className="buttons site-actions">
      <StatusBadge tone={page.isPublished ? 'good' : 'plain'}>
        {page.isPublished ? siteStrings.published : siteStrings.unpublishedState}
      </StatusBadge>
      <ActionButton onAct={publish}>
        {page.isPublished ? siteStrings.unpublish : siteStrings.publish}
      </ActionButton>
      <a
        className="button"
        href={`${site.root}${page.url}`}
        target="_blank"
        rel="noreferrer"
        aria-label={siteStrings.openNamed(name)}
      >
        <Icon name="external" />
        {siteStrings.open}
      </a>
      {markup.isCopy && (
        <ConfirmButton
          label={siteStrings.reset}
          title={siteStrings.resetOf(name)}
          text={siteStrings.resetText}
          onYes={reset}
        />
      )}
      {page.websiteId !== null && !markup.isCopy && (
        <ConfirmButton
          icon="trash"
          label={siteStrings.delete}
          title={siteStrings.deleteTitle(name)}
          text={siteStrings.deleteText}
          onYes={remove}
        />
      )}
    </div>
  );
}

function usePageActions({ site, page, onChanged, onFollow }: SitePageActionsProps) {
  const name = page.name || siteStrings.unnamed;
  const navigate = useNavigate();
  const pageRef = { id: page.id, site: site.id };
  const publish = async () => {
    const published = !page.isPublished;
    const { websitePagePublish } = await runMutation(SitePagePublishDocument, { ...pageRef, published });
    showToast(published ? siteStrings.publishedNotice(name) : siteStrings.unpublished(name));
    onFollow(websitePagePublish!.id);
    onChanged();
  };
  const reset = async () => {
    const { websitePageReset } = await runWithToast(SitePageResetDocument, pageRef, siteStrings.pageReset);
    onFollow(websitePageReset!.id);
    onChanged();
  };
  const remove = async () => {
    await runWithToast(SitePageDeleteDocument, { id: page.id }, siteStrings.deleted(name));
    await navigate({ to: '/website', search: { site: site.id }, ignoreBlocker: true });
  };
  return { publish, reset, remove };
}
