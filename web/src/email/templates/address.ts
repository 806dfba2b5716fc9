import { parseChoice, parseId, parseText, type SearchParams } from '../../ui/input/search-params.ts';

interface TemplatesView {
  q?: string;
}

export const parseTemplatesView = ({ q }: SearchParams): TemplatesView => ({ q: parseText(q) });

export const TEMPLATE_TABS = ['edit', 'preview', 'versions'] as const;
type TemplateTab = (typeof TEMPLATE_TABS)[number];

export interface TemplateView extends PreviewView {
  tab?: TemplateTab;
  version?: string;
}

/** Defaults to HTML at desktop width on a light background. */
export interface PreviewView {
  width?: 'phone';
  paper?: 'dark';
  part?: 'text';
}

export const parsePreviewView = ({ width, paper, part }: SearchParams): PreviewView => ({
  width: width === 'phone' ? width : undefined,
  paper: paper === 'dark' ? paper : undefined,
  part: part === 'text' ? part : undefined,
});

export const parseTemplateView = (params: SearchParams): TemplateView => ({
  ...parsePreviewView(params),
  tab: parseChoice(TEMPLATE_TABS, params.tab),
  version: parseId(params.version),
});
