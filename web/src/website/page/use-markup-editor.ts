import { useEffect, useReducer } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useFormAction } from '../../shell/use-action.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import type { PageFacts, PageMarkup } from './facts.ts';
import { SiteMarkupSetDocument } from './generated.ts';
import { createMarkupDraft, isMarkupDirty, reduceMarkup } from './markup-draft.ts';

interface MarkupEditorOptions {
  site: Site;
  page: PageFacts;
  lang: string | undefined;
  /** The server's version. */
  markup: PageMarkup;
  /** Called with the page's current id. */
  onSaved(id: string): void;
}

export type MarkupEditor = ReturnType<typeof useMarkupEditor>;

/** Edits a page's markup. Other users' changes appear immediately, unless there are unsaved edits. */
export function useMarkupEditor({ site, page, lang, markup, onSaved }: MarkupEditorOptions) {
  const [draft, dispatch] = useReducer(reduceMarkup<PageMarkup>, markup, createMarkupDraft<PageMarkup>);
  const { isBusy, refusal, dismissRefusal, act } = useFormAction();
  const { base, arch } = draft;
  const isDirty = isMarkupDirty(draft);
  useEffect(() => {
    if (!isDirty && markup !== base) dispatch({ kind: 'follow', markup });
  }, [markup, base, isDirty]);
  const save = (expectedVersion: number) =>
    act(async () => {
      const variables = { id: page.id, site: site.id, lang, arch, expectedVersion };
      const { websiteMarkupSet } = await runMutation(SiteMarkupSetDocument, variables);
      const pageId = websiteMarkupSet!.id;
      const version = websiteMarkupSet!.view!.versions.nodes[0]!.number;
      dispatch({ kind: 'saved', pageId, arch, version });
      showToast(siteStrings.savedAs(version));
      onSaved(pageId);
    });
  return {
    base,
    arch,
    isDirty,
    isBusy,
    refusal,
    dismissRefusal,
    isInConflict: refusal?.argument === 'expectedVersion',
    dispatch,
    save,
    saveChanges: () => void (isDirty && !isBusy && save(base.version)),
    discard: () => dispatch({ kind: 'load', markup }),
  };
}
