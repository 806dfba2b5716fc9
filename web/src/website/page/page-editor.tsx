import { useNavigate, useSearch } from '@tanstack/react-router';
import { Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { Button } from '../../ui/button.tsx';
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
import { type MarkupEditor, useMarkupEditor } from './use-markup-editor.ts';
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
      needs="websiteOutline"
      actions={
        <SitePageActions site={site} page={page} markup={base} onChanged={reload} onFollow={followPage} />
      }
    >
      <BackToPagesLink site={site.id} />
      <UnsavedGuard isDirty={isDirty} />
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
        {tab === 'markup' && <MarkupButtons editor={editor} />}
      </div>
      {editor.isInConflict && <MarkupConflict site={site} page={page} lang={lang} editor={editor} />}
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

const MarkupButtons = ({ editor }: { editor: MarkupEditor }) => (
  <div className="buttons sticky">
    <Button look="primary" isBusy={editor.isBusy} disabled={!editor.isDirty} onClick={editor.saveChanges}>
      {siteStrings.save}
    </Button>
    {editor.isDirty && <Button onClick={editor.discard}>{siteStrings.discard}</Button>}
    <span className="quiet small">{siteStrings.version(editor.base.version)}</span>
  </div>
);

interface MarkupConflictProps extends Pick<PageEditorProps, 'site' | 'page'> {
  lang: string | undefined;
  editor: MarkupEditor;
}

const MarkupConflict = ({ site, page, lang, editor: { dispatch, save } }: MarkupConflictProps) => (
  <SitePageConflict
    id={page.id}
    site={site.id}
    lang={lang}
    onMine={save}
    onTheirs={(markup) => {
      dispatch({ kind: 'close-conflict' });
      dispatch({ kind: 'load', markup });
    }}
    onClose={() => dispatch({ kind: 'close-conflict' })}
  />
);
