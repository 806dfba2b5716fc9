import { createChoiceParser, createViewParser, parseId, parseText } from '../../ui/input/search-params.ts';

export const parseTemplatesView = createViewParser({ q: parseText });

export const TEMPLATE_TABS = ['edit', 'preview', 'versions'] as const;

/** Defaults to HTML at desktop width on a light background. */
export const PREVIEW_PARSERS = {
  width: createChoiceParser(['phone']),
  paper: createChoiceParser(['dark']),
  part: createChoiceParser(['text']),
};

export const parsePreviewView = createViewParser(PREVIEW_PARSERS);

export type PreviewView = ReturnType<typeof parsePreviewView>;

export const parseTemplateView = createViewParser({
  ...PREVIEW_PARSERS,
  tab: createChoiceParser(TEMPLATE_TABS),
  version: parseId,
});

export type TemplateView = ReturnType<typeof parseTemplateView>;
