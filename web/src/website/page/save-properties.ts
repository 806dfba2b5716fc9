import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import type { PageFacts } from './facts.ts';
import {
  SitePageMenuDocument,
  SitePageMenusDeleteDocument,
  SitePageRedirectDocument,
  SitePageSetDocument,
  SitePageShowDocument,
} from './generated.ts';
import { computeChanges, type PageFormValues } from './property-changes.ts';

/** Saves the changed properties. @returns the page's current id */
export async function saveProperties(
  site: Site,
  page: PageFacts,
  before: PageFormValues,
  values: PageFormValues,
  lang: string | undefined,
): Promise<string> {
  const params = { site: site.id };
  let { id, url } = page;
  const changes = computeChanges(before, values);
  if (Object.keys(changes).length > 0) {
    const { websitePageUpdate } = await runMutation(SitePageSetDocument, { id, ...params, ...changes, lang });
    id = websitePageUpdate!.id;
    url = websitePageUpdate!.url;
  }
  const { isPublished, isIndexed } = values;
  if (isPublished !== before.isPublished || isIndexed !== before.isIndexed) {
    const result = await runMutation(SitePageShowDocument, {
      id,
      ...params,
      published: isPublished,
      indexed: isIndexed,
    });
    id = result.websitePagePublish!.id;
  }
  if (values.inMenu && !before.inMenu)
    await runMutation(SitePageMenuDocument, { ...params, name: values.name, url });
  if (!values.inMenu && before.inMenu)
    await runMutation(SitePageMenusDeleteDocument, { ids: page.menus.nodes.map((menu) => menu.id) });
  if (values.redirect && url !== page.url) await addRedirect(site, page.url, url);
  return id;
}

/** A failed redirect is only reported, because the page has already moved. */
async function addRedirect(site: Site, urlFrom: string, urlTo: string): Promise<void> {
  try {
    await runMutation(SitePageRedirectDocument, { site: site.id, urlFrom, urlTo });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showErrorToast(siteStrings.redirectFailed(error.failure.message));
  }
}
