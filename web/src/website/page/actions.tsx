import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useAct } from '../../shell/act.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { say } from '../../ui/toasts.tsx';
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
  const [asked, setAsked] = useState<'reset' | 'delete'>();
  const { isBusy, act } = useAct();
  const name = page.name || siteWords.unnamed;
  const named = { id: page.id, site: site.id };
  const publish = () =>
    act(async () => {
      const published = !page.isPublished;
      const { websitePagePublish } = await change(SitePageShowDocument, { ...named, published });
      say(published ? siteWords.wasPublished(name) : siteWords.wasHidden(name));
      onFollow(websitePagePublish!.id);
      onChanged();
    });
  const reset = () =>
    act(async () => {
      const { websitePageReset } = await change(SitePageResetDocument, named);
      say(siteWords.wasReset);
      onFollow(websitePageReset!.id);
      onChanged();
    });
  const remove = () =>
    act(async () => {
      await change(SitePageRemoveDocument, { id: page.id });
      say(siteWords.deleted(name));
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
      {markup.isCopy && <Button onClick={() => setAsked('reset')}>{siteWords.reset}</Button>}
      {page.websiteId !== null && !markup.isCopy && (
        <Button icon="trash" onClick={() => setAsked('delete')}>
          {siteWords.delete}
        </Button>
      )}
      {asked === 'reset' && (
        <Confirm
          title={siteWords.resetOf(name)}
          yes={siteWords.reset}
          no={shellWords.close}
          onYes={reset}
          onClose={() => setAsked(undefined)}
        >
          <p>{siteWords.resetText}</p>
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title={siteWords.deleteOf(name)}
          yes={siteWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={() => setAsked(undefined)}
        >
          <p>{siteWords.deleteText}</p>
        </Confirm>
      )}
    </div>
  );
}
