import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { SiteMenuAddDocument, SiteRedirectAddDocument } from '../generated.ts';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import type { PageFacts } from './facts.ts';
import { SitePageMenusDeleteDocument, SitePageSetDocument } from './generated.ts';
import { computeChanges, type PageFormValues } from './property-changes.ts';

interface PropertyEdit {
  site: Site;
  /** The page that the edit is based on. */
  page: PageFacts;
  before: PageFormValues;
  values: PageFormValues;
  lang: string | undefined;
  expectedVersion: number | undefined;
}

/** Saves the changed properties. @returns the page's current id and version */
export async function saveProperties(edit: PropertyEdit): Promise<{ id: string; version: number }> {
  const { site, page, before, values, lang, expectedVersion } = edit;
  const params = { site: site.id };
  let { id, version } = page;
  let { url } = before;
  const changes = computeChanges(before, values);
  if (Object.keys(changes).length > 0) {
    const variables = { id, ...params, ...changes, lang, expectedVersion };
    const { websitePageUpdate } = await runMutation(SitePageSetDocument, variables);
    id = websitePageUpdate!.id;
    url = websitePageUpdate!.url;
    version = websitePageUpdate!.version;
  }
  if (values.inMenu && !before.inMenu)
    await runMutation(SiteMenuAddDocument, { ...params, name: values.name, url });
  if (!values.inMenu && before.inMenu)
    await runMutation(SitePageMenusDeleteDocument, { ids: page.menus.nodes.map((menu) => menu.id) });
  if (values.redirect && url !== before.url) await addRedirect(site, before.url, url);
  return { id, version };
}

/** A failed redirect is only reported, because the page has already moved. */
async function addRedirect(site: Site, urlFrom: string, urlTo: string): Promise<void> {
  try {
    await runMutation(SiteRedirectAddDocument, { site: site.id, urlFrom, urlTo });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showErrorToast(siteStrings.redirectFailed(error.failure.message));
  }
}
