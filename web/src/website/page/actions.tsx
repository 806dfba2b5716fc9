import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useAction } from '../../shell/use-action.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { Site } from '../site-screen.tsx';
import { siteWords } from '../words.ts';
import type { PageFacts, PageMarkup } from './facts.ts';
import { SitePageRemoveDocument, SitePageResetDocument, SitePageShowDocument } from './generated.ts';

interface SitePageActionsProps {
  site: Site;
  page: PageFacts;
  markup: PageMarkup;
  onChanged(): void;
  /** The page has another id now: that of a copy, or of what it is a copy of. */
  onFollow(id: string): void;
}

/** What can be done with a page as it is saved. */
export function SitePageActions({ site, page, markup, onChanged, onFollow }: SitePageActionsProps) {
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<'reset' | 'delete'>();
  const { isBusy, act } = useAction();
  const name = page.name || siteWords.unnamed;
  const pageRef = { id: page.id, site: site.id };
  const publish = () =>
    act(async () => {
      const published = !page.isPublished;
      const { websitePagePublish } = await runMutation(SitePageShowDocument, { ...pageRef, published });
      showToast(published ? siteWords.wasPublished(name) : siteWords.wasHidden(name));
      onFollow(websitePagePublish!.id);
      onChanged();
    });
  const reset = () =>
    act(async () => {
      const { websitePageReset } = await runMutation(SitePageResetDocument, pageRef);
      showToast(siteWords.wasReset);
      onFollow(websitePageReset!.id);
      onChanged();
    });
  const remove = () =>
    act(async () => {
      await runMutation(SitePageRemoveDocument, { id: page.id });
      showToast(siteWords.deleted(name));
      await navigate({ to: '/website', search: { site: site.id }, ignoreBlocker: true });
    });
  return (
    <div className="buttons site-actions">
      <StatusBadge tone={page.isPublished ? 'good' : 'plain'}>
        {page.isPublished ? siteWords.published : siteWords.notPublished}
      </StatusBadge>
      <Button isBusy={isBusy} onClick={publish}>
        {page.isPublished ? siteWords.hide : siteWords.publish}
      </Button>
      <a
        className="button"
        href={`${site.root}${page.url}`}
        target="_blank"
        rel="noreferrer"
        aria-label={siteWords.openOf(name)}
      >
        <Icon name="external" />
        {siteWords.open}
      </a>
      {markup.isCopy && <Button onClick={() => setOpenDialog('reset')}>{siteWords.reset}</Button>}
      {page.websiteId !== null && !markup.isCopy && (
        <Button icon="trash" onClick={() => setOpenDialog('delete')}>
          {siteWords.delete}
        </Button>
      )}
      {openDialog === 'reset' && (
        <Confirm
          title={siteWords.resetOf(name)}
          yes={siteWords.reset}
          no={shellWords.close}
          onYes={reset}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>{siteWords.resetText}</p>
        </Confirm>
      )}
      {openDialog === 'delete' && (
        <Confirm
          title={siteWords.deleteOf(name)}
          yes={siteWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>{siteWords.deleteText}</p>
        </Confirm>
      )}
    </div>
  );
}
