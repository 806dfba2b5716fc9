import { getText } from '../../ui/form/form.tsx';
import { toLocalInput } from '../../ui/input/local-input.ts';
import type { PageFacts, PageMarkup } from './facts.ts';
import type { SitePageSetMutationVariables } from './generated.ts';

export const parseForm = (form: FormData) => ({
  name: getText(form, 'name'),
  url: getText(form, 'url'),
  /** Creates a redirect from the old URL. */
  redirect: form.has('redirect'),
  inMenu: form.has('inMenu'),
  isPublished: form.has('isPublished'),
  /** Local time, such as `2026-11-24T08:30`. */
  publishAt: getText(form, 'publishAt'),
  visibility: getText(form, 'visibility'),
  groupId: getText(form, 'visibility') === 'restricted_group' ? getText(form, 'groupId') : '',
  isIndexed: form.has('isIndexed'),
  title: getText(form, 'title'),
  metaDescription: getText(form, 'metaDescription'),
  image: getText(form, 'image'),
});

export type PageFormValues = ReturnType<typeof parseForm>;

export const toFormValues = (page: PageFacts, { title, description }: PageMarkup): PageFormValues => ({
  name: page.name ?? '',
  url: page.url,
  redirect: false,
  inMenu: page.menus.nodes.length > 0,
  isPublished: page.isPublished,
  publishAt: page.datePublish ? toLocalInput(page.datePublish) : '',
  visibility: page.view?.visibility?.toLowerCase() ?? '',
  groupId: page.view?.visibilityGroupId ?? '',
  isIndexed: page.websiteIndexed,
  title: title ?? '',
  metaDescription: description ?? '',
  image: page.view?.websiteMetaOgImg ?? '',
});

type PageChanges = Omit<SitePageSetMutationVariables, 'id' | 'site' | 'lang' | 'expectedVersion'>;

/** Returns the arguments of an update. Null clears a property. Omitted properties stay unchanged. */
export function computeChanges(before: PageFormValues, now: PageFormValues): PageChanges {
  const changes: PageChanges = {};
  for (const name of ['name', 'title', 'metaDescription', 'image', 'visibility', 'groupId'] as const)
    if (now[name] !== before[name]) changes[name] = now[name] || null;
  if (now.url !== before.url) changes.newUrl = now.url;
  if (now.publishAt !== before.publishAt)
    changes.publishAt = now.publishAt === '' ? null : new Date(now.publishAt).toISOString();
  if (now.isPublished !== before.isPublished) changes.published = now.isPublished;
  if (now.isIndexed !== before.isIndexed) changes.indexed = now.isIndexed;
  return changes;
}
