interface SavedMarkup {
  pageId: string;
  arch: string;
  version: number;
  hasOwn: boolean;
}

interface MarkupDraft<Markup extends SavedMarkup> {
  /** The version that the edits are based on. */
  base: Markup;
  arch: string;
}

type MarkupEvent<Markup extends SavedMarkup> =
  | { kind: 'edit'; arch: string }
  | { kind: 'load'; markup: Markup }
  /** Shows another user's change, unless there are unsaved edits or the change is older than the last save. */
  | { kind: 'follow'; markup: Markup }
  /** Saving can replace the page with a copy, which has a new id. */
  | { kind: 'saved'; pageId: string; arch: string; version: number };

export const createMarkupDraft = <Markup extends SavedMarkup>(base: Markup): MarkupDraft<Markup> => ({
  base,
  arch: base.arch,
});

export const isMarkupDirty = ({ arch, base }: MarkupDraft<SavedMarkup>): boolean => arch !== base.arch;

export function reduceMarkup<Markup extends SavedMarkup>(
  draft: MarkupDraft<Markup>,
  event: MarkupEvent<Markup>,
): MarkupDraft<Markup> {
  switch (event.kind) {
    case 'edit':
      return { ...draft, arch: event.arch };
    case 'load':
      return { ...draft, base: event.markup, arch: event.markup.arch };
    case 'follow': {
      const { markup } = event;
      const { base } = draft;
      const isNew = markup !== base && (markup.pageId !== base.pageId || markup.version >= base.version);
      return isNew && !isMarkupDirty(draft) ? reduceMarkup(draft, { kind: 'load', markup }) : draft;
    }
    case 'saved': {
      const { pageId, arch, version } = event;
      return { ...draft, base: { ...draft.base, pageId, arch, version, hasOwn: true } };
    }
  }
}
