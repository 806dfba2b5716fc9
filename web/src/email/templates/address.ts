type SearchParams = Record<string, unknown>;

interface TemplatesView {
  q?: string;
}

export const parseTemplatesView = ({ q }: SearchParams): TemplatesView => ({
  q: (typeof q === 'string' || typeof q === 'number') && q !== '' ? String(q) : undefined,
});

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
  tab: TEMPLATE_TABS.find((tab) => tab === params.tab),
  version: /^\d{1,15}$/.test(String(params.version)) ? String(params.version) : undefined,
});
