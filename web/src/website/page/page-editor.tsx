import { useNavigate, useSearch } from '@tanstack/react-router';
import { SaveButtons } from '../../shell/save-buttons.tsx';
import { Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { SITE_PAGE_TABS, type SitePageView } from '../address.ts';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import { SitePageActions } from './actions.tsx';
import { BackToPagesLink } from './back-to-pages.tsx';
import { SitePageConflict } from './conflict.tsx';
import type { PageFacts, PageGroups, PageMarkup } from './facts.ts';
import { SiteMarkup } from './markup.tsx';
import { SitePageProperties } from './properties.tsx';
import { useMarkupEditor } from './use-markup-editor.ts';
import { SitePageVersions } from './versions.tsx';

interface PageEditorProps {
  site: Site;
  page: PageFacts;
  groups: PageGroups;
  markup: PageMarkup;
  reload(): void;
}

export function PageEditor({ site, page, groups, markup, reload }: PageEditorProps) {
  const view = useSearch({ from: '/website/pages/$id' });
  const { show, followPage } = usePageNavigation(page.id);
  const { lang } = view;
  const onSaved = (id: string) => {
    followPage(id);
    reload();
  };
  const editor = useMarkupEditor({ site, page, lang, markup, onSaved });
  const { base, isDirty } = editor;
  const name = page.name || siteStrings.unnamed;
  const tab = view.tab ?? 'markup';
  return (
    <Screen
      title={name}
      actions={
        <SitePageActions site={site} page={page} markup={base} onChanged={reload} onFollow={followPage} />
      }
    >
      <BackToPagesLink site={site.id} />
      <UnsavedGuard isDirty={isDirty} keepsInput={(search, next) => search.lang === next.lang} />
      {page.websiteId === null && <p className="quiet small">{siteStrings.sharedText}</p>}
      <div className="stack site-page">
        <Tabs
          label={siteStrings.views}
          tabs={SITE_PAGE_TABS.map((sitePageTab) => [sitePageTab, siteStrings.tabs[sitePageTab]])}
          at={tab}
          onGo={(next) => show({ tab: next === 'markup' ? undefined : next, version: undefined })}
        >
          {tab === 'markup' && <SiteMarkup site={site} name={name} editor={editor} view={view} show={show} />}
          {tab === 'properties' && (
            <SitePageProperties
              site={site}
              page={page}
              groups={groups}
              markup={base}
              lang={lang}
              onSaved={onSaved}
            />
          )}
          {tab === 'versions' && (
            <SitePageVersions
              site={site}
              page={page}
              isDirty={isDirty}
              view={view}
              show={show}
              onRestored={reload}
            />
          )}
        </Tabs>
        {tab === 'markup' && (
          <SaveButtons
            isSticky
            isBusy={editor.isBusy}
            isDirty={isDirty}
            onSave={editor.saveChanges}
            onDiscard={editor.discard}
          >
            <span className="quiet small">{siteStrings.version(base.version)}</span>
          </SaveButtons>
        )}
      </div>
      {editor.isInConflict && <SitePageConflict id={page.id} site={site.id} lang={lang} editor={editor} />}
    </Screen>
  );
}

function usePageNavigation(pageId: string) {
  const navigate = useNavigate({ from: '/website/pages/$id' });
  const show = (changes: SitePageView) =>
    void navigate({ search: (old: SitePageView) => ({ ...old, ...changes }), replace: true });
  /** Opens the copy that has replaced the page. */
  const followPage = (id: string) => {
    if (id === pageId) return;
    const search = (old: SitePageView) => old;
    void navigate({ params: { id }, search, replace: true, ignoreBlocker: true });
  };
  return { show, followPage };
}
