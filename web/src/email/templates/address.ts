type SearchParams = Record<string, unknown>;

/** What the list of templates shows, as it stands behind `?`. */
export interface TemplatesView {
  /** Part of a name. */
  q?: string;
}

/** Pure. */
export const parseTemplatesView = ({ q }: SearchParams): TemplatesView => ({
  q: (typeof q === 'string' || typeof q === 'number') && q !== '' ? String(q) : undefined,
});

export const TEMPLATE_TABS = ['edit', 'preview', 'versions'] as const;
export type TemplateTab = (typeof TEMPLATE_TABS)[number];

/** How one template is shown. */
export interface TemplateView extends PreviewView {
  tab?: TemplateTab;
  /** Id of the version that is looked at. */
  version?: string;
}

/** How a preview is shown: what is not named is HTML on a desk and on light paper. */
export interface PreviewView {
  width?: 'phone';
  paper?: 'dark';
  part?: 'text';
}

/** Pure. */
export const parsePreviewView = ({ width, paper, part }: SearchParams): PreviewView => ({
  width: width === 'phone' ? width : undefined,
  paper: paper === 'dark' ? paper : undefined,
  part: part === 'text' ? part : undefined,
});

/** Pure. */
export const parseTemplateView = (given: SearchParams): TemplateView => ({
  ...parsePreviewView(given),
  tab: TEMPLATE_TABS.find((tab) => tab === given.tab),
  version: /^\d{1,15}$/.test(String(given.version)) ? String(given.version) : undefined,
});
