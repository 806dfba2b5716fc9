import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Select, TextArea } from '../../ui/field.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import type { PageFacts, PageGroups, PageMarkup } from './facts.ts';
import {
  SitePageMenuDocument,
  SitePageMenusDeleteDocument,
  SitePageRedirectDocument,
  SitePageSetDocument,
  SitePageShowDocument,
} from './generated.ts';
import { computeChanges, type PageFormValues, parseForm, toFormValues } from './property-changes.ts';

interface SitePagePropertiesProps {
  site: Site;
  page: PageFacts;
  groups: PageGroups;
  markup: PageMarkup;
  lang: string | undefined;
  /** Saving can replace the page with a copy that has a new id. */
  onSaved(id: string): void;
}

export function SitePageProperties({ site, page, groups, markup, lang, onSaved }: SitePagePropertiesProps) {
  const before = toFormValues(page, markup);
  const [now, setNow] = useState(before);
  const { isBusy, refusal, getFieldError, act } = useFormAction();
  const readForm = (event: FormEvent<HTMLFormElement>) =>
    setNow(parseForm(new FormData(event.currentTarget)));
  const isDirty =
    JSON.stringify({ ...now, redirect: false }) !== JSON.stringify({ ...before, redirect: false });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = parseForm(new FormData(event.currentTarget));
    void act(async () => {
      const id = await saveProperties(site, page, before, values, lang);
      setNow({ ...values, redirect: false });
      showToast(siteStrings.saved);
      onSaved(id);
    });
  };
  const language = markup.languages.find(({ code }) => code === lang)?.name;
  return (
    <form className="site-form site-properties" onSubmit={save} onChange={readForm}>
      <UnsavedGuard isDirty={isDirty} />
      <fieldset className="site-fieldset">
        <legend>{siteStrings.page}</legend>
        <Field
          name="name"
          label={siteStrings.name}
          defaultValue={before.name}
          required
          error={getFieldError('name')}
        />
        <Field
          name="url"
          label={siteStrings.url}
          hint={siteStrings.urlHint}
          defaultValue={before.url}
          required
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          error={getFieldError('newUrl') ?? getFieldError('url')}
        />
        {now.url !== before.url && (
          <Checkbox name="redirect" label={siteStrings.redirectOld} defaultChecked={before.isPublished} />
        )}
        <Checkbox name="inMenu" label={siteStrings.inMenu} defaultChecked={before.inMenu} />
      </fieldset>
      <fieldset className="site-fieldset">
        <legend>{siteStrings.publishing}</legend>
        <Checkbox name="isPublished" label={siteStrings.isPublished} defaultChecked={before.isPublished} />
        <Field
          type="datetime-local"
          name="publishAt"
          label={siteStrings.publishAt}
          hint={siteStrings.publishAtHint}
          defaultValue={before.publishAt}
          error={getFieldError('publishAt')}
        />
        <Select
          name="visibility"
          label={siteStrings.visibility}
          defaultValue={before.visibility}
          options={Object.entries(siteStrings.visibilities)}
          error={getFieldError('visibility')}
        />
        {now.visibility === 'restricted_group' && (
          <Select
            name="groupId"
            label={siteStrings.group}
            defaultValue={before.groupId}
            required
            options={[['', ''], ...groups.map(({ id, displayName }) => [id, displayName] as const)]}
            error={getFieldError('groupId')}
          />
        )}
      </fieldset>
      <fieldset className="site-fieldset">
        <legend>{siteStrings.searchEngines}</legend>
        <Checkbox name="isIndexed" label={siteStrings.isIndexed} defaultChecked={before.isIndexed} />
        {markup.languages.length > 1 && (
          <p className="quiet small">
            {language ? siteStrings.forLanguage(language) : siteStrings.forAllLanguages}
          </p>
        )}
        <Field
          name="title"
          label={siteStrings.seoTitle}
          hint={siteStrings.seoTitleHint}
          defaultValue={before.title}
          error={getFieldError('title')}
        />
        <TextArea
          name="metaDescription"
          label={siteStrings.seoDescription}
          hint={siteStrings.seoDescriptionHint}
          defaultValue={before.metaDescription}
          error={getFieldError('metaDescription')}
        />
        <Field
          name="image"
          label={siteStrings.image}
          hint={siteStrings.imageHint}
          defaultValue={before.image}
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          error={getFieldError('image')}
        />
      </fieldset>
      {refusal && !FIELDS.some(getFieldError) && (
        <p className="wrong" role="alert">
          {refusal.message}
        </p>
      )}
      <div className="buttons site-save">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!isDirty}>
          {siteStrings.save}
        </Button>
        {isDirty && (
          <Button type="reset" onClick={() => setNow(before)}>
            {siteStrings.discard}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Arguments whose errors are shown at the corresponding field. */
const FIELDS = [
  'name',
  'newUrl',
  'url',
  'publishAt',
  'visibility',
  'groupId',
  'title',
  'metaDescription',
  'image',
];

/** Saves the changed properties and returns the page's current id. */
async function saveProperties(
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
